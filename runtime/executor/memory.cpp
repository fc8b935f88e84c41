#include "runtime/executor/memory.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sys/mman.h>

using namespace ferrule::runtime;

static constexpr uint64_t kLargest = uint64_t(1) << 46;
static constexpr uint64_t kHugePage = uint64_t(2) << 20;

static uint64_t roundUp(uint64_t size, uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

Allocator ferrule::runtime::systemAllocator() {
  auto allocate = [](void *, size_t size, size_t alignment) -> void * {
    // Large tensors are walked end to end, so misses of the TLB count.
    if (size >= 2 * kHugePage)
      alignment = kHugePage;
    void *memory = std::aligned_alloc(alignment, roundUp(size, alignment));
    if (memory && size >= 2 * kHugePage)
      ::madvise(memory, roundUp(size, alignment), MADV_HUGEPAGE);
    return memory;
  };
  auto free = [](void *, void *memory, size_t) { std::free(memory); };
  return {allocate, free, nullptr};
}

Block &Block::operator=(Block &&other) noexcept {
  if (this != &other) {
    if (memory)
      reset();
    allocator = other.allocator;
    memory = std::exchange(other.memory, nullptr);
    bytes = std::exchange(other.bytes, 0);
  }
  return *this;
}

bool Block::reserve(uint64_t size) {
  if (memory && size <= bytes)
    return true;
  reset();
  if (size > kLargest)
    return false;
  uint64_t rounded = roundUp(std::max<uint64_t>(size, 1), kBufferAlignment);
  memory = static_cast<char *>(
      allocator.allocate(allocator.context, rounded, kBufferAlignment));
  bytes = memory ? rounded : 0;
  return memory != nullptr;
}

void Block::reset() {
  if (memory)
    allocator.free(allocator.context, memory, bytes);
  memory = nullptr;
  bytes = 0;
}

char *Arena::allocate(uint64_t size) {
  if (size > kLargest)
    return nullptr;
  size = roundUp(std::max<uint64_t>(size, 1), kBufferAlignment);
  auto fit = freePieces.lower_bound({size, nullptr});
  if (fit == freePieces.end()) {
    if (!addChunk(size))
      return nullptr;
    fit = freePieces.lower_bound({size, nullptr});
  }
  auto piece = pieces.find(fit->second);
  freePieces.erase(fit);
  uint64_t rest = piece->second.size - size;
  piece->second.size = size;
  piece->second.isFree = false;
  if (rest != 0) {
    char *tail = piece->first + size;
    pieces.emplace_hint(std::next(piece), tail, Piece{rest, true, false});
    freePieces.insert({rest, tail});
  }
  live += size;
  peak = std::max(peak, live);
  return piece->first;
}

bool Arena::addChunk(uint64_t atLeast) {
  // Doubling bounds the number of chunks for programs that grow.
  uint64_t size = std::max({atLeast, total, uint64_t(64) << 10});
  Block chunk(allocator);
  ++requests;
  if (!chunk.reserve(size)) {
    size = atLeast;
    if (!chunk.reserve(size))
      return false;
  }
  total += size;
  pieces.emplace(chunk.data(), Piece{size, true, true});
  freePieces.insert({size, chunk.data()});
  chunks.push_back(std::move(chunk));
  return true;
}

bool Arena::free(char *pointer) {
  auto piece = pieces.find(pointer);
  if (piece == pieces.end() || piece->second.isFree)
    return false;
  live -= piece->second.size;
  markFree(piece);
  return true;
}

void Arena::markFree(Pieces::iterator piece) {
  auto next = std::next(piece);
  if (next != pieces.end() && next->second.isFree && !next->second.first) {
    freePieces.erase({next->second.size, next->first});
    piece->second.size += next->second.size;
    pieces.erase(next);
  }
  if (!piece->second.first && piece != pieces.begin()) {
    auto before = std::prev(piece);
    if (before->second.isFree) {
      freePieces.erase({before->second.size, before->first});
      before->second.size += piece->second.size;
      pieces.erase(piece);
      piece = before;
    }
  }
  piece->second.isFree = true;
  freePieces.insert({piece->second.size, piece->first});
}

void Arena::reset() {
  bool consolidate = chunks.size() > 1;
  pieces.clear();
  freePieces.clear();
  live = 0;
  if (consolidate) {
    // Fragmentation may need more than the peak, but never more than before.
    uint64_t size = total;
    chunks.clear();
    total = 0;
    if (addChunk(size))
      return;
  }
  for (Block &chunk : chunks) {
    pieces.emplace(chunk.data(), Piece{total, true, true});
    freePieces.insert({total, chunk.data()});
  }
}
