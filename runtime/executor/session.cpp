#include "runtime/executor/session.h"

#include "runtime/base/cpu_count.h"

#include <algorithm>

using namespace ferrule::runtime;

Session::Session(std::shared_ptr<const Program> program, const Options &options)
    : loaded(std::move(program)),
      threadCount(std::min(options.threads != 0 ? options.threads
                                                : defaultThreadCount(),
                           ThreadPool::kMaxThreads)),
      memory(options.allocator        ? *options.allocator
             : loaded->deviceMemory() ? *loaded->deviceMemory()
                                      : systemAllocator()) {}
