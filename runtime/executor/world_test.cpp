#include "runtime/executor/world.h"

#include <gtest/gtest.h>
#include <thread>

using namespace ferrule::runtime;

namespace {

/// Runs `body` once a process and returns the world's failure.
Status runAll(World &world, const std::function<Status(uint32_t)> &body) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < world.size(); ++i)
    threads.emplace_back([&, i] { world.leave(i, body(i)); });
  for (std::thread &thread : threads)
    thread.join();
  return world.firstFailure();
}

/// Adds what all members bring.
Status sum(World &world, int64_t site, uint32_t self, int64_t &value) {
  std::vector<uint32_t> all(world.size());
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  int64_t total = 0;
  Status status = world.meet(site, all, self, {&value, {}}, "sum",
                             [&](std::span<const Contribution> brought) {
                               for (const Contribution &member : brought)
                                 total +=
                                     *static_cast<const int64_t *>(member.data);
                               return Status();
                             });
  value = total;
  return status;
}

} // namespace

TEST(World, meetsAgainAndAgain) {
  World world(2, 2);
  Status status = runAll(world, [&](uint32_t self) {
    for (int64_t round = 0; round < 1000; ++round) {
      int64_t value = self + round;
      if (Status status = sum(world, 0, self, value); !status.ok())
        return status;
      if (value != 6 + 4 * round)
        return failed("found " + std::to_string(value));
    }
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(World, endsThoseWhoWaitForEver) {
  for (int round = 0; round < 100; ++round) {
    World world(3, 1);
    Status status = runAll(world, [&](uint32_t self) {
      int64_t value = 1;
      return self == 2 ? Status() : sum(world, 0, self, value);
    });
    EXPECT_NE(status.message().find("waits for ever at sum: replica 2, "
                                    "partition 0 has ended"),
              std::string::npos)
        << status.message();
  }
}

TEST(World, endsThoseAtDifferentPlaces) {
  World world(1, 2);
  Status status = runAll(world, [&](uint32_t self) {
    int64_t value = 1;
    return sum(world, self, self, value);
  });
  EXPECT_NE(status.message().find("waits at another sum"), std::string::npos)
      << status.message();
}

TEST(World, tellsTheFirstFailure) {
  World world(2, 1);
  Status status = runAll(world, [&](uint32_t self) {
    int64_t value = 1;
    return self == 1 ? failed("no luck") : sum(world, 0, self, value);
  });
  EXPECT_EQ(status.message(), "replica 1, partition 0: no luck");
}
