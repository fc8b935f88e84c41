// What each operation may refer to.
#include "runtime/format/compute_rules.h"
#include "runtime/format/function_verifier.h"

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format;

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
    // A program may make the memory under one shape and return a view of
    // another; Return is checked against the output's type.
    if (!holds(type(op.result()).element_type(), output.element_type()))
      return bad("output '" + output.name()->str() +
                 "' is allocated with another element type");
    return {};
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
