#include "runtime/executor/session.h"

#include "runtime/base/cpu_count.h"

#include <algorithm>
#include <mutex>

using namespace ferrule::runtime;

namespace {
struct ProcessProviders {
  std::mutex mutex;
  std::map<std::string, ProviderOp, std::less<>> operations;
};
} // namespace

// Never destroyed: threads may still run programs when the process ends.
static ProcessProviders &processProviders() {
  static auto *instance = new ProcessProviders;
  return *instance;
}

void ferrule::runtime::registerProvider(std::string name, ProviderOp op) {
  std::lock_guard<std::mutex> lock(processProviders().mutex);
  processProviders().operations[std::move(name)] = op;
}

std::optional<ProviderOp> Session::provider(std::string_view name) const {
  if (auto found = providers.find(name); found != providers.end())
    return found->second;
  std::lock_guard<std::mutex> lock(processProviders().mutex);
  auto &operations = processProviders().operations;
  auto found = operations.find(name);
  if (found == operations.end())
    return std::nullopt;
  return found->second;
}

Session::Session(std::shared_ptr<const Program> program, const Options &options)
    : loaded(std::move(program)),
      threadCount(std::min(options.threads != 0 ? options.threads
                                                : defaultThreadCount(),
                           ThreadPool::kMaxThreads)),
      memory(options.allocator        ? *options.allocator
             : loaded->deviceMemory() ? *loaded->deviceMemory()
                                      : systemAllocator()) {}
