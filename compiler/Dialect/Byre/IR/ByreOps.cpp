// Launches and images: builders, interfaces and verifiers.
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

#define GET_OP_CLASSES
#include "compiler/Dialect/Byre/IR/ByreOps.cpp.inc"

void DispatchOp::build(OpBuilder &builder, OperationState &state,
                       SymbolRefAttr kernel, ValueRange inputs, ValueRange outs,
                       ValueRange scalars, Value workgroups) {
  SmallVector<Type> results;
  for (Value out : outs)
    if (isa<RankedTensorType>(out.getType()))
      results.push_back(out.getType());
  build(builder, state, results,
        FlatSymbolRefAttr::get(kernel.getRootReference()), workgroups, inputs,
        outs, scalars);
}

bool DispatchOp::isOnTensors() {
  return llvm::none_of(getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

LogicalResult DispatchOp::verify() {
  for (ValueRange range : {ValueRange(getInputs()), ValueRange(getOuts())})
    for (Value value : range)
      if (isa<RankedTensorType>(value.getType()) != isOnTensors())
        return emitOpError("expected all inputs and outs to be tensors or all "
                           "to be memrefs, found ")
               << value.getType();
  return success();
}

/// Checks the operands against a kernel that is still a function on tensors.
static LogicalResult verifyTensorKernel(DispatchOp op, func::FuncOp kernel) {
  FunctionType type = kernel.getFunctionType();
  SmallVector<Type> expected;
  llvm::append_range(expected, op.getInputs().getTypes());
  llvm::append_range(expected, op.getOuts().getTypes());
  llvm::append_range(expected, op.getScalars().getTypes());
  if (type.getInputs() == ArrayRef<Type>(expected) &&
      TypeRange(type.getResults()) == op.getResultTypes())
    return success();
  auto diagnostic =
      op.emitOpError("expected the kernel to be of type ")
      << FunctionType::get(op.getContext(), expected, op.getResultTypes())
      << ", found " << type;
  diagnostic.attachNote(kernel.getLoc()) << "kernel defined here";
  return diagnostic;
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *found =
      symbolTable.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (auto kernel = dyn_cast_or_null<func::FuncOp>(found)) {
    if (!isKernel(kernel))
      return emitOpError() << "expected " << getKernelAttr()
                           << " to be a kernel (attribute '" << kKernelAttr
                           << "'), found another function";
    // The target changes a kernel's signature before the dispatch's operands.
    bool tensors = isOnTensors() && llvm::none_of(kernel.getArgumentTypes(),
                                                  llvm::IsaPred<MemRefType>);
    return tensors ? verifyTensorKernel(*this, kernel) : success();
  }
  Operation *module = (*this)->getParentWithTrait<OpTrait::SymbolTable>();
  if (module && llvm::any_of(module->getRegion(0).getOps<ImageOp>(),
                             [&](ImageOp image) -> bool {
                               return bool(image.lookupKernel(getKernel()));
                             }))
    return success();
  return emitOpError() << "expected " << getKernelAttr()
                       << " to be a kernel of this module, found none";
}

void DispatchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isOnTensors())
    return;
  for (OpOperand &input : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &input,
                         SideEffects::DefaultResource::get());
  for (OpOperand &out : getOutsMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &out,
                         SideEffects::DefaultResource::get());
    effects.emplace_back(MemoryEffects::Write::get(), &out,
                         SideEffects::DefaultResource::get());
  }
}

LogicalResult
DispatchOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  for (Value out : getOuts())
    if (isa<RankedTensorType>(out.getType()))
      shapes.push_back(tensor::getMixedSizes(builder, getLoc(), out));
  return success();
}

KernelEntryAttr ImageOp::lookupKernel(StringRef name) {
  for (Attribute entry : getKernels())
    if (cast<KernelEntryAttr>(entry).getKernel() == name)
      return cast<KernelEntryAttr>(entry);
  return {};
}

LogicalResult ImageOp::verify() {
  Type element = getData().getShapedType().getElementType();
  if (!element.isInteger(8))
    return emitOpError("expected data of i8 elements, found ") << element;
  llvm::SmallDenseSet<StringRef> names;
  for (Attribute entry : getKernels())
    if (!names.insert(cast<KernelEntryAttr>(entry).getKernel()).second)
      return emitOpError("expected kernels of different names, found two of ")
             << cast<KernelEntryAttr>(entry).getKernel();
  return success();
}
