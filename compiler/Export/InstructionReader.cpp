// Operations for instructions that are not scalar arithmetic.
#include "compiler/Export/ElementTypes.h"
#include "compiler/Export/FunctionReader.h"
#include "compiler/Export/ProviderConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ferrule;
using Kind = ferrule::format::Operation;

static StringRef toRef(const flatbuffers::String *text) {
  return text ? StringRef(text->c_str(), text->size()) : StringRef();
}

LogicalResult FunctionReader::readInstruction(const Instructions &all,
                                              uint32_t &index) {
  const format::Instruction &instruction = *all.Get(index);
  Location loc = tables.location(instruction.location());
  switch (instruction.operation_type()) {
  case Kind::Dispatch:
    return read(*instruction.operation_as_Dispatch(), loc);
  case Kind::CallProvider:
    return read(*instruction.operation_as_CallProvider(), loc);
  case Kind::CallFunction:
    return read(*instruction.operation_as_CallFunction(), loc);
  case Kind::Alloc:
    return read(*instruction.operation_as_Alloc(), loc);
  case Kind::View:
    return read(*instruction.operation_as_View(), loc);
  case Kind::Load:
    return read(*instruction.operation_as_Load(), loc);
  case Kind::Store:
    return read(*instruction.operation_as_Store(), loc);
  case Kind::Return:
    return read(*instruction.operation_as_Return(), loc);
  case Kind::Compute: {
    const format::Compute &op = *instruction.operation_as_Compute();
    if (op.opcode() != format::Opcode::Bitcast ||
        !scalarType(op.result()).isInteger(64) || !scalarType(op.a()).isF32())
      return read(op, loc);
    const format::Compute *next =
        index + 1 < all.size() ? all.Get(index + 1)->operation_as_Compute()
                               : nullptr;
    bool usedNext = false;
    LogicalResult result = readBitcastToInteger(op, next, loc, usedNext);
    index += usedNext;
    return result;
  }
  case Kind::Free: {
    FailureOr<Value> value = buffer(instruction.operation_as_Free()->buffer());
    if (failed(value))
      return failure();
    byre::FreeOp::create(builder, loc, *value);
    return success();
  }
  case Kind::Dim: {
    const format::Dim &op = *instruction.operation_as_Dim();
    FailureOr<Value> source = buffer(op.buffer());
    if (failed(source))
      return failure();
    Value size = memref::DimOp::create(builder, loc, *source,
                                       static_cast<int64_t>(op.dim()));
    return setScalar(
        op.result(),
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size));
  }
  case Kind::Copy: {
    const format::Copy &op = *instruction.operation_as_Copy();
    FailureOr<Value> from = buffer(op.source()), to = buffer(op.target());
    if (failed(from) || failed(to))
      return failure();
    byre::CopyOp::create(builder, loc, *from, *to);
    return success();
  }
  case Kind::Fill: {
    const format::Fill &op = *instruction.operation_as_Fill();
    FailureOr<Value> target = buffer(op.buffer()), value = scalar(op.value());
    if (failed(target) || failed(value))
      return failure();
    Type element = cast<MemRefType>(target->getType()).getElementType();
    byre::FillOp::create(builder, loc, toElement(*value, element, loc),
                         *target);
    return success();
  }
  case Kind::LoadConstant: {
    const format::LoadConstant &op = *instruction.operation_as_LoadConstant();
    return setBuffer(op.result(), byre::ConstantOp::create(
                                      builder, loc, bufferTypes[op.result()],
                                      tables.constants[op.constant()]));
  }
  case Kind::Assert: {
    const format::Assert &op = *instruction.operation_as_Assert();
    FailureOr<Value> condition = scalar(op.condition());
    if (failed(condition))
      return failure();
    cf::AssertOp::create(builder, loc, *condition, toRef(op.message()));
    return success();
  }
  case Kind::Branch: {
    const format::Branch &op = *instruction.operation_as_Branch();
    SmallVector<Value> operands;
    if (failed(readBranch(op, operands)))
      return failure();
    cf::BranchOp::create(builder, loc, blocks[op.target()], operands);
    return success();
  }
  case Kind::CondBranch: {
    const format::CondBranch &op = *instruction.operation_as_CondBranch();
    FailureOr<Value> condition = scalar(op.condition());
    SmallVector<Value> then, otherwise;
    if (failed(condition) || failed(readBranch(*op.then(), then)) ||
        failed(readBranch(*op.otherwise(), otherwise)))
      return failure();
    cf::CondBranchOp::create(builder, loc, *condition,
                             blocks[op.then()->target()], then,
                             blocks[op.otherwise()->target()], otherwise);
    return success();
  }
  case Kind::NONE:
    break;
  }
  return error("has an instruction that IR has no form for");
}

LogicalResult FunctionReader::readBranch(const format::Branch &op,
                                         SmallVectorImpl<Value> &operands) {
  FailureOr<SmallVector<Value>> passed = readBuffers(op.buffers());
  FailureOr<SmallVector<Value>> numbers = readScalars(op.scalars());
  if (failed(passed) || failed(numbers))
    return failure();
  llvm::append_range(operands, *passed);
  llvm::append_range(operands, *numbers);
  return success();
}

LogicalResult FunctionReader::read(const format::Dispatch &op, Location loc) {
  FailureOr<Value> workgroups = scalar(op.workgroups());
  FailureOr<SmallVector<Value>> arguments = readBuffers(op.buffers());
  FailureOr<SmallVector<Value>> numbers = readScalars(op.scalars());
  if (failed(workgroups) || failed(arguments) || failed(numbers))
    return failure();
  const format::Kernel &kernel = *program.kernels()->Get(op.kernel());
  auto symbol =
      FlatSymbolRefAttr::get(builder.getContext(), toRef(kernel.name()));
  // The file does not tell inputs from outs, so any may be written.
  auto dispatch = byre::DispatchOp::create(builder, loc, symbol, ValueRange(),
                                           *arguments, *numbers,
                                           toIndex(*workgroups, loc));
  if (kernel.operations())
    dispatch->setAttr(byre::kWorkAttr,
                      byre::WorkAttr::get(builder.getContext(),
                                          toRef(kernel.operations()),
                                          toRef(kernel.flops()),
                                          toRef(kernel.bytes())));
  return success();
}

LogicalResult FunctionReader::read(const format::CallProvider &op,
                                   Location loc) {
  FailureOr<SmallVector<Value>> arguments = readBuffers(op.buffers());
  FailureOr<SmallVector<Value>> numbers = readScalars(op.scalars());
  if (failed(arguments) || failed(numbers))
    return failure();
  DictionaryAttr config;
  if (StringRef text = toRef(op.attributes()); !text.empty()) {
    FailureOr<DictionaryAttr> read =
        readProviderConfig(text, builder.getContext());
    if (failed(read))
      return error("has attributes of a provider operation that are no JSON");
    config = *read;
  }
  ValueRange all(*arguments);
  byre::CallProviderOp::create(builder, loc, TypeRange(), toRef(op.name()),
                               all.take_front(op.first_output()),
                               all.drop_front(op.first_output()), *numbers,
                               config);
  return success();
}

LogicalResult FunctionReader::read(const format::CallFunction &op,
                                   Location loc) {
  FailureOr<SmallVector<Value>> operands = readBuffers(op.buffers());
  FailureOr<SmallVector<Value>> numbers = readScalars(op.scalars());
  if (failed(operands) || failed(numbers))
    return failure();
  llvm::append_range(*operands, *numbers);
  SmallVector<Type> types;
  for (uint32_t i = 0; i < sizeOf(op.buffer_results()); ++i)
    types.push_back(bufferTypes[op.buffer_results()->Get(i)]);
  for (uint32_t i = 0; i < sizeOf(op.scalar_results()); ++i)
    types.push_back(scalarType(op.scalar_results()->Get(i)));
  StringRef callee = toRef(program.functions()->Get(op.function())->name());
  auto call = func::CallOp::create(builder, loc, callee, types, *operands);
  uint32_t buffers = sizeOf(op.buffer_results());
  for (uint32_t i = 0; i < buffers; ++i)
    if (failed(setBuffer(op.buffer_results()->Get(i), call.getResult(i))))
      return failure();
  for (uint32_t i = 0; i < sizeOf(op.scalar_results()); ++i)
    if (failed(setScalar(op.scalar_results()->Get(i),
                         call.getResult(buffers + i))))
      return failure();
  return success();
}

LogicalResult FunctionReader::read(const format::Alloc &op, Location loc) {
  FailureOr<SmallVector<Value>> sizes = readIndices(op.sizes(), loc);
  if (failed(sizes))
    return failure();
  auto alloc =
      byre::AllocOp::create(builder, loc, bufferTypes[op.result()], *sizes);
  IntegerAttr number = builder.getI64IntegerAttr(op.offset());
  if (op.place() == format::Place::Static)
    alloc.setOffsetAttr(number);
  else if (op.place() == format::Place::Output)
    alloc.setOutputAttr(number);
  return setBuffer(op.result(), alloc);
}

LogicalResult FunctionReader::read(const format::View &op, Location loc) {
  FailureOr<Value> from = buffer(op.source());
  FailureOr<SmallVector<Value>> sizes = readIndices(op.sizes(), loc);
  if (failed(from) || failed(sizes))
    return failure();
  Value plus;
  if (op.offset_register() >= 0) {
    FailureOr<Value> offset = scalar(op.offset_register());
    if (failed(offset))
      return failure();
    plus = toIndex(*offset, loc);
  }
  return setBuffer(op.result(),
                   byre::ViewOp::create(builder, loc, bufferTypes[op.result()],
                                        *from, op.offset(), plus, *sizes));
}

LogicalResult FunctionReader::read(const format::Load &op, Location loc) {
  FailureOr<Value> from = buffer(op.buffer());
  FailureOr<SmallVector<Value>> indices = readIndices(op.indices(), loc);
  if (failed(from) || failed(indices))
    return failure();
  Value loaded = memref::LoadOp::create(builder, loc, *from, *indices);
  return setScalar(op.result(),
                   fromElement(loaded, scalarType(op.result()), loc));
}

LogicalResult FunctionReader::read(const format::Store &op, Location loc) {
  FailureOr<Value> value = scalar(op.value());
  FailureOr<Value> to = buffer(op.buffer());
  FailureOr<SmallVector<Value>> indices = readIndices(op.indices(), loc);
  if (failed(value) || failed(to) || failed(indices))
    return failure();
  Type element = cast<MemRefType>(to->getType()).getElementType();
  memref::StoreOp::create(builder, loc, toElement(*value, element, loc), *to,
                          *indices);
  return success();
}

LogicalResult FunctionReader::read(const format::Return &op, Location loc) {
  FailureOr<SmallVector<Value>> values = readBuffers(op.buffers());
  FailureOr<SmallVector<Value>> numbers = readScalars(op.scalars());
  if (failed(values) || failed(numbers))
    return failure();
  llvm::append_range(*values, *numbers);
  func::ReturnOp::create(builder, loc, *values);
  return success();
}
