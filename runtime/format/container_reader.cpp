#include "runtime/format/container.h"

#include <cstring>

using namespace ferrule::format;

static bool fail(std::string &error, std::string message) {
  error = std::move(message);
  return false;
}

bool ContainerReader::open(const void *data, uint64_t size,
                           std::string &error) {
  table.clear();
  auto *bytes = static_cast<const char *>(data);
  if (size < sizeof(FileHeader))
    return fail(error, "not a .byre file: " + std::to_string(size) +
                           " bytes are less than its header");
  std::memcpy(&header, bytes, sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    return fail(error, "not a .byre file: wrong identifier");
  if (header.headerChecksum !=
      checksum(&header, offsetof(FileHeader, headerChecksum)))
    return fail(error, "damaged .byre file: header checksum differs");
  if (header.major != kMajorVersion)
    return fail(error, "the file has format version " +
                           std::to_string(header.major) + "." +
                           std::to_string(header.minor) +
                           ", this runtime reads version " +
                           std::to_string(kMajorVersion));
  if (header.fileSize != size)
    return fail(error, "damaged .byre file: " + std::to_string(size) +
                           " bytes found, " + std::to_string(header.fileSize) +
                           " expected");
  if (header.sectionCount > kMaxSections ||
      header.sectionCount * sizeof(SectionEntry) > size - sizeof(FileHeader))
    return fail(error, "damaged .byre file: section table exceeds the file");

  const char *entries = bytes + sizeof(FileHeader);
  uint64_t tableSize = header.sectionCount * sizeof(SectionEntry);
  if (header.tableChecksum != checksum(entries, tableSize))
    return fail(error, "damaged .byre file: section table checksum differs");
  for (uint32_t i = 0; i < header.sectionCount; ++i) {
    SectionEntry entry;
    std::memcpy(&entry, entries + i * sizeof(entry), sizeof(entry));
    if (entry.offset > size || entry.length > size - entry.offset)
      return fail(error, "damaged .byre file: section " + std::to_string(i) +
                             " exceeds the file");
    auto kind = static_cast<SectionKind>(entry.kind);
    bool mapped = kind == SectionKind::Image || kind == SectionKind::Weights;
    uint64_t alignment = mapped ? kPageAlignment : kConstantAlignment;
    if (entry.offset % alignment != 0)
      return fail(error, "damaged .byre file: section " + std::to_string(i) +
                             " is not aligned");
    table.push_back({kind, bytes + entry.offset, entry.length, entry.offset,
                     entry.checksum});
  }
  return true;
}

bool ContainerReader::verifyChecksum(uint32_t section,
                                     std::string &error) const {
  const Section &entry = table[section];
  if (checksum(entry.data, entry.size) == entry.checksum)
    return true;
  return fail(error, "damaged .byre file: checksum of section " +
                         std::to_string(section) + " differs");
}
