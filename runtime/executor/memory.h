// Where buffers live: the allocator behind everything, single blocks, and the
// arena that serves a request's allocations of dynamic size.
#ifndef FERRULE_EXECUTOR_MEMORY_H
#define FERRULE_EXECUTOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ferrule::runtime {

/// Source of memory, aligned to 64 bytes at least. allocate returns null when
/// there is none.
struct Allocator {
  void *(*allocate)(void *context, size_t size, size_t alignment);
  void (*free)(void *context, void *memory, size_t size);
  void *context;
};

/// The C library's heap; large blocks ask for huge pages.
Allocator systemAllocator();

inline constexpr uint64_t kBufferAlignment = 64;

/// One piece of memory that belongs to this object.
class Block {
public:
  Block() : allocator(systemAllocator()) {}
  explicit Block(Allocator allocator) : allocator(allocator) {}
  Block(Block &&other) noexcept { *this = std::move(other); }
  Block &operator=(Block &&other) noexcept;
  ~Block() { reset(); }

  /// At least `size` bytes; contents are not kept. False: no memory.
  bool reserve(uint64_t size);
  void reset();
  char *data() const { return memory; }
  uint64_t capacity() const { return bytes; }

private:
  Allocator allocator;
  char *memory = nullptr;
  uint64_t bytes = 0;
};

/// Best fit with splitting and merging over a few large chunks. Memory goes
/// back to the allocator only at reset and destruction.
class Arena {
public:
  explicit Arena(Allocator allocator) : allocator(allocator) {}
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Null when memory is exhausted.
  char *allocate(uint64_t size);
  /// False when `pointer` is not the start of a live allocation.
  bool free(char *pointer);
  /// Frees everything. A run that needed several chunks leaves one that is
  /// large enough for all, so that the next run allocates nothing.
  void reset();

  uint64_t liveBytes() const { return live; }
  uint64_t peakBytes() const { return peak; }
  /// How often the allocator was asked.
  uint64_t chunkRequests() const { return requests; }

private:
  struct Piece {
    uint64_t size;
    bool isFree;
    bool first; ///< Starts a chunk, so it never merges with what is before.
  };
  using Pieces = std::map<char *, Piece>;

  bool addChunk(uint64_t atLeast);
  void markFree(Pieces::iterator piece);

  Allocator allocator;
  std::vector<Block> chunks;
  Pieces pieces;
  std::set<std::pair<uint64_t, char *>> freePieces;
  uint64_t total = 0, live = 0, peak = 0, requests = 0;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_MEMORY_H
