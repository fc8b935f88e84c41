#include "runtime/devices/reference/machine.h"

#include "runtime/devices/reference/arithmetic.h"
#include "runtime/devices/reference/small_float.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format::reference;
using format::ElementType;
using format::isFloat;
using namespace ferrule::runtime::reference;

static constexpr uint32_t kMostRegisters = 1u << 24;
static constexpr uint64_t kMostBytes = uint64_t(1) << 40;

static const char *operandsOf(Op op) {
  static constexpr const char *kOperands[] = {
#define FERRULE_REFERENCE_OP(name, operands) operands,
      FERRULE_REFERENCE_OPS(FERRULE_REFERENCE_OP)
#undef FERRULE_REFERENCE_OP
  };
  return kOperands[static_cast<int>(op)];
}

static Status damaged(const std::string &what) {
  return badFile("damaged byte code: " + what);
}

static Status checkInstruction(const Instruction &in, uint32_t registers,
                               uint32_t count) {
  if (in.op >= Op::Count)
    return damaged("unknown operation " +
                   std::to_string(static_cast<int>(in.op)));
  if (in.type > static_cast<uint8_t>(ElementType::MAX) ||
      in.other > static_cast<uint8_t>(ElementType::MAX))
    return damaged("unknown element type");
  const uint32_t operands[] = {in.result, in.a, in.b, in.c};
  const char *kinds = operandsOf(in.op);
  for (unsigned i = 0; i < 4; ++i) {
    if ((kinds[i] == 'r' || kinds[i] == 's') && operands[i] >= registers)
      return damaged("register " + std::to_string(operands[i]) +
                     " does not exist");
    if (kinds[i] == 'h' && operands[i] >= count)
      return damaged("a jump to instruction " + std::to_string(operands[i]) +
                     " of " + std::to_string(count));
  }
  bool touchesMemory =
      in.op == Op::Load || in.op == Op::Store || in.op == Op::Alloc;
  if (touchesMemory &&
      (format::bitWidth(static_cast<ElementType>(in.type)) == 0 ||
       format::bitWidth(static_cast<ElementType>(in.type)) > 64))
    return damaged("an element type that has no register");
  return {};
}

Status reference::readCode(std::span<const char> image, uint64_t offset,
                           uint32_t buffers, uint32_t scalars,
                           KernelCode &code) {
  KernelHeader header;
  if (offset > image.size() || image.size() - offset < sizeof header)
    return damaged("a kernel starts outside the image");
  std::memcpy(&header, image.data() + offset, sizeof header);
  uint64_t rest = image.size() - offset - sizeof header;
  if (header.registers > kMostRegisters || header.instructions == 0 ||
      header.instructions > rest / sizeof(Instruction))
    return damaged("a kernel exceeds the image");
  code.registers = header.registers;
  code.instructions.resize(header.instructions);
  std::memcpy(code.instructions.data(), image.data() + offset + sizeof header,
              header.instructions * sizeof(Instruction));
  for (const Instruction &in : code.instructions) {
    FERRULE_RETURN_IF_ERROR(
        checkInstruction(in, header.registers, header.instructions));
    if ((in.op == Op::BufferSize && in.a >= buffers) ||
        (in.op == Op::Scalar && in.a >= scalars))
      return damaged("an argument that does not exist");
  }
  Op last = code.instructions.back().op;
  if (last != Op::Return && last != Op::Jump)
    return damaged("a kernel without an end");
  return {};
}

namespace {

struct Memory {
  char *data;
  uint64_t bytes;
};

class Machine {
public:
  Machine(const KernelCode &code, const FerruleKernelArguments &arguments,
          const LaunchContext &context)
      : code(code), arguments(arguments), context(context),
        registers(code.registers) {
    for (uint32_t i = 0; i < arguments.bufferCount; ++i) {
      const RegisterType &type = context.bufferType(i);
      // The executor has made sure that this is no overflow.
      uint64_t elements = 1;
      for (uint32_t d = 0; d < type.rank; ++d)
        elements *= static_cast<uint64_t>(arguments.buffers[i].sizes[d]);
      memory.push_back({static_cast<char *>(arguments.buffers[i].data),
                        (elements * type.bits + 7) / 8});
    }
  }
  ~Machine() {
    for (size_t i = arguments.bufferCount; i < memory.size(); ++i)
      std::free(memory[i].data);
  }

  Status run(int32_t &assertion);

private:
  Status load(const Instruction &in);
  Status store(const Instruction &in);
  Status alloc(const Instruction &in);
  Status free(const Instruction &in);
  /// Checks an access and gives the memory.
  Status access(const Instruction &in, const char *what, char *&data,
                int64_t &index);

  const KernelCode &code;
  const FerruleKernelArguments &arguments;
  const LaunchContext &context;
  std::vector<int64_t> registers;
  std::vector<Memory> memory;
};

Status Machine::access(const Instruction &in, const char *what, char *&data,
                       int64_t &index) {
  auto handle = static_cast<uint64_t>(registers[in.a]);
  index = registers[in.b];
  if (handle >= memory.size())
    return damaged("memory that does not exist");
  unsigned bits = format::bitWidth(static_cast<ElementType>(in.type));
  uint64_t elements = memory[handle].bytes * 8 / bits;
  if (index < 0 || static_cast<uint64_t>(index) >= elements)
    return failed("a kernel " + std::string(what) + " element " +
                  std::to_string(index) + " of " + std::to_string(elements));
  data = memory[handle].data;
  return {};
}

Status Machine::load(const Instruction &in) {
  char *data;
  int64_t index;
  FERRULE_RETURN_IF_ERROR(access(in, "reads", data, index));
  auto type = static_cast<ElementType>(in.type);
  unsigned bits = format::bitWidth(type);
  uint64_t raw = 0;
  if (bits < 8) {
    // Packed, the first element in the low bits.
    unsigned place = static_cast<unsigned>(index % (8 / bits)) * bits;
    raw = static_cast<unsigned char>(data[index / (8 / bits)]) >> place;
    raw &= (1u << bits) - 1;
  } else {
    std::memcpy(&raw, data + index * (bits / 8), bits / 8);
  }
  registers[in.result] = isFloat(type)
                             ? std::bit_cast<int64_t>(decodeFloat(type, raw))
                             : wrap(type, static_cast<int64_t>(raw));
  return {};
}

Status Machine::store(const Instruction &in) {
  char *data;
  int64_t index;
  FERRULE_RETURN_IF_ERROR(access(in, "writes", data, index));
  auto type = static_cast<ElementType>(in.type);
  unsigned bits = format::bitWidth(type);
  int64_t value = registers[in.result];
  uint64_t raw = isFloat(type) ? encodeFloat(type, std::bit_cast<double>(value))
                               : static_cast<uint64_t>(value);
  if (type == ElementType::I1)
    raw &= 1;
  if (bits < 8) {
    unsigned place = static_cast<unsigned>(index % (8 / bits)) * bits;
    unsigned mask = ((1u << bits) - 1) << place;
    char &byte = data[index / (8 / bits)];
    byte = static_cast<char>((static_cast<unsigned char>(byte) & ~mask) |
                             (static_cast<unsigned>(raw) << place & mask));
  } else {
    std::memcpy(data + index * (bits / 8), &raw, bits / 8);
  }
  return {};
}

Status Machine::alloc(const Instruction &in) {
  int64_t elements = registers[in.a];
  uint64_t bits = format::bitWidth(static_cast<ElementType>(in.type));
  if (elements < 0 || static_cast<uint64_t>(elements) > kMostBytes)
    return failed("a kernel allocates " + std::to_string(elements) +
                  " elements");
  uint64_t bytes = (static_cast<uint64_t>(elements) * bits + 7) / 8;
  // A temporary that a loop allocates again takes the place of a freed one.
  size_t handle = arguments.bufferCount;
  while (handle < memory.size() && memory[handle].data)
    ++handle;
  if (handle == memory.size())
    memory.push_back({});
  auto *data = static_cast<char *>(std::calloc(bytes + 1, 1));
  if (!data)
    return {Code::OutOfMemory,
            "no memory for a temporary of " + std::to_string(bytes) + " bytes"};
  memory[handle] = {data, bytes};
  registers[in.result] = static_cast<int64_t>(handle);
  return {};
}

Status Machine::free(const Instruction &in) {
  auto handle = static_cast<uint64_t>(registers[in.a]);
  if (handle < arguments.bufferCount || handle >= memory.size())
    return damaged("memory that cannot be freed");
  std::free(memory[handle].data);
  memory[handle] = {};
  return {};
}

Status Machine::run(int32_t &assertion) {
  const Instruction *first = code.instructions.data();
  for (const Instruction *next = first;;) {
    const Instruction &in = *next++;
    switch (in.op) {
    case Op::Const:
      registers[in.result] = static_cast<int64_t>(uint64_t(in.b) << 32 | in.a);
      break;
    case Op::BufferSize:
      if (in.b >= context.bufferType(in.a).rank)
        return damaged("a dim that does not exist");
      registers[in.result] = arguments.buffers[in.a].sizes[in.b];
      break;
    case Op::Scalar: {
      int64_t slot = arguments.scalars[in.a];
      auto type = static_cast<ElementType>(in.type);
      registers[in.result] =
          isFloat(type) ? std::bit_cast<int64_t>(
                              decodeFloat(type, static_cast<uint64_t>(slot)))
                        : wrap(type, slot);
      break;
    }
    case Op::Load:
      FERRULE_RETURN_IF_ERROR(load(in));
      break;
    case Op::Store:
      FERRULE_RETURN_IF_ERROR(store(in));
      break;
    case Op::Alloc:
      FERRULE_RETURN_IF_ERROR(alloc(in));
      break;
    case Op::Free:
      FERRULE_RETURN_IF_ERROR(free(in));
      break;
    case Op::Jump:
      next = first + in.result;
      break;
    case Op::JumpIf:
      if (registers[in.a] & 1)
        next = first + in.result;
      break;
    case Op::Assert:
      if ((registers[in.a] & 1) == 0) {
        assertion = static_cast<int32_t>(in.result);
        return {};
      }
      break;
    case Op::Return:
      return {};
    default:
      // Numbers among the operands may exceed the registers.
      registers[in.result] = evaluate(
          in, registers[in.a], in.b < registers.size() ? registers[in.b] : 0,
          in.c < registers.size() ? registers[in.c] : 0);
    }
  }
}

} // namespace

Status reference::runCode(const KernelCode &code,
                          const FerruleKernelArguments &arguments,
                          const LaunchContext &context, int32_t &assertion) {
  return Machine(code, arguments, context).run(assertion);
}
