// A .byre file, mapped or in memory, checked before anything uses it.
#ifndef FERRULE_FORMAT_PROGRAM_FILE_H
#define FERRULE_FORMAT_PROGRAM_FILE_H

#include "runtime/base/status.h"
#include "runtime/format/container.h"
#include "runtime/format/program_generated.h"

#include <memory>
#include <string>

namespace ferrule::runtime {

class ProgramFile {
public:
  struct Options {
    /// Also compare the checksums of weights, which reads all of them.
    bool verifyWeights = false;
    /// Memory only: keep using the caller's bytes, which then must be aligned
    /// to 64 bytes and outlive the program.
    bool borrow = false;
  };

  static Status openFile(const std::string &path, const Options &options,
                         std::shared_ptr<const ProgramFile> &result);
  static Status openMemory(const void *data, uint64_t size,
                           const Options &options,
                           std::shared_ptr<const ProgramFile> &result);

  ~ProgramFile();
  ProgramFile(const ProgramFile &) = delete;
  ProgramFile &operator=(const ProgramFile &) = delete;

  const format::Program &program() const { return *root; }
  const format::ContainerReader::Section &section(uint32_t index) const {
    return container.sections()[index];
  }
  const char *constantData(const format::Constant &constant) const {
    return section(constant.section()).data + constant.offset();
  }

  const char *data() const { return bytes; }
  uint64_t size() const { return length; }
  /// The open file for mapping images, or -1 when in memory.
  int descriptor() const { return fd; }
  /// "file.byre:12:3 (layer)" for messages; empty when unknown.
  std::string locationText(uint32_t location) const;

private:
  ProgramFile() = default;
  Status check(const Options &options);

  const char *bytes = nullptr;
  uint64_t length = 0;
  int fd = -1;
  enum class Owner { Nobody, Mapping, Heap } owner = Owner::Nobody;
  format::ContainerReader container;
  const format::Program *root = nullptr;
};

/// Checks every index, register, type and extent of a program whose
/// FlatBuffer is already known to be well-formed. What depends on run-time
/// values is left to the executor.
Status verifyProgram(const format::Program &program,
                     const format::ContainerReader &container);

/// The part of verifyProgram for one function.
Status verifyFunction(const format::Program &program, uint32_t function);

} // namespace ferrule::runtime

#endif // FERRULE_FORMAT_PROGRAM_FILE_H
