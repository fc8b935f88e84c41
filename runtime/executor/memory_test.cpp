#include "runtime/executor/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace ferrule::runtime;

TEST(Arena, reusesMemory) {
  Arena arena(systemAllocator());
  char *a = arena.allocate(1000);
  char *b = arena.allocate(1000);
  EXPECT_NE(a, b);
  EXPECT_TRUE(arena.free(a));
  EXPECT_FALSE(arena.free(a));
  EXPECT_FALSE(arena.free(b + 1));
  EXPECT_EQ(arena.allocate(900), a);
  EXPECT_EQ(arena.allocate(uint64_t(1) << 60), nullptr);
}

// A cache that grows by a little in each step must not keep all its ancestors.
TEST(Arena, mergesFreedNeighbours) {
  Arena arena(systemAllocator());
  char *state = arena.allocate(1000);
  for (uint64_t size = 2000; size < 1000000; size += 1000) {
    char *next = arena.allocate(size);
    ASSERT_TRUE(arena.free(state));
    state = next;
  }
  EXPECT_LT(arena.chunkRequests(), 12u);
}

TEST(Arena, asksForNothingInTheSecondRun) {
  Arena arena(systemAllocator());
  uint64_t requests = 0;
  for (int run = 0; run < 4; ++run) {
    arena.reset();
    if (run == 2)
      requests = arena.chunkRequests();
    for (int i = 1; i < 50; ++i)
      ASSERT_NE(arena.allocate(static_cast<uint64_t>(i) * 10000), nullptr);
  }
  EXPECT_EQ(arena.chunkRequests(), requests);
}

TEST(Arena, keepsAllocationsApart) {
  Arena arena(systemAllocator());
  std::mt19937 random(7);
  struct Piece {
    char *data;
    size_t size;
    char mark;
  };
  std::vector<Piece> pieces;
  for (int round = 0; round < 5000; ++round) {
    if (pieces.size() > 40 || (!pieces.empty() && random() % 2)) {
      size_t which = random() % pieces.size();
      Piece piece = pieces[which];
      for (size_t i = 0; i < piece.size; i += 61)
        ASSERT_EQ(piece.data[i], piece.mark);
      ASSERT_TRUE(arena.free(piece.data));
      pieces[which] = pieces.back();
      pieces.pop_back();
    }
    Piece piece = {nullptr, 1 + random() % 20000, static_cast<char>(round)};
    piece.data = arena.allocate(piece.size);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(piece.data) % 64, 0u);
    std::memset(piece.data, piece.mark, piece.size);
    pieces.push_back(piece);
  }
}
