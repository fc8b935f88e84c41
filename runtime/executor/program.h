// A loaded program: the checked file, its functions decoded for the register
// machine, and its kernels loaded on their devices. Immutable and shared.
#ifndef FERRULE_EXECUTOR_PROGRAM_H
#define FERRULE_EXECUTOR_PROGRAM_H

#include "runtime/executor/device.h"
#include "runtime/format/dim_expression.h"
#include "runtime/format/element_type.h"
#include "runtime/format/program_file.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ferrule::runtime {

/// One decoded instruction. What the fields hold depends on the operation;
/// `pool` means an index in DecodedFunction::pool. Instructions that are rare
/// keep a pointer to their table in the file instead.
///   Dispatch      a kernel, b workgroups, c pool: buffers then scalars,
///                 d device, table
///   CallProvider, CallFunction, Assert      table
///   Alloc         a result, b place, c pool: sizes, imm offset
///   Free          a buffer
///   View          a result, b source, c pool: sizes, d offset register or
///                 kNone, imm offset
///   Dim           a result, b buffer, c dim
///   Load, Store   a scalar, b buffer, c pool: indices
///   Copy          a target, b source
///   Fill          a buffer, b value
///   LoadConstant  a result, b constant
///   Compute       opcode, a b c operands, d result
///   Branch        a target, b pool: moves
///   CondBranch    a condition, b c targets, d pool: moves, imm pool: moves
///   Return        a pool: buffers then scalars
/// Moves are: number of buffer pairs, (target, source)..., number of scalar
/// pairs, (target, source)... Targets are indices in DecodedFunction::code.
struct Step {
  format::Operation operation;
  format::Opcode opcode;
  uint32_t location;
  uint32_t a, b, c, d;
  int64_t imm;
  const void *table;
};

inline constexpr uint32_t kNone = ~0u;

struct DecodedFunction {
  const format::Function *source;
  std::string name;
  std::vector<Step> code;
  std::vector<uint32_t> pool;
  std::vector<RegisterType> buffers;
  uint32_t sizePool = 0;       ///< Sizes of all buffer registers together.
  uint32_t mostArguments = 0;  ///< Of one dispatch, buffers or scalars.
  uint64_t staticArena = 0;    ///< Own, rounded up.
  uint64_t arenaWithCalls = 0; ///< Own and that of the deepest chain of calls.
  /// Dim expressions of inputs then outputs, one vector a value.
  std::vector<std::vector<std::optional<format::DimExpression>>> dims;

  uint32_t inputCount() const {
    return source->inputs() ? source->inputs()->size() : 0;
  }
  uint32_t outputCount() const {
    return source->outputs() ? source->outputs()->size() : 0;
  }
};

class Program {
public:
  static Status load(std::shared_ptr<const ProgramFile> file,
                     std::shared_ptr<const Program> &result);

  const ProgramFile &file() const { return *programFile; }
  std::shared_ptr<const ProgramFile> sharedFile() const { return programFile; }
  const format::Program &source() const { return programFile->program(); }
  const std::vector<DecodedFunction> &functions() const { return decoded; }
  const std::vector<std::string> &symbols() const { return symbolNames; }
  DeviceProgram &device(uint32_t index) const { return *devices[index]; }
  /// Where a device of the program wants buffers to be; null: anywhere.
  const Allocator *deviceMemory() const { return memory; }

  /// The exported function of that name, or null. An empty name means "main",
  /// or the only exported function there is.
  const DecodedFunction *find(std::string_view name) const;

private:
  void decode(uint32_t function);
  void planArenas();

  std::shared_ptr<const ProgramFile> programFile;
  std::vector<std::string> symbolNames;
  std::vector<DecodedFunction> decoded;
  std::vector<std::unique_ptr<DeviceProgram>> devices;
  const Allocator *memory = nullptr;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_PROGRAM_H
