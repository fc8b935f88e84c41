#include "runtime/base/thread_pool.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <pthread.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <ctime>

using namespace ferrule::runtime;

// How long to look for work before sleeping: about 60 microseconds, the order
// of a wake-up, so that the short gaps between dispatches never sleep.
static constexpr uint64_t kSpinCycles = 150000;

static void relax() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

uint64_t ferrule::runtime::cycleCount() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec * 1000000000ull + now.tv_nsec) * 5 / 2;
#endif
}

StandardArithmetic::StandardArithmetic() : saved(0) {
#if defined(__x86_64__)
  saved = _mm_getcsr();
  // All exceptions masked, round to nearest.
  _mm_setcsr(0x1f80);
#elif defined(__aarch64__)
  // Round to nearest.
  uint64_t state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  saved = static_cast<uint32_t>(state);
  __asm__ volatile("msr fpcr, %0" ::"r"(uint64_t(0)));
#endif
}

StandardArithmetic::~StandardArithmetic() {
#if defined(__x86_64__)
  _mm_setcsr(saved);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" ::"r"(uint64_t(saved)));
#endif
}

Scratch::~Scratch() { std::free(memory); }

void *Scratch::reserve(uint64_t size) {
  if (size <= capacity && memory)
    return memory;
  if (size > uint64_t(1) << 46)
    return nullptr;
  std::free(memory);
  capacity = std::max<uint64_t>((size + 4095) / 4096 * 4096, 4096);
  memory = std::aligned_alloc(4096, capacity);
  if (!memory)
    capacity = 0;
  return memory;
}

struct ThreadPool::Worker {
  ThreadPool *pool;
  uint32_t index;
  Scratch scratch;
  pthread_t thread;
};

static std::atomic<ThreadPool *> currentPool{nullptr};

ThreadPool &ThreadPool::instance() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Neither pool is ever deleted: threads may outlive static destructors,
    // and the parent's workers do not exist in the child.
    currentPool = new ThreadPool;
    pthread_atfork(nullptr, nullptr, [] { currentPool = new ThreadPool; });
  });
  return *currentPool.load(std::memory_order_acquire);
}

ThreadPool::ThreadPool() : taken(new std::atomic<bool>[kMaxShares]) {}

ThreadPool::~ThreadPool() {
  stopping = true;
  epoch.fetch_add(2);
  epoch.notify_all();
  for (auto &worker : workers)
    pthread_join(worker->thread, nullptr);
}

// Too few workers are no error: the others take over their shares.
void ThreadPool::addWorkers(uint32_t count) {
  if (workers.size() >= count)
    return;
  // Signals belong to the application's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (workers.size() < count) {
    auto worker = std::make_unique<Worker>();
    worker->pool = this;
    worker->index = static_cast<uint32_t>(workers.size() + 1);
    auto entry = [](void *argument) -> void * {
      auto *self = static_cast<Worker *>(argument);
      StandardArithmetic arithmetic;
      self->pool->workerLoop(self->index, self->scratch);
      return nullptr;
    };
    if (pthread_create(&worker->thread, nullptr, entry, worker.get()) != 0)
      break;
    pthread_setname_np(worker->thread, "ferrule");
    workers.push_back(std::move(worker));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Starts with the thread's own shares, then takes over those whose thread has
// not come to them: a late or descheduled worker delays nobody for long.
void ThreadPool::takeShares(uint32_t thread, Scratch &scratch) {
  uint32_t count = shares;
  auto share = static_cast<uint32_t>(uint64_t(count) * thread / threads);
  for (uint32_t i = 0; i < count; ++i) {
    if (!taken[share].load(std::memory_order_relaxed) &&
        !taken[share].exchange(true, std::memory_order_acq_rel))
      body(context, share, count, scratch);
    share = share + 1 == count ? 0 : share + 1;
  }
}

void ThreadPool::workerLoop(uint32_t index, Scratch &scratch) {
  uint32_t seen = 0;
  while (!stopping.load(std::memory_order_relaxed)) {
    uint32_t now = epoch.load(std::memory_order_acquire);
    uint64_t start = cycleCount();
    while ((now == seen || now % 2 == 0) && !stopping) {
      relax();
      if (cycleCount() - start > kSpinCycles) {
        sleepers.fetch_add(1);
        // The caller reads sleepers after it writes epoch, we the other way
        // round, so one of us sees the other.
        if (epoch.load() == now)
          epoch.wait(now);
        sleepers.fetch_sub(1);
        start = cycleCount();
      }
      now = epoch.load(std::memory_order_acquire);
    }
    // Announce before looking: the caller closes the loop first and then waits
    // for those announced, so what we read below cannot change under us.
    active.fetch_add(1);
    if (epoch.load() == now && now % 2 == 1) {
      seen = now;
      if (index < threads)
        takeShares(index, scratch);
    }
    if (active.fetch_sub(1) == 1 && callerSleeps.load())
      active.notify_all();
  }
}

void ThreadPool::close() {
  epoch.fetch_add(1);
  uint64_t start = cycleCount();
  while (uint32_t left = active.load()) {
    relax();
    if (cycleCount() - start > kSpinCycles) {
      callerSleeps = true;
      if (active.load() == left)
        active.wait(left);
      callerSleeps = false;
    }
  }
}

void ThreadPool::run(uint32_t threadCount, uint32_t count, Body loopBody,
                     void *loopContext, Scratch &own) {
  count = std::min(count, kMaxShares);
  threadCount = std::min({threadCount, count, kMaxThreads});
  std::unique_lock lock(mutex, std::defer_lock);
  if (threadCount <= 1 || !lock.try_lock()) {
    for (uint32_t share = 0; share < count; ++share)
      loopBody(loopContext, share, count, own);
    return;
  }
  addWorkers(threadCount - 1);
  body = loopBody;
  context = loopContext;
  threads = threadCount;
  shares = count;
  for (uint32_t i = 0; i < count; ++i)
    taken[i].store(false, std::memory_order_relaxed);
  epoch.fetch_add(1);
  if (sleepers.load() != 0)
    epoch.notify_all();
  takeShares(0, own);
  close();
}
