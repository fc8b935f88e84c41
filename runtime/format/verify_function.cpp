#include "runtime/format/compute_rules.h"
#include "runtime/format/dim_expression.h"
#include "runtime/format/element_type.h"
#include "runtime/format/program_file.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format;

namespace {

constexpr uint32_t kMaxRank = 64;
constexpr uint32_t kMaxRegisters = 1 << 20;
constexpr uint64_t kMaxArena = uint64_t(1) << 46;

using Registers = const flatbuffers::Vector<uint32_t> *;

class FunctionVerifier {
public:
  FunctionVerifier(const Program &program, const Function &function)
      : program(program), function(function) {
    if (program.symbols())
      for (const Symbol *symbol : *program.symbols())
        symbols.push_back(symbol->name()->str());
  }

  Status verify();

private:
  template <typename Vector> static uint32_t sizeOf(const Vector *vector) {
    return vector ? vector->size() : 0;
  }
  Status bad(const std::string &message) const {
    return badFile("damaged program: function '" + function.name()->str() +
                   "': " + where + message);
  }

  Status registers();
  Status values();
  Status value(const Value &value, bool output);
  Status block(uint32_t index);
  Status instruction(const Instruction &instruction);

  Status check(const Dispatch &op);
  Status check(const CallProvider &op);
  Status check(const CallFunction &op);
  Status check(const Alloc &op);
  Status check(const View &op);
  Status check(const Dim &op);
  Status check(const LoadConstant &op);
  Status check(const Compute &op);
  Status check(const Branch &op);
  Status check(const Return &op);
  Status element(uint32_t buffer, uint32_t scalar, Registers indices);

  // Register checks. A list may be absent, which is the empty list.
  Status buffer(uint32_t number) const {
    if (number < sizeOf(function.buffer_registers()))
      return {};
    return bad("buffer register " + std::to_string(number) + " does not exist");
  }
  Status scalar(uint32_t number) const {
    if (number < sizeOf(function.scalar_registers()))
      return {};
    return bad("scalar register " + std::to_string(number) + " does not exist");
  }
  Status scalar(uint32_t number, ScalarType type) const {
    FERRULE_RETURN_IF_ERROR(scalar(number));
    if (scalarType(number) == type)
      return {};
    return bad("scalar register " + std::to_string(number) + " is " +
               EnumNameScalarType(scalarType(number)) + ", expected " +
               EnumNameScalarType(type));
  }
  Status buffers(Registers list) const {
    for (uint32_t i = 0; i < sizeOf(list); ++i)
      FERRULE_RETURN_IF_ERROR(buffer(list->Get(i)));
    return {};
  }
  Status scalars(Registers list) const {
    for (uint32_t i = 0; i < sizeOf(list); ++i)
      FERRULE_RETURN_IF_ERROR(scalar(list->Get(i)));
    return {};
  }
  Status integers(Registers list) const {
    for (uint32_t i = 0; i < sizeOf(list); ++i)
      FERRULE_RETURN_IF_ERROR(scalar(list->Get(i), ScalarType::I64));
    return {};
  }
  Status count(const char *what, uint32_t found, uint32_t expected) const {
    if (found == expected)
      return {};
    return bad(std::to_string(found) + " " + what + ", expected " +
               std::to_string(expected));
  }

  ScalarType scalarType(uint32_t number) const {
    return static_cast<ScalarType>(function.scalar_registers()->Get(number));
  }
  const BufferType &type(uint32_t number) const {
    return *function.buffer_registers()->Get(number);
  }
  /// One size register for each dynamic dim of the result.
  Status sizes(uint32_t result, Registers list) const {
    FERRULE_RETURN_IF_ERROR(integers(list));
    auto dims = dimsOf(type(result).dims());
    return count(
        "sizes", sizeOf(list),
        static_cast<uint32_t>(std::count(dims.begin(), dims.end(), -1)));
  }
  /// Whether a buffer of one type may be used where the other is expected, as
  /// far as types tell; dynamic sizes are compared when the program runs.
  Status compatible(ElementType found, std::span<const int64_t> foundDims,
                    ElementType expected,
                    std::span<const int64_t> expectedDims) const {
    bool same = signless(found) == signless(expected) &&
                foundDims.size() == expectedDims.size();
    for (size_t i = 0; same && i < foundDims.size(); ++i)
      same = foundDims[i] == expectedDims[i] || foundDims[i] < 0 ||
             expectedDims[i] < 0;
    if (same)
      return {};
    return bad("buffer of type " + typeText(found, foundDims) + ", expected " +
               typeText(expected, expectedDims));
  }
  Status compatible(uint32_t found, uint32_t expected) const {
    return compatible(type(found).element_type(), dimsOf(type(found).dims()),
                      type(expected).element_type(),
                      dimsOf(type(expected).dims()));
  }
  Status compatible(uint32_t found, const Value &expected) const {
    return compatible(type(found).element_type(), dimsOf(type(found).dims()),
                      expected.element_type(), dimsOf(expected.dims()));
  }

  const Program &program;
  const Function &function;
  std::vector<std::string> symbols;
  std::string where; ///< "block 1, instruction 4: " while in one.
};

Status FunctionVerifier::verify() {
  FERRULE_RETURN_IF_ERROR(registers());
  FERRULE_RETURN_IF_ERROR(values());
  if (function.static_arena() > kMaxArena)
    return bad("the static arena has an impossible size");
  if (function.blocks()->size() == 0)
    return bad("no blocks");
  const Block &entry = *function.blocks()->Get(0);
  FERRULE_RETURN_IF_ERROR(count("entry arguments",
                                sizeOf(entry.buffer_arguments()),
                                sizeOf(function.inputs())));
  if (function.exported() && (sizeOf(entry.scalar_arguments()) != 0 ||
                              sizeOf(function.scalar_results()) != 0))
    return bad("an exported function has scalar arguments or results");
  // Branches look at the arguments of other blocks, so these come first.
  for (const Block *block : *function.blocks()) {
    FERRULE_RETURN_IF_ERROR(buffers(block->buffer_arguments()));
    FERRULE_RETURN_IF_ERROR(scalars(block->scalar_arguments()));
  }
  for (uint32_t i = 0; i < sizeOf(function.inputs()); ++i)
    FERRULE_RETURN_IF_ERROR(compatible(entry.buffer_arguments()->Get(i),
                                       *function.inputs()->Get(i)));
  for (uint32_t i = 0; i < function.blocks()->size(); ++i)
    FERRULE_RETURN_IF_ERROR(block(i));
  return {};
}

Status FunctionVerifier::registers() {
  // Tables may be shared in the file, so its size does not bound these.
  uint64_t ranks = 0;
  if (sizeOf(function.buffer_registers()) > kMaxRegisters)
    return bad("too many buffer registers");
  for (uint32_t i = 0; i < sizeOf(function.buffer_registers()); ++i) {
    const BufferType &type = *function.buffer_registers()->Get(i);
    if (type.element_type() > ElementType::MAX ||
        type.element_type() == ElementType::None)
      return unsupported("buffer register " + std::to_string(i) +
                         " has an unknown element type");
    auto dims = dimsOf(type.dims());
    if (dims.size() > kMaxRank ||
        std::any_of(dims.begin(), dims.end(), [](int64_t d) { return d < -1; }))
      return bad("buffer register " + std::to_string(i) +
                 " has impossible dims");
    ranks += dims.size();
    if (ranks > 8 * kMaxRegisters)
      return bad("too many dims");
  }
  for (uint32_t i = 0; i < sizeOf(function.scalar_registers()); ++i)
    if (scalarType(i) > ScalarType::MAX)
      return unsupported("scalar register " + std::to_string(i) +
                         " has an unknown type");
  for (uint32_t i = 0; i < sizeOf(function.scalar_constants()); ++i)
    FERRULE_RETURN_IF_ERROR(
        scalar(function.scalar_constants()->Get(i)->scalar()));
  for (uint32_t i = 0; i < sizeOf(function.scalar_results()); ++i)
    if (function.scalar_results()->Get(i) > ScalarType::MAX)
      return unsupported("a scalar result has an unknown type");
  return {};
}

Status FunctionVerifier::values() {
  for (uint32_t i = 0; i < sizeOf(function.inputs()); ++i)
    FERRULE_RETURN_IF_ERROR(value(*function.inputs()->Get(i), false));
  for (uint32_t i = 0; i < sizeOf(function.outputs()); ++i)
    FERRULE_RETURN_IF_ERROR(value(*function.outputs()->Get(i), true));
  return {};
}

Status FunctionVerifier::value(const Value &value, bool output) {
  std::string name = "'" + value.name()->str() + "'";
  if (value.element_type() > ElementType::MAX ||
      value.element_type() == ElementType::None)
    return unsupported(name + " has an unknown element type");
  auto dims = dimsOf(value.dims());
  if (dims.size() > kMaxRank ||
      std::any_of(dims.begin(), dims.end(), [](int64_t d) { return d < -1; }))
    return bad(name + " has impossible dims");
  const auto *expressions = value.dim_expressions();
  if (sizeOf(expressions) != 0 && sizeOf(expressions) != dims.size())
    return bad(name + " has " + std::to_string(sizeOf(expressions)) +
               " dim expressions, expected " + std::to_string(dims.size()));
  for (uint32_t i = 0; i < sizeOf(expressions); ++i) {
    std::string text = expressions->Get(i)->str(), error;
    if (!text.empty() && !DimExpression::parse(text, symbols, error))
      return bad(name + ": " + error);
  }
  if (value.alias_input() < 0)
    return {};
  uint32_t alias = static_cast<uint32_t>(value.alias_input());
  if (!output || alias >= sizeOf(function.inputs()))
    return bad(name + " is an alias of an input that does not exist");
  const Value &input = *function.inputs()->Get(alias);
  return compatible(input.element_type(), dimsOf(input.dims()),
                    value.element_type(), dims);
}

Status FunctionVerifier::block(uint32_t index) {
  const auto &instructions = *function.blocks()->Get(index)->instructions();
  if (instructions.size() == 0)
    return bad("block " + std::to_string(index) + " is empty");
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    where = "block " + std::to_string(index) + ", instruction " +
            std::to_string(i) + ": ";
    const Instruction &current = *instructions.Get(i);
    Operation kind = current.operation_type();
    bool ends = kind == Operation::Branch || kind == Operation::CondBranch ||
                kind == Operation::Return;
    if (ends != (i + 1 == instructions.size()))
      return bad(ends ? "the block goes on after its end"
                      : "the block has no end");
    FERRULE_RETURN_IF_ERROR(instruction(current));
  }
  where.clear();
  return {};
}

Status FunctionVerifier::instruction(const Instruction &current) {
  switch (current.operation_type()) {
  case Operation::Dispatch:
    return check(*current.operation_as_Dispatch());
  case Operation::CallProvider:
    return check(*current.operation_as_CallProvider());
  case Operation::CallFunction:
    return check(*current.operation_as_CallFunction());
  case Operation::Alloc:
    return check(*current.operation_as_Alloc());
  case Operation::Free:
    return buffer(current.operation_as_Free()->buffer());
  case Operation::View:
    return check(*current.operation_as_View());
  case Operation::Dim:
    return check(*current.operation_as_Dim());
  case Operation::Load: {
    const Load &op = *current.operation_as_Load();
    return element(op.buffer(), op.result(), op.indices());
  }
  case Operation::Store: {
    const Store &op = *current.operation_as_Store();
    return element(op.buffer(), op.value(), op.indices());
  }
  case Operation::Copy: {
    const Copy &op = *current.operation_as_Copy();
    FERRULE_RETURN_IF_ERROR(buffer(op.target()));
    FERRULE_RETURN_IF_ERROR(buffer(op.source()));
    if (signless(type(op.target()).element_type()) !=
        signless(type(op.source()).element_type()))
      return bad("copy between different element types");
    return {};
  }
  case Operation::Fill: {
    const Fill &op = *current.operation_as_Fill();
    FERRULE_RETURN_IF_ERROR(buffer(op.buffer()));
    auto expected = scalarTypeFor(type(op.buffer()).element_type());
    if (!expected)
      return bad("fill of an element type without scalars");
    return scalar(op.value(), *expected);
  }
  case Operation::LoadConstant:
    return check(*current.operation_as_LoadConstant());
  case Operation::Compute:
    return check(*current.operation_as_Compute());
  case Operation::Assert:
    return scalar(current.operation_as_Assert()->condition(), ScalarType::I1);
  case Operation::Branch:
    return check(*current.operation_as_Branch());
  case Operation::CondBranch: {
    const CondBranch &op = *current.operation_as_CondBranch();
    FERRULE_RETURN_IF_ERROR(scalar(op.condition(), ScalarType::I1));
    FERRULE_RETURN_IF_ERROR(check(*op.then()));
    return check(*op.otherwise());
  }
  case Operation::Return:
    return check(*current.operation_as_Return());
  case Operation::NONE:
    break;
  }
  return unsupported(
      "function '" + function.name()->str() + "': " + where +
      "unknown operation " +
      std::to_string(static_cast<int>(current.operation_type())));
}

Status FunctionVerifier::check(const Dispatch &op) {
  if (op.kernel() >= sizeOf(program.kernels()))
    return bad("kernel " + std::to_string(op.kernel()) + " does not exist");
  const Kernel &kernel = *program.kernels()->Get(op.kernel());
  if (op.device() >= std::max(1u, sizeOf(program.devices())))
    return bad("device " + std::to_string(op.device()) + " does not exist");
  FERRULE_RETURN_IF_ERROR(scalar(op.workgroups(), ScalarType::I64));
  FERRULE_RETURN_IF_ERROR(
      count("buffers", sizeOf(op.buffers()), kernel.buffers()));
  FERRULE_RETURN_IF_ERROR(
      count("scalars", sizeOf(op.scalars()), kernel.scalars()));
  FERRULE_RETURN_IF_ERROR(buffers(op.buffers()));
  return scalars(op.scalars());
}

Status FunctionVerifier::check(const CallProvider &op) {
  FERRULE_RETURN_IF_ERROR(buffers(op.buffers()));
  if (op.first_output() > sizeOf(op.buffers()))
    return bad("the first output is beyond the buffers");
  return scalars(op.scalars());
}

Status FunctionVerifier::check(const CallFunction &op) {
  if (op.function() >= program.functions()->size())
    return bad("function " + std::to_string(op.function()) + " does not exist");
  const Function &callee = *program.functions()->Get(op.function());
  if (callee.blocks()->size() == 0)
    return bad("the callee has no blocks");
  FERRULE_RETURN_IF_ERROR(
      count("buffers", sizeOf(op.buffers()), sizeOf(callee.inputs())));
  FERRULE_RETURN_IF_ERROR(count("buffer results", sizeOf(op.buffer_results()),
                                sizeOf(callee.outputs())));
  FERRULE_RETURN_IF_ERROR(buffers(op.buffers()));
  FERRULE_RETURN_IF_ERROR(buffers(op.buffer_results()));
  for (uint32_t i = 0; i < sizeOf(op.buffers()); ++i)
    FERRULE_RETURN_IF_ERROR(
        compatible(op.buffers()->Get(i), *callee.inputs()->Get(i)));
  for (uint32_t i = 0; i < sizeOf(op.buffer_results()); ++i)
    FERRULE_RETURN_IF_ERROR(
        compatible(op.buffer_results()->Get(i), *callee.outputs()->Get(i)));
  const Registers parameters = callee.blocks()->Get(0)->scalar_arguments();
  FERRULE_RETURN_IF_ERROR(
      count("scalars", sizeOf(op.scalars()), sizeOf(parameters)));
  for (uint32_t i = 0; i < sizeOf(parameters); ++i) {
    if (parameters->Get(i) >= sizeOf(callee.scalar_registers()))
      return bad("the callee is damaged");
    FERRULE_RETURN_IF_ERROR(
        scalar(op.scalars()->Get(i),
               static_cast<ScalarType>(
                   callee.scalar_registers()->Get(parameters->Get(i)))));
  }
  FERRULE_RETURN_IF_ERROR(count("scalar results", sizeOf(op.scalar_results()),
                                sizeOf(callee.scalar_results())));
  for (uint32_t i = 0; i < sizeOf(op.scalar_results()); ++i)
    FERRULE_RETURN_IF_ERROR(
        scalar(op.scalar_results()->Get(i),
               static_cast<ScalarType>(callee.scalar_results()->Get(i))));
  return {};
}

Status FunctionVerifier::check(const Alloc &op) {
  FERRULE_RETURN_IF_ERROR(buffer(op.result()));
  FERRULE_RETURN_IF_ERROR(sizes(op.result(), op.sizes()));
  if (op.device() >= std::max(1u, sizeOf(program.devices())))
    return bad("device " + std::to_string(op.device()) + " does not exist");
  switch (op.place()) {
  case Place::Dynamic:
    return {};
  case Place::Static:
    if (op.offset() % kConstantAlignment != 0)
      return bad("the arena offset is not aligned to 64 bytes");
    if (op.offset() > function.static_arena())
      return bad("the arena offset exceeds the arena");
    return {};
  case Place::Output: {
    if (op.offset() >= sizeOf(function.outputs()))
      return bad("output " + std::to_string(op.offset()) + " does not exist");
    const Value &output =
        *function.outputs()->Get(static_cast<uint32_t>(op.offset()));
    if (output.alias_input() >= 0)
      return bad("output '" + output.name()->str() +
                 "' is an alias and has no memory of its own");
    return compatible(op.result(), output);
  }
  }
  return unsupported(where + "unknown place of an allocation");
}

Status FunctionVerifier::check(const View &op) {
  FERRULE_RETURN_IF_ERROR(buffer(op.result()));
  FERRULE_RETURN_IF_ERROR(buffer(op.source()));
  FERRULE_RETURN_IF_ERROR(sizes(op.result(), op.sizes()));
  if (op.offset_register() < 0)
    return {};
  return scalar(static_cast<uint32_t>(op.offset_register()), ScalarType::I64);
}

Status FunctionVerifier::check(const Dim &op) {
  FERRULE_RETURN_IF_ERROR(buffer(op.buffer()));
  FERRULE_RETURN_IF_ERROR(scalar(op.result(), ScalarType::I64));
  if (op.dim() >= dimsOf(type(op.buffer()).dims()).size())
    return bad("dim " + std::to_string(op.dim()) + " does not exist");
  return {};
}

Status FunctionVerifier::element(uint32_t from, uint32_t value,
                                 Registers indices) {
  FERRULE_RETURN_IF_ERROR(buffer(from));
  FERRULE_RETURN_IF_ERROR(integers(indices));
  auto expected = scalarTypeFor(type(from).element_type());
  if (!expected)
    return bad("access to an element type without scalars");
  FERRULE_RETURN_IF_ERROR(scalar(value, *expected));
  return count("indices", sizeOf(indices),
               static_cast<uint32_t>(dimsOf(type(from).dims()).size()));
}

Status FunctionVerifier::check(const LoadConstant &op) {
  FERRULE_RETURN_IF_ERROR(buffer(op.result()));
  if (op.constant() >= sizeOf(program.constants()))
    return bad("constant " + std::to_string(op.constant()) + " does not exist");
  const Constant &constant = *program.constants()->Get(op.constant());
  return compatible(constant.element_type(), dimsOf(constant.dims()),
                    type(op.result()).element_type(),
                    dimsOf(type(op.result()).dims()));
}

Status FunctionVerifier::check(const Compute &op) {
  if (op.opcode() > Opcode::MAX)
    return unsupported(where + "unknown opcode " +
                       std::to_string(static_cast<int>(op.opcode())));
  unsigned operands = operandCount(op.opcode());
  FERRULE_RETURN_IF_ERROR(scalar(op.result()));
  FERRULE_RETURN_IF_ERROR(scalar(op.a()));
  if (operands > 1)
    FERRULE_RETURN_IF_ERROR(scalar(op.b()));
  if (operands > 2)
    FERRULE_RETURN_IF_ERROR(scalar(op.c()));
  ScalarType a = scalarType(op.a());
  if (typesFit(op.opcode(), scalarType(op.result()), a,
               operands > 1 ? scalarType(op.b()) : a,
               operands > 2 ? scalarType(op.c()) : a))
    return {};
  return bad(std::string("the registers' types do not fit ") +
             EnumNameOpcode(op.opcode()));
}

Status FunctionVerifier::check(const Branch &op) {
  if (op.target() == 0 || op.target() >= function.blocks()->size())
    return bad("block " + std::to_string(op.target()) +
               " is no target of branches");
  const Block &target = *function.blocks()->Get(op.target());
  FERRULE_RETURN_IF_ERROR(buffers(op.buffers()));
  FERRULE_RETURN_IF_ERROR(scalars(op.scalars()));
  FERRULE_RETURN_IF_ERROR(count("buffers", sizeOf(op.buffers()),
                                sizeOf(target.buffer_arguments())));
  FERRULE_RETURN_IF_ERROR(count("scalars", sizeOf(op.scalars()),
                                sizeOf(target.scalar_arguments())));
  for (uint32_t i = 0; i < sizeOf(op.buffers()); ++i)
    FERRULE_RETURN_IF_ERROR(
        compatible(op.buffers()->Get(i), target.buffer_arguments()->Get(i)));
  for (uint32_t i = 0; i < sizeOf(op.scalars()); ++i)
    FERRULE_RETURN_IF_ERROR(scalar(
        op.scalars()->Get(i), scalarType(target.scalar_arguments()->Get(i))));
  return {};
}

Status FunctionVerifier::check(const Return &op) {
  FERRULE_RETURN_IF_ERROR(
      count("buffers", sizeOf(op.buffers()), sizeOf(function.outputs())));
  FERRULE_RETURN_IF_ERROR(buffers(op.buffers()));
  for (uint32_t i = 0; i < sizeOf(op.buffers()); ++i)
    FERRULE_RETURN_IF_ERROR(
        compatible(op.buffers()->Get(i), *function.outputs()->Get(i)));
  FERRULE_RETURN_IF_ERROR(count("scalars", sizeOf(op.scalars()),
                                sizeOf(function.scalar_results())));
  for (uint32_t i = 0; i < sizeOf(op.scalars()); ++i)
    FERRULE_RETURN_IF_ERROR(
        scalar(op.scalars()->Get(i),
               static_cast<ScalarType>(function.scalar_results()->Get(i))));
  return {};
}

} // namespace

Status ferrule::runtime::verifyFunction(const Program &program,
                                        uint32_t function) {
  return FunctionVerifier(program, *program.functions()->Get(function))
      .verify();
}
