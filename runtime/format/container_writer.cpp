#include "runtime/format/container.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace ferrule::format;

static uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

uint32_t ContainerWriter::addSection(SectionKind kind) {
  sections.push_back({kind, 0, {}});
  return static_cast<uint32_t>(sections.size() - 1);
}

uint64_t ContainerWriter::append(uint32_t section, const void *data,
                                 uint64_t size, uint64_t alignment) {
  Section &target = sections[section];
  uint64_t offset = alignTo(target.size, alignment);
  target.chunks.push_back({static_cast<const char *>(data), offset, size});
  target.size = offset + size;
  return offset;
}

uint64_t ContainerWriter::appendCopy(uint32_t section, const void *data,
                                     uint64_t size, uint64_t alignment) {
  owned.emplace_back(static_cast<const char *>(data), size);
  return append(section, owned.back().data(), size, alignment);
}

uint64_t ContainerWriter::sectionSize(uint32_t section) const {
  return sections[section].size;
}

// Hands the file to sink(data, size) from front to back.
template <typename Sink> void ContainerWriter::emit(Sink sink) const {
  static const char zeros[kPageAlignment] = {};
  auto padTo = [&](uint64_t &position, uint64_t target, auto &&out) {
    for (; position < target;) {
      uint64_t step = std::min<uint64_t>(target - position, sizeof(zeros));
      out(zeros, step);
      position += step;
    }
  };
  auto emitSection = [&](const Section &section, auto &&out) {
    uint64_t position = 0;
    for (const Chunk &chunk : section.chunks) {
      padTo(position, chunk.offset, out);
      out(chunk.data, chunk.size);
      position += chunk.size;
    }
  };

  std::vector<SectionEntry> table;
  uint64_t end = sizeof(FileHeader) + sections.size() * sizeof(SectionEntry);
  for (const Section &section : sections) {
    Checksum sum;
    emitSection(section, [&](const char *data, uint64_t size) {
      sum.update(data, size);
    });
    uint64_t alignment = section.kind == SectionKind::Program
                             ? kConstantAlignment
                             : kPageAlignment;
    uint64_t offset = alignTo(end, alignment);
    table.push_back({static_cast<uint32_t>(section.kind), 0, offset,
                     section.size, sum.finish()});
    end = offset + section.size;
  }

  FileHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.major = kMajorVersion;
  header.minor = kMinorVersion;
  header.fileSize = end;
  header.sectionCount = static_cast<uint32_t>(sections.size());
  header.tableChecksum =
      checksum(table.data(), table.size() * sizeof(SectionEntry));
  header.headerChecksum =
      checksum(&header, offsetof(FileHeader, headerChecksum));

  sink(reinterpret_cast<const char *>(&header), sizeof(header));
  sink(reinterpret_cast<const char *>(table.data()),
       table.size() * sizeof(SectionEntry));
  uint64_t position = sizeof(FileHeader) + table.size() * sizeof(SectionEntry);
  for (size_t i = 0; i < sections.size(); ++i) {
    padTo(position, table[i].offset, sink);
    emitSection(sections[i], sink);
    position += sections[i].size;
  }
}

std::string ContainerWriter::writeToMemory() const {
  std::string file;
  emit([&](const char *data, uint64_t size) { file.append(data, size); });
  return file;
}

bool ContainerWriter::writeToFile(const std::string &path,
                                  std::string &error) const {
  // A device or a pipe is written as it is: renaming would replace it.
  struct stat status;
  bool inPlace = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
                 !S_ISDIR(status.st_mode);
  std::string temporary =
      inPlace ? path : path + ".tmp" + std::to_string(getpid());
  FILE *file = std::fopen(temporary.c_str(), "wb");
  if (!file) {
    error = "cannot write '" + temporary + "': " + std::strerror(errno);
    return false;
  }
  bool good = true;
  emit([&](const char *data, uint64_t size) {
    good = good && std::fwrite(data, 1, size, file) == size;
  });
  good = std::fflush(file) == 0 && good;
  int cause = errno;
  good = std::fclose(file) == 0 && good;
  if (good &&
      (inPlace || std::rename(temporary.c_str(), path.c_str()) == 0))
    return true;
  if (good)
    cause = errno;
  error = "cannot write '" + path + "': " + std::strerror(cause);
  if (!inPlace)
    std::remove(temporary.c_str());
  return false;
}
