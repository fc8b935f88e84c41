// One pool of worker threads for the whole process. The calling thread works
// too; one loop runs on the pool at a time, and a caller who finds it taken
// runs its loop alone.
#ifndef FERRULE_BASE_THREAD_POOL_H
#define FERRULE_BASE_THREAD_POOL_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferrule::runtime {

/// Memory that grows on demand, aligned to 64 bytes; contents are not kept.
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch();
  /// Null when memory is exhausted.
  void *reserve(uint64_t size);

private:
  void *memory = nullptr;
  uint64_t capacity = 0;
};

/// Gives this thread the arithmetic that programs are compiled for while it
/// lives, whatever the caller has set, then restores the caller's: rounding to
/// nearest, no traps, denormals kept as the standard of floating-point numbers
/// and the frameworks have them.
class StandardArithmetic {
public:
  StandardArithmetic();
  ~StandardArithmetic();

private:
  uint32_t saved;
};

/// Time stamps for deciding how far to split, in cycles of roughly 0.4 ns.
uint64_t cycleCount();

class ThreadPool {
public:
  /// The body of a loop: share number `share` of `shares`, run by some thread
  /// that owns `scratch` meanwhile. Shares run at most once each.
  using Body = void (*)(void *context, uint32_t share, uint32_t shares,
                        Scratch &scratch);

  /// The process's pool. After fork() the child gets a new one.
  static ThreadPool &instance();

  /// Runs all shares on up to `threads` threads and returns when they are done.
  /// Each thread starts with its own part of the shares, always the same, so
  /// that data stays in its cache; who is done early helps the others. `own` is
  /// the caller's scratch.
  void run(uint32_t threads, uint32_t shares, Body body, void *context,
           Scratch &own);

  ThreadPool();
  ~ThreadPool();

  static constexpr uint32_t kMaxThreads = 1024;
  static constexpr uint32_t kMaxShares = 4096;

private:
  struct Worker;
  void addWorkers(uint32_t count);
  void workerLoop(uint32_t index, Scratch &scratch);
  void takeShares(uint32_t thread, Scratch &scratch);
  void close();

  std::mutex mutex; ///< Held by the caller whose loop runs.
  std::vector<std::unique_ptr<Worker>> workers;
  std::unique_ptr<std::atomic<bool>[]> taken;

  Body body = nullptr;
  void *context = nullptr;
  uint32_t threads = 0, shares = 0;

  /// Odd while a loop is open for workers; each loop has its own number.
  alignas(64) std::atomic<uint32_t> epoch{0};
  /// Workers that may be looking at the open loop.
  alignas(64) std::atomic<uint32_t> active{0};
  alignas(64) std::atomic<uint32_t> sleepers{0};
  std::atomic<bool> callerSleeps{false};
  std::atomic<bool> stopping{false};
};

} // namespace ferrule::runtime

#endif // FERRULE_BASE_THREAD_POOL_H
