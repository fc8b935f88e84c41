#include "runtime/base/cpu_count.h"
#include "runtime/base/float16.h"
#include "runtime/base/thread_pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

using namespace ferrule::runtime;

namespace {

struct Counter {
  std::vector<std::atomic<int>> seen;
  explicit Counter(size_t count) : seen(count) {}
  static void body(void *self, uint32_t share, uint32_t, Scratch &scratch) {
    auto *memory = static_cast<int *>(scratch.reserve(4096));
    *memory = 1;
    static_cast<Counter *>(self)->seen[share] += *memory;
  }
};

TEST(ThreadPool, runsEachShareOnce) {
  ThreadPool pool;
  Scratch scratch;
  for (int round = 0; round < 2000; ++round) {
    auto shares = static_cast<uint32_t>(1 + round % 7);
    Counter counter(shares);
    pool.run(3, shares, Counter::body, &counter, scratch);
    for (auto &seen : counter.seen)
      ASSERT_EQ(seen, 1);
  }
}

TEST(ThreadPool, servesManyCallers) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      Scratch scratch;
      for (int round = 0; round < 200; ++round) {
        Counter counter(5);
        ThreadPool::instance().run(3, 5, Counter::body, &counter, scratch);
        for (auto &seen : counter.seen)
          wrong += seen != 1;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, sleepsAndWakes) {
  ThreadPool pool;
  Scratch scratch;
  for (int round = 0; round < 5; ++round) {
    Counter counter(2);
    pool.run(2, 2, Counter::body, &counter, scratch);
    EXPECT_EQ(counter.seen[1], 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(StandardArithmetic, keepsDenormalsWhateverTheCallerSet) {
  volatile float tiny = 1e-39f;
#if defined(__x86_64__)
  // The caller flushes denormals.
  uint32_t before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040);
  EXPECT_EQ(tiny * 1.0f, 0.0f);
#endif
  {
    StandardArithmetic arithmetic;
    EXPECT_GT(tiny * 1.0f, 0.0f);
  }
#if defined(__x86_64__)
  EXPECT_EQ(tiny * 1.0f, 0.0f);
  __builtin_ia32_ldmxcsr(before);
#endif
}

TEST(CpuCount, followsTheEnvironment) {
  setenv("FERRULE_NUM_THREADS", "3", 1);
  EXPECT_EQ(defaultThreadCount(), 3u);
  setenv("FERRULE_NUM_THREADS", "many", 1);
  EXPECT_GE(defaultThreadCount(), 1u);
  unsetenv("FERRULE_NUM_THREADS");
}

TEST(Float16, roundsAsTheProcessorDoes) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    float value = float16ToFloat(static_cast<uint16_t>(half));
    auto bits = static_cast<uint16_t>(half);
    _Float16 expected;
    __builtin_memcpy(&expected, &bits, 2);
    if (std::isnan(static_cast<float>(expected))) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    ASSERT_EQ(value, static_cast<float>(expected));
    ASSERT_EQ(floatToFloat16(value), bits);
    // Half-way points and their neighbours.
    for (float probe : {value * 1.0004883f, value * 1.0002441f,
                        std::nextafter(value * 1.0004883f, 1e9f)}) {
      auto rounded = static_cast<_Float16>(probe);
      uint16_t want;
      __builtin_memcpy(&want, &rounded, 2);
      ASSERT_EQ(floatToFloat16(probe), want) << probe;
    }
  }
  EXPECT_EQ(floatToBfloat16(1.00390625f), 0x3f80);
  EXPECT_EQ(floatToBfloat16(1.01171875f), 0x3f82);
}

} // namespace
