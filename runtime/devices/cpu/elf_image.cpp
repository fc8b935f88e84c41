#include "runtime/devices/cpu/elf_image.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <sys/mman.h>

using namespace ferrule::runtime;

static constexpr uint64_t kPage = 4096;
static constexpr uint64_t kMaxSpan = uint64_t(1) << 32;

#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR 36
#define DT_RELRENT 37
#endif
#ifndef PT_GNU_PROPERTY
#define PT_GNU_PROPERTY 0x6474e553
#endif

#if defined(__x86_64__)
static constexpr uint16_t kMachine = EM_X86_64;
static constexpr uint32_t kRelative = R_X86_64_RELATIVE;
#else
static constexpr uint16_t kMachine = EM_AARCH64;
static constexpr uint32_t kRelative = R_AARCH64_RELATIVE;
#endif

static uint64_t pageDown(uint64_t value) { return value / kPage * kPage; }
static uint64_t pageUp(uint64_t value) { return pageDown(value + kPage - 1); }
static Status bad(const std::string &message) {
  return badFile("damaged image: " + message);
}

ElfImage::~ElfImage() {
  if (mapping)
    ::munmap(mapping, mappingSize);
}

Status ElfImage::map(const char *data, uint64_t size, int descriptor,
                     uint64_t fileOffset) {
  file = data;
  fileSize = size;
  FERRULE_RETURN_IF_ERROR(readHeaders());
  FERRULE_RETURN_IF_ERROR(mapSegments(descriptor, fileOffset));
  FERRULE_RETURN_IF_ERROR(readDynamic());
  return protect();
}

void *ElfImage::code(uint64_t address) const {
  for (const Segment &segment : segments)
    if ((segment.flags & PF_X) && address >= segment.address &&
        address - segment.address < segment.fileSize)
      return base + address;
  return nullptr;
}

Status ElfImage::readHeaders() {
  Elf64_Ehdr header;
  if (fileSize < sizeof(header))
    return bad("smaller than an ELF header");
  std::memcpy(&header, file, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN)
    return bad("not a 64-bit shared ELF object");
  if (header.e_machine != kMachine)
    return unsupported("the image is for machine number " +
                       std::to_string(header.e_machine) + ", this one is " +
                       std::to_string(kMachine));
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > fileSize ||
      header.e_phnum * sizeof(Elf64_Phdr) > fileSize - header.e_phoff)
    return bad("program headers exceed the image");

  uint64_t end = 0;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr program;
    std::memcpy(&program, file + header.e_phoff + i * sizeof(program),
                sizeof(program));
    Segment segment = {program.p_vaddr, program.p_memsz, program.p_offset,
                       program.p_filesz, program.p_flags};
    if (segment.address > kMaxSpan || segment.memorySize > kMaxSpan)
      return bad("a segment is too large");
    switch (program.p_type) {
    case PT_LOAD:
      if (segment.fileSize > segment.memorySize ||
          segment.fileOffset > fileSize ||
          segment.fileSize > fileSize - segment.fileOffset)
        return bad("a segment exceeds the image");
      if ((segment.flags & PF_W) && (segment.flags & PF_X))
        return bad("a segment is both writable and executable");
      if (segment.memorySize == 0)
        break;
      if (pageDown(segment.address) < end)
        return bad("segments overlap or are out of order");
      end = pageUp(segment.address + segment.memorySize);
      segments.push_back(segment);
      break;
    case PT_DYNAMIC:
      dynamic = segment;
      break;
    case PT_GNU_RELRO:
      relro = segment;
      break;
    case PT_NULL:
    case PT_PHDR:
    case PT_NOTE:
    case PT_GNU_STACK:
    case PT_GNU_EH_FRAME:
    case PT_GNU_PROPERTY:
      break;
    default:
      return bad("segment type " + std::to_string(program.p_type) +
                 " is not allowed");
    }
  }
  if (segments.empty())
    return bad("nothing to load");
  low = pageDown(segments.front().address);
  mappingSize = end - low;
  return {};
}

Status ElfImage::mapSegments(int descriptor, uint64_t fileOffset) {
  void *memory = ::mmap(nullptr, mappingSize, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return {Code::OutOfMemory,
            std::string("cannot map an image: ") + std::strerror(errno)};
  mapping = static_cast<char *>(memory);
  base = mapping - low;
  for (const Segment &segment : segments)
    FERRULE_RETURN_IF_ERROR(mapSegment(segment, descriptor, fileOffset));
  return {};
}

Status ElfImage::mapSegment(const Segment &segment, int descriptor,
                            uint64_t fileOffset) {
  uint64_t start = pageDown(segment.address);
  uint64_t lead = segment.address - start;
  uint64_t fileEnd = segment.address + segment.fileSize;
  uint64_t end = pageUp(segment.address + segment.memorySize);
  auto failure = [] {
    return Status(Code::OutOfMemory,
                  std::string("cannot map an image: ") + std::strerror(errno));
  };
  int protection = segment.flags & PF_X ? PROT_READ : PROT_READ | PROT_WRITE;
  uint64_t position = fileOffset + segment.fileOffset;
  bool fromFile = descriptor >= 0 && segment.fileSize != 0 &&
                  position % kPage == lead && segment.fileOffset >= lead;
  uint64_t mapped = start;
  if (fromFile) {
    mapped = pageUp(fileEnd);
    if (::mmap(base + start, mapped - start, protection,
               MAP_PRIVATE | MAP_FIXED, descriptor,
               static_cast<off_t>(position - lead)) == MAP_FAILED)
      return failure();
    // The rest of the last page is zero by the ELF rules; only data that is
    // written to can have read it as such.
    if (segment.memorySize > segment.fileSize && (protection & PROT_WRITE))
      std::memset(base + fileEnd, 0, mapped - fileEnd);
  }
  if (mapped < end &&
      ::mmap(base + mapped, end - mapped, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return failure();
  if (!fromFile)
    std::memcpy(base + segment.address, file + segment.fileOffset,
                segment.fileSize);
  return {};
}

bool ElfImage::inImage(uint64_t address, uint64_t size, bool writable) const {
  for (const Segment &segment : segments)
    if (address >= segment.address &&
        address - segment.address <= segment.memorySize &&
        size <= segment.memorySize - (address - segment.address))
      return !writable || !(segment.flags & PF_X);
  return false;
}

Status ElfImage::readDynamic() {
  if (dynamic.memorySize == 0)
    return {};
  if (!inImage(dynamic.address, dynamic.memorySize, false))
    return bad("the dynamic section exceeds the image");
  uint64_t rela = 0, relaSize = 0, relr = 0, relrSize = 0;
  for (uint64_t i = 0; i < dynamic.memorySize / sizeof(Elf64_Dyn); ++i) {
    Elf64_Dyn entry;
    std::memcpy(&entry, base + dynamic.address + i * sizeof(entry),
                sizeof(entry));
    uint64_t value = entry.d_un.d_val;
    switch (entry.d_tag) {
    case DT_NULL:
      i = dynamic.memorySize;
      break;
    case DT_NEEDED:
      return bad("it needs another library");
    case DT_TEXTREL:
    case DT_INIT:
    case DT_FINI:
    case DT_INIT_ARRAY:
    case DT_FINI_ARRAY:
    case DT_PREINIT_ARRAY:
    case DT_REL:
      return bad("dynamic entry " + std::to_string(entry.d_tag) +
                 " is not allowed");
    case DT_PLTRELSZ:
      if (value != 0)
        return bad("it imports functions");
      break;
    case DT_RELA:
      rela = value;
      break;
    case DT_RELASZ:
      relaSize = value;
      break;
    case DT_RELR:
      relr = value;
      break;
    case DT_RELRSZ:
      relrSize = value;
      break;
    default:
      break;
    }
  }
  if (relaSize != 0)
    FERRULE_RETURN_IF_ERROR(relocate(rela, relaSize));
  if (relrSize != 0)
    FERRULE_RETURN_IF_ERROR(relocateRelative(relr, relrSize));
  return {};
}

Status ElfImage::relocate(uint64_t table, uint64_t size) {
  if (!inImage(table, size, false))
    return bad("the relocation table exceeds the image");
  for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela entry;
    std::memcpy(&entry, base + table + i * sizeof(entry), sizeof(entry));
    if (ELF64_R_TYPE(entry.r_info) != kRelative)
      return bad("relocation type " +
                 std::to_string(ELF64_R_TYPE(entry.r_info)) +
                 " is not allowed, so it refers to something outside");
    if (!inImage(entry.r_offset, 8, true))
      return bad("a relocation exceeds the writable part");
    uint64_t value = reinterpret_cast<uint64_t>(base) + entry.r_addend;
    std::memcpy(base + entry.r_offset, &value, 8);
  }
  return {};
}

// The packed form: an even entry is an address, an odd one a map of which of
// the 63 words after it are relocated too.
Status ElfImage::relocateRelative(uint64_t table, uint64_t size) {
  if (!inImage(table, size, false))
    return bad("the relocation table exceeds the image");
  uint64_t where = 0;
  auto relocateWord = [&](uint64_t address) {
    if (!inImage(address, 8, true))
      return false;
    uint64_t value;
    std::memcpy(&value, base + address, 8);
    value += reinterpret_cast<uint64_t>(base);
    std::memcpy(base + address, &value, 8);
    return true;
  };
  for (uint64_t i = 0; i < size / 8; ++i) {
    uint64_t entry;
    std::memcpy(&entry, base + table + i * 8, 8);
    bool good = true;
    if (entry % 2 == 0) {
      good = relocateWord(entry);
      where = entry + 8;
    } else {
      for (unsigned bit = 0; good && bit < 63; ++bit)
        if (entry >> (bit + 1) & 1)
          good = relocateWord(where + bit * 8);
      where += 63 * 8;
    }
    if (!good)
      return bad("a relocation exceeds the writable part");
  }
  return {};
}

Status ElfImage::protect() {
  for (const Segment &segment : segments) {
    uint64_t start = pageDown(segment.address);
    uint64_t end = pageUp(segment.address + segment.memorySize);
    int protection = PROT_READ | (segment.flags & PF_W ? PROT_WRITE : 0) |
                     (segment.flags & PF_X ? PROT_EXEC : 0);
    // Where the processor does not see by itself that data became code.
    if (segment.flags & PF_X)
      __builtin___clear_cache(base + start, base + end);
    if (::mprotect(base + start, end - start, protection) != 0)
      return unsupported(std::string("the system refuses to run the image: ") +
                         std::strerror(errno));
  }
  if (relro.memorySize == 0 || !inImage(relro.address, 1, true))
    return {};
  uint64_t start = pageDown(relro.address);
  uint64_t end =
      std::min(pageDown(relro.address + relro.memorySize), low + mappingSize);
  if (end > start)
    (void)::mprotect(base + start, end - start, PROT_READ);
  return {};
}
