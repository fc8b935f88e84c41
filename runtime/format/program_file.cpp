#include "runtime/format/program_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::runtime;
using format::SectionKind;

Status ProgramFile::openFile(const std::string &path, const Options &options,
                             std::shared_ptr<const ProgramFile> &result) {
  std::shared_ptr<ProgramFile> file(new ProgramFile);
  file->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file->fd < 0)
    return {errno == ENOENT ? Code::NotFound : Code::InvalidArgument,
            "cannot open '" + path + "': " + std::strerror(errno)};
  struct stat info;
  if (::fstat(file->fd, &info) != 0 || !S_ISREG(info.st_mode))
    return invalidArgument("cannot open '" + path + "': not a regular file");
  file->length = static_cast<uint64_t>(info.st_size);
  if (file->length == 0)
    return badFile(path + ": not a .byre file: it is empty");
  void *mapping =
      ::mmap(nullptr, file->length, PROT_READ, MAP_PRIVATE, file->fd, 0);
  if (mapping == MAP_FAILED)
    return {Code::OutOfMemory,
            "cannot map '" + path + "': " + std::strerror(errno)};
  file->bytes = static_cast<const char *>(mapping);
  file->owner = Owner::Mapping;
  FERRULE_RETURN_IF_ERROR(file->check(options).in(path));
  result = std::move(file);
  return {};
}

Status ProgramFile::openMemory(const void *data, uint64_t size,
                               const Options &options,
                               std::shared_ptr<const ProgramFile> &result) {
  std::shared_ptr<ProgramFile> file(new ProgramFile);
  file->length = size;
  if (!data || size == 0)
    return badFile("not a .byre file: it is empty");
  if (options.borrow) {
    if (reinterpret_cast<uintptr_t>(data) % format::kConstantAlignment != 0)
      return invalidArgument("a program in borrowed memory must be aligned to "
                             "64 bytes");
    file->bytes = static_cast<const char *>(data);
  } else {
    uint64_t capacity = (size + 4095) / 4096 * 4096;
    void *copy = std::aligned_alloc(4096, capacity);
    if (!copy)
      return {Code::OutOfMemory, "no memory for a copy of the program"};
    std::memcpy(copy, data, size);
    file->bytes = static_cast<const char *>(copy);
    file->owner = Owner::Heap;
  }
  FERRULE_RETURN_IF_ERROR(file->check(options));
  result = std::move(file);
  return {};
}

ProgramFile::~ProgramFile() {
  if (owner == Owner::Mapping)
    ::munmap(const_cast<char *>(bytes), length);
  else if (owner == Owner::Heap)
    std::free(const_cast<char *>(bytes));
  if (fd >= 0)
    ::close(fd);
}

Status ProgramFile::check(const Options &options) {
  std::string error;
  if (!container.open(bytes, length, error))
    return badFile(error);
  const format::ContainerReader::Section *programSection = nullptr;
  for (uint32_t i = 0; i < container.sections().size(); ++i) {
    const auto &section = container.sections()[i];
    if (section.kind == SectionKind::Program) {
      if (programSection)
        return badFile("damaged .byre file: more than one program section");
      programSection = &section;
    }
    bool wanted =
        section.kind == SectionKind::Program ||
        section.kind == SectionKind::Image ||
        (section.kind == SectionKind::Weights && options.verifyWeights);
    if (wanted && !container.verifyChecksum(i, error))
      return badFile(error);
  }
  if (!programSection)
    return badFile("damaged .byre file: no program section");
  if (programSection->size < 8 ||
      programSection->size > FLATBUFFERS_MAX_BUFFER_SIZE)
    return badFile("damaged .byre file: the program section has an "
                   "impossible size");

  // Every table takes four bytes or more, so more tables than this mean that
  // some are reached again and again.
  flatbuffers::Verifier verifier(
      reinterpret_cast<const uint8_t *>(programSection->data),
      programSection->size, /*max_depth=*/64,
      /*max_tables=*/
      static_cast<flatbuffers::uoffset_t>(programSection->size / 4 + 16));
  if (!format::VerifyProgramBuffer(verifier))
    return badFile("damaged .byre file: the program section is malformed");
  root = format::GetProgram(programSection->data);
  return verifyProgram(*root, container);
}

static std::string locationOf(const format::Program &program, uint32_t index,
                              unsigned &budget) {
  const auto *locations = program.locations();
  if (!locations || index >= locations->size() || budget == 0)
    return {};
  --budget;
  const format::Location *location = locations->Get(index);
  std::string text = location->text() ? location->text()->str() : "";
  auto child = [&](uint32_t i) -> std::string {
    const auto *children = location->children();
    if (!children || i >= children->size())
      return {};
    return locationOf(program, children->Get(i), budget);
  };
  switch (location->kind()) {
  case format::LocationKind::FileLineColumn:
    return text + ":" + std::to_string(location->line()) + ":" +
           std::to_string(location->column());
  case format::LocationKind::Name: {
    std::string around = child(0);
    return around.empty() ? text : around + " (" + text + ")";
  }
  case format::LocationKind::Fused:
    for (uint32_t i = 0;
         location->children() && i < location->children()->size(); ++i)
      if (std::string part = child(i); !part.empty())
        return part;
    return {};
  case format::LocationKind::CallSite:
    return child(0);
  default:
    return {};
  }
}

std::string ProgramFile::locationText(uint32_t location) const {
  // A hostile file could make a tree of few nodes and very many paths.
  unsigned budget = 256;
  return locationOf(*root, location, budget);
}
