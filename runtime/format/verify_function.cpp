#include "runtime/format/function_verifier.h"

#include "runtime/format/dim_expression.h"

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format;

static constexpr uint32_t kMaxRank = 64;
static constexpr uint32_t kMaxRegisters = 1 << 20;
static constexpr uint64_t kMaxArena = uint64_t(1) << 46;

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
    if (!isAligned(type.dims()))
      return bad("dims are not aligned");
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
  if (!isAligned(function.scalar_constants()))
    return bad("scalar constants are not aligned");
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
  if (!isAligned(value.dims()))
    return bad("dims are not aligned");
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

Status ferrule::runtime::verifyFunction(const Program &program,
                                        uint32_t function) {
  return FunctionVerifier(program, *program.functions()->Get(function))
      .verify();
}
