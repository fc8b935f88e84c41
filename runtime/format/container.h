// The outer layer of a .byre file: a header, a table of sections, and sections
// of bytes with 64-bit offsets. What is in a section is not this file's matter.
#ifndef FERRULE_FORMAT_CONTAINER_H
#define FERRULE_FORMAT_CONTAINER_H

#include "runtime/format/version.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ferrule::format {

/// Values are stored in files and never change their meaning. A reader skips
/// kinds that it does not know.
enum class SectionKind : uint32_t {
  Program = 1, ///< The FlatBuffer of program.fbs; exactly one a file.
  Image = 2,   ///< One position-independent ELF image.
  Weights = 3, ///< Constants, each aligned to 64 bytes.
};

/// Images and weights are mapped, so they start at a page.
inline constexpr uint64_t kPageAlignment = 4096;
inline constexpr uint64_t kConstantAlignment = 64;
inline constexpr char kMagic[8] = {'B', 'Y', 'R', 'E', '\r', '\n', '\x1a', 0};
inline constexpr uint32_t kMaxSections = 4096;

/// At offset 0. Little-endian, as everything in the file.
struct FileHeader {
  char magic[8];
  uint32_t major;
  uint32_t minor;
  uint64_t fileSize;
  uint32_t sectionCount;
  uint32_t reserved;
  uint64_t tableChecksum;  ///< Of the section table.
  uint64_t headerChecksum; ///< Of the fields above.
};
static_assert(sizeof(FileHeader) == 48);

/// The table of these follows the header.
struct SectionEntry {
  uint32_t kind;
  uint32_t reserved;
  uint64_t offset; ///< From the start of the file.
  uint64_t length;
  uint64_t checksum;
};
static_assert(sizeof(SectionEntry) == 32);

/// The checksum of sections: fast, not cryptographic; any change within one
/// 8-byte word is detected. README.md defines it.
class Checksum {
public:
  void update(const void *data, size_t size);
  uint64_t finish();

private:
  void absorb(uint64_t word);
  uint64_t lanes[4] = {0x243f6a8885a308d3, 0x13198a2e03707344,
                       0xa4093822299f31d0, 0x082efa98ec4e6c89};
  uint64_t words = 0;
  uint64_t total = 0;
  unsigned char tail[8];
  unsigned tailSize = 0;
};

uint64_t checksum(const void *data, size_t size);

/// Collects sections and writes the file. Appended data is referenced, not
/// copied, and must live until the file is written; so weights of any size
/// cost no memory.
class ContainerWriter {
public:
  /// Starts a section and returns its index in the section table.
  uint32_t addSection(SectionKind kind);

  /// Appends to a section, after zeros up to the alignment (a power of two, at
  /// most a page). Returns the offset within the section.
  uint64_t append(uint32_t section, const void *data, uint64_t size,
                  uint64_t alignment = kConstantAlignment);

  /// As append, for data that does not outlive the call.
  uint64_t appendCopy(uint32_t section, const void *data, uint64_t size,
                      uint64_t alignment = kConstantAlignment);

  uint64_t sectionSize(uint32_t section) const;

  /// Writes under a temporary name in the same folder, then renames, so that
  /// nobody sees half a file. On failure returns false and says why.
  bool writeToFile(const std::string &path, std::string &error) const;

  std::string writeToMemory() const;

private:
  struct Chunk {
    const char *data;
    uint64_t offset; ///< Within the section.
    uint64_t size;
  };
  struct Section {
    SectionKind kind;
    uint64_t size = 0;
    std::vector<Chunk> chunks;
  };
  template <typename Sink> void emit(Sink sink) const;

  std::vector<Section> sections;
  std::deque<std::string> owned;
};

/// The parsed table of a file in memory. The bytes must outlive it.
class ContainerReader {
public:
  struct Section {
    SectionKind kind;
    const char *data;
    uint64_t size;
    uint64_t offset; ///< From the start of the file.
    uint64_t checksum;
  };

  /// Checks header, versions, table and extents, and nothing inside sections.
  /// On failure returns false and says why.
  bool open(const void *data, uint64_t size, std::string &error);

  const std::vector<Section> &sections() const { return table; }
  uint32_t major() const { return header.major; }
  uint32_t minor() const { return header.minor; }

  /// Reads the whole section and compares.
  bool verifyChecksum(uint32_t section, std::string &error) const;

private:
  FileHeader header = {};
  std::vector<Section> table;
};

} // namespace ferrule::format

#endif // FERRULE_FORMAT_CONTAINER_H
