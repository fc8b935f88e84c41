// Maps the machine code of a program without the dynamic linker: the image is
// one position-independent ELF object that needs nothing from outside.
#ifndef FERRULE_DEVICES_CPU_ELF_IMAGE_H
#define FERRULE_DEVICES_CPU_ELF_IMAGE_H

#include "runtime/base/status.h"

#include <cstdint>
#include <vector>

namespace ferrule::runtime {

class ElfImage {
public:
  /// Checks and maps. Pages come straight from the file when `descriptor` is
  /// one and segments start at pages there; else they are copied.
  Status map(const char *data, uint64_t size, int descriptor,
             uint64_t fileOffset);

  ElfImage() = default;
  ElfImage(const ElfImage &) = delete;
  ElfImage &operator=(const ElfImage &) = delete;
  ~ElfImage();

  /// The code at this address of the image, or null when it is not code.
  void *code(uint64_t address) const;

private:
  struct Segment {
    uint64_t address, memorySize, fileOffset, fileSize;
    uint32_t flags;
  };

  Status readHeaders();
  Status mapSegments(int descriptor, uint64_t fileOffset);
  Status mapSegment(const Segment &segment, int descriptor,
                    uint64_t fileOffset);
  Status readDynamic();
  Status relocate(uint64_t table, uint64_t size);
  Status relocateRelative(uint64_t table, uint64_t size);
  Status protect();
  bool inImage(uint64_t address, uint64_t size, bool writable) const;

  const char *file = nullptr;
  uint64_t fileSize = 0;
  std::vector<Segment> segments;
  Segment dynamic = {}, relro = {};
  char *base = nullptr; ///< Of address 0, though that may not be mapped.
  char *mapping = nullptr;
  uint64_t low = 0, mappingSize = 0;
};

} // namespace ferrule::runtime

#endif // FERRULE_DEVICES_CPU_ELF_IMAGE_H
