// One instruction for each operation that is not scalar arithmetic.
#include "compiler/Export/FunctionWriter.h"
#include "compiler/Export/ProviderConfig.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

LogicalResult FunctionWriter::writeOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<DispatchOp, CallProviderOp, AllocOp, FreeOp, ViewOp, CopyOp, FillOp,
            byre::ConstantOp, memref::DimOp, memref::LoadOp, memref::StoreOp,
            func::CallOp, func::ReturnOp, cf::AssertOp, cf::BranchOp,
            cf::CondBranchOp>([&](auto known) { return writeOp(known); })
      .Default([&](Operation *) { return writeScalarOp(op); });
}

LogicalResult FunctionWriter::writeOp(DispatchOp op) {
  if (!op.getWorkgroups())
    return op.emitOpError("expected a number of workgroups");
  format::DispatchT dispatch;
  dispatch.workgroups = scalar(op.getWorkgroups());
  dispatch.buffers = select(op.getInputs(), true);
  llvm::append_range(dispatch.buffers, select(op.getOuts(), true));
  dispatch.scalars = select(op.getScalars(), false);
  std::string layer = findLayerName(op.getLoc()).str();

  auto [index, isNew] = tables.kernelIndices.try_emplace(
      op.getKernel(), static_cast<uint32_t>(tables.kernels.size()));
  if (isNew) {
    auto kernel = std::make_unique<format::KernelT>();
    kernel->name = op.getKernel().str();
    kernel->buffers = static_cast<uint32_t>(dispatch.buffers.size());
    kernel->scalars = static_cast<uint32_t>(dispatch.scalars.size());
    kernel->layer = layer;
    if (auto work = op->getAttrOfType<WorkAttr>(kWorkAttr)) {
      kernel->operations = work.getOperations().str();
      kernel->flops = work.getFlops().str();
      kernel->bytes = work.getBytes().str();
    }
    tables.kernels.push_back(std::move(kernel));
  }
  const format::KernelT &kernel = *tables.kernels[index->second];
  if (kernel.buffers != dispatch.buffers.size() ||
      kernel.scalars != dispatch.scalars.size())
    return op.emitOpError("expected ")
           << kernel.buffers << " buffers and " << kernel.scalars
           << " scalars as in another launch of the kernel, found "
           << dispatch.buffers.size() << " and " << dispatch.scalars.size();
  dispatch.kernel = index->second;
  dispatch.device = tables.kernelDevices.lookup(op.getKernel());
  if (layer != kernel.layer)
    dispatch.label = layer;
  append(op, std::move(dispatch));
  return success();
}

LogicalResult FunctionWriter::writeOp(CallProviderOp op) {
  format::CallProviderT call;
  call.name = op.getName().str();
  call.buffers = select(op.getInputs(), true);
  call.first_output = static_cast<uint32_t>(call.buffers.size());
  llvm::append_range(call.buffers, select(op.getOuts(), true));
  call.scalars = select(op.getScalars(), false);
  if (DictionaryAttr config = op.getConfigAttr()) {
    FailureOr<std::string> text = writeProviderConfig(config);
    if (failed(text))
      return op.emitOpError("expected numbers, strings, booleans and arrays of "
                            "these in 'config', found ")
             << config;
    call.attributes = *text;
  }
  append(op, std::move(call));
  return success();
}

LogicalResult FunctionWriter::writeOp(AllocOp op) {
  if (failed(define(op.getResult(), op)))
    return failure();
  format::AllocT alloc;
  alloc.result = buffer(op.getResult());
  alloc.place = op.getOffset()   ? format::Place::Static
                : op.getOutput() ? format::Place::Output
                                 : format::Place::Dynamic;
  alloc.offset = op.getOffset().value_or(op.getOutput().value_or(0));
  alloc.sizes = select(op.getSizes(), false);
  append(op, std::move(alloc));
  return success();
}

LogicalResult FunctionWriter::writeOp(FreeOp op) {
  format::FreeT free;
  free.buffer = buffer(op.getBuffer());
  append(op, free);
  return success();
}

LogicalResult FunctionWriter::writeOp(ViewOp op) {
  if (failed(define(op.getResult(), op)))
    return failure();
  format::ViewT view;
  view.result = buffer(op.getResult());
  view.source = buffer(op.getSource());
  view.offset = op.getAt();
  if (op.getPlus())
    view.offset_register = static_cast<int32_t>(scalar(op.getPlus()));
  view.sizes = select(op.getSizes(), false);
  append(op, std::move(view));
  return success();
}

LogicalResult FunctionWriter::writeOp(CopyOp op) {
  format::CopyT copy;
  copy.target = buffer(op.getTarget());
  copy.source = buffer(op.getSource());
  append(op, copy);
  return success();
}

LogicalResult FunctionWriter::writeOp(FillOp op) {
  format::FillT fill;
  fill.buffer = buffer(op.getBuffer());
  fill.value = scalar(op.getValue());
  append(op, fill);
  return success();
}

LogicalResult FunctionWriter::writeOp(byre::ConstantOp op) {
  FailureOr<uint32_t> index = tables.constants.intern(op);
  if (failed(index) || failed(define(op.getResult(), op)))
    return failure();
  format::LoadConstantT load;
  load.result = buffer(op.getResult());
  load.constant = *index;
  append(op, load);
  return success();
}

LogicalResult FunctionWriter::writeOp(memref::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  if (!index)
    return op.emitOpError("expected a constant index");
  if (failed(define(op.getResult(), op)))
    return failure();
  format::DimT dim;
  dim.result = scalar(op.getResult());
  dim.buffer = buffer(op.getSource());
  dim.dim = static_cast<uint32_t>(*index);
  append(op, dim);
  return success();
}

LogicalResult FunctionWriter::writeOp(memref::LoadOp op) {
  if (failed(define(op.getResult(), op)))
    return failure();
  format::LoadT load;
  load.result = scalar(op.getResult());
  load.buffer = buffer(op.getMemRef());
  load.indices = select(op.getIndices(), false);
  append(op, std::move(load));
  return success();
}

LogicalResult FunctionWriter::writeOp(memref::StoreOp op) {
  format::StoreT store;
  store.value = scalar(op.getValueToStore());
  store.buffer = buffer(op.getMemRef());
  store.indices = select(op.getIndices(), false);
  append(op, std::move(store));
  return success();
}

LogicalResult FunctionWriter::writeOp(func::CallOp op) {
  auto callee = tables.functions.find(op.getCallee());
  if (callee == tables.functions.end())
    return op.emitOpError("expected a function of this program with a body, "
                          "found none of the name '")
           << op.getCallee() << "'";
  for (Value value : op.getResults())
    if (failed(define(value, op)))
      return failure();
  format::CallFunctionT call;
  call.function = callee->second;
  call.buffers = select(op.getOperands(), true);
  call.scalars = select(op.getOperands(), false);
  call.buffer_results = select(op.getResults(), true);
  call.scalar_results = select(op.getResults(), false);
  append(op, std::move(call));
  return success();
}

LogicalResult FunctionWriter::writeOp(func::ReturnOp op) {
  format::ReturnT finish;
  finish.buffers = select(op.getOperands(), true);
  finish.scalars = select(op.getOperands(), false);
  append(op, std::move(finish));
  return success();
}

LogicalResult FunctionWriter::writeOp(cf::AssertOp op) {
  format::AssertT check;
  check.condition = scalar(op.getArg());
  check.message = op.getMsg().str();
  append(op, std::move(check));
  return success();
}

std::unique_ptr<format::BranchT>
FunctionWriter::makeBranch(Block *target, ValueRange operands) {
  auto branch = std::make_unique<format::BranchT>();
  branch->target = blocks.at(target);
  branch->buffers = select(operands, true);
  branch->scalars = select(operands, false);
  return branch;
}

LogicalResult FunctionWriter::writeOp(cf::BranchOp op) {
  append(op, std::move(*makeBranch(op.getDest(), op.getDestOperands())));
  return success();
}

LogicalResult FunctionWriter::writeOp(cf::CondBranchOp op) {
  format::CondBranchT branch;
  branch.condition = scalar(op.getCondition());
  branch.then = makeBranch(op.getTrueDest(), op.getTrueDestOperands());
  branch.otherwise = makeBranch(op.getFalseDest(), op.getFalseDestOperands());
  append(op, std::move(branch));
  return success();
}
