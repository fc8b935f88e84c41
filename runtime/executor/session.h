// A program made ready to run: how many threads, whose memory, which
// providers. Shared by all its requests, from any thread.
#ifndef FERRULE_EXECUTOR_SESSION_H
#define FERRULE_EXECUTOR_SESSION_H

#include "runtime/executor/memory.h"
#include "runtime/executor/program.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ferrule::runtime {

/// A contiguous buffer as a provider sees it.
struct ProviderBuffer {
  void *data;
  format::ElementType element;
  std::span<const int64_t> dims;
};

struct ProviderCall {
  std::string_view name;
  std::string_view attributes;
  std::span<const ProviderBuffer> buffers;
  uint32_t firstOutput;
  std::span<const int64_t> scalars;
  uint32_t threads;
};

/// An operation that exists as library code. The call must be safe from
/// several threads at once.
struct ProviderOp {
  Status (*call)(void *context, const ProviderCall &call);
  void *context;
};

/// Offers an operation to all sessions of the process, in place of one of the
/// same name. `context` lives for as long.
void registerProvider(std::string name, ProviderOp op);

class Session {
public:
  struct Options {
    uint32_t threads = 0; ///< 0: as many as this process should use.
    /// None: what a device of the program asks for, else the system's.
    std::optional<Allocator> allocator;
  };

  Session(std::shared_ptr<const Program> program, const Options &options);

  const Program &program() const { return *loaded; }
  uint32_t threads() const { return threadCount; }
  const Allocator &allocator() const { return memory; }

  /// Before the first run only.
  void addProvider(std::string name, ProviderOp op) {
    providers[std::move(name)] = op;
  }
  /// The session's own, else the process's.
  std::optional<ProviderOp> provider(std::string_view name) const;

private:
  std::shared_ptr<const Program> loaded;
  uint32_t threadCount;
  Allocator memory;
  std::map<std::string, ProviderOp, std::less<>> providers;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_SESSION_H
