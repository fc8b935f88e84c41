#include "compiler/Support/DiskCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;
using namespace ferrule;

static constexpr StringLiteral kMagic = "FERRULE1";
static constexpr size_t kHashSize = 32;
static constexpr uint64_t kDefaultLimit = uint64_t(1) << 30;

/// Hashes each part with its length before it.
static BLAKE3Result<kHashSize> hashParts(ArrayRef<StringRef> parts) {
  BLAKE3 hasher;
  for (StringRef part : parts) {
    char size[8];
    support::endian::write64le(size, part.size());
    hasher.update(StringRef(size, sizeof size));
    hasher.update(part);
  }
  return hasher.final<kHashSize>();
}

static StringRef toString(const BLAKE3Result<kHashSize> &hash) {
  return StringRef(reinterpret_cast<const char *>(hash.data()), hash.size());
}

std::string ferrule::hashKey(ArrayRef<StringRef> parts) {
  return toHex(toString(hashParts(parts)), /*LowerCase=*/true);
}

static StringRef environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? StringRef(value) : StringRef();
}

std::string DiskCache::defaultFolder() {
  if (StringRef folder = environment("FERRULE_CACHE_DIR"); !folder.empty())
    return folder.str();
  SmallString<128> folder;
  if (StringRef base = environment("XDG_CACHE_HOME"); !base.empty())
    folder = base;
  else if (StringRef home = environment("HOME"); !home.empty())
    sys::path::append(folder, home, ".cache");
  else
    return "";
  sys::path::append(folder, "ferrule");
  return folder.str().str();
}

/// Only the owner may write what this process will one day execute.
static std::error_code makeFolder(StringRef folder) {
  return sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                     sys::fs::owner_all);
}

std::shared_ptr<DiskCache> DiskCache::open(StringRef choice,
                                           std::string &error) {
  if (choice == "off")
    return nullptr;
  SmallString<128> folder(choice);
  if (choice.empty()) {
    folder = defaultFolder();
    if (folder.empty())
      return nullptr;
    sys::path::append(folder, "kernels");
  }
  std::error_code code = makeFolder(folder);
  if (!code)
    code = sys::fs::access(folder, sys::fs::AccessMode::Write);
  if (code) {
    if (!choice.empty())
      error = ("cannot write to the kernel cache " + folder + ": " +
               code.message() + "; expected a folder or 'off'")
                  .str();
    return nullptr;
  }
  uint64_t megabytes;
  uint64_t limit = kDefaultLimit;
  if (!environment("FERRULE_CACHE_MB").getAsInteger(10, megabytes))
    limit = megabytes << 20;
  return std::make_shared<DiskCache>(folder, limit);
}

DiskCache::DiskCache(StringRef folder, uint64_t limit)
    : folder(folder), limit(limit) {}

/// pruneCache() removes files whose names begin like this and no others.
static constexpr StringLiteral kPrefix = "llvmcache-";

std::string DiskCache::path(StringRef key) const {
  SmallString<128> result(folder);
  sys::path::append(result, kPrefix + key);
  return result.str().str();
}

std::optional<SmallVector<char, 0>> DiskCache::load(StringRef key) {
  auto miss = [&]() -> std::optional<SmallVector<char, 0>> {
    ++missed;
    return std::nullopt;
  };
  std::string name = path(key);
  auto file = sys::fs::openNativeFileForRead(name);
  if (!file) {
    consumeError(file.takeError());
    return miss();
  }
  SmallVector<char, 0> bytes;
  Error failed = sys::fs::readNativeFileToEOF(*file, bytes);
  // The time of the last use is what eviction goes by. Reading alone does not
  // set it on file systems that are mounted without access times.
  (void)sys::fs::setLastAccessAndModificationTime(
      *file, std::chrono::system_clock::now());
  (void)sys::fs::closeFile(*file);
  StringRef whole(bytes.data(), bytes.size());
  bool intact = !failed && whole.consume_front(kMagic) &&
                whole.size() >= kHashSize &&
                whole.take_front(kHashSize) ==
                    toString(hashParts({key, whole.drop_front(kHashSize)}));
  consumeError(std::move(failed));
  if (!intact)
    return miss();
  ++found;
  bytes.erase(bytes.begin(), bytes.begin() + kMagic.size() + kHashSize);
  return bytes;
}

void DiskCache::store(StringRef key, StringRef contents) {
  // Larger than the whole cache: it would be removed at once, after all else.
  if (contents.size() > limit)
    return;
  SmallString<128> temporary;
  int file;
  if (sys::fs::createUniqueFile(path("%%%%%%%%%%%%.tmp"), file, temporary))
    return;
  raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << kMagic << toString(hashParts({key, contents})) << contents;
  stream.close();
  bool written = !stream.has_error();
  stream.clear_error();
  if (!written || sys::fs::rename(temporary, path(key)))
    sys::fs::remove(temporary);
  else
    grown = true;
}

void DiskCache::prune() {
  if (!grown.exchange(false))
    return;
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizeBytes = std::max<uint64_t>(limit, 1);
  pruneCache(folder, policy);
}
