// A folder of results that are worth keeping between runs of the compiler.
#ifndef FERRULE_COMPILER_SUPPORT_DISKCACHE_H
#define FERRULE_COMPILER_SUPPORT_DISKCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ferrule {

/// The key of an entry: a hash of everything that its contents depend on. Parts
/// are told apart, so that "ab" + "c" is another key than "a" + "bc".
std::string hashKey(llvm::ArrayRef<llvm::StringRef> parts);

/// One file an entry, written under a temporary name and then renamed, so that
/// processes may share a folder. An entry carries a checksum of its key and its
/// contents; one that does not fit is as good as none. Nothing here is an
/// error: a cache that cannot be read or written is empty.
class DiskCache {
public:
  /// Where caches lie when the user says nothing: FERRULE_CACHE_DIR, else
  /// `ferrule` in XDG_CACHE_HOME, else `.cache/ferrule` in the home folder.
  /// Empty when none of these is set.
  static std::string defaultFolder();

  /// Opens the cache of kernels that the user chose: "off" gives null, a folder
  /// is made when it does not exist, "" means `kernels` in the default folder.
  /// Null with `error` set when a folder that was named cannot be written.
  static std::shared_ptr<DiskCache> open(llvm::StringRef choice,
                                         std::string &error);

  /// `limit` is the size in bytes that prune() goes back to.
  DiskCache(llvm::StringRef folder, uint64_t limit);

  std::optional<llvm::SmallVector<char, 0>> load(llvm::StringRef key);
  void store(llvm::StringRef key, llvm::StringRef contents);

  /// Removes what was used longest ago until the folder is within its limit.
  /// Does nothing when nothing was stored since the last time.
  void prune();

  /// How many calls of load() found something, and how many nothing.
  unsigned hits() const { return found; }
  unsigned misses() const { return missed; }

private:
  std::string path(llvm::StringRef key) const;

  std::string folder;
  uint64_t limit;
  std::atomic<unsigned> found = 0, missed = 0;
  std::atomic<bool> grown = false;
};

} // namespace ferrule

#endif // FERRULE_COMPILER_SUPPORT_DISKCACHE_H
