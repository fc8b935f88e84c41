// Ops on buffers: interfaces, folds and verifiers.
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

std::optional<int64_t> byre::getStoredBits(Type element) {
  if (element.isIndex())
    return 64;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    std::optional<int64_t> part = getStoredBits(complex.getElementType());
    return part ? std::optional<int64_t>(*part * 2) : std::nullopt;
  }
  if (!element.isIntOrFloat())
    return std::nullopt;
  int64_t bits = element.getIntOrFloatBitWidth();
  if (bits == 1 || bits == 6)
    return 8;
  bool stored = bits == 2 || bits == 4 ||
                (bits % 8 == 0 && bits <= 64 && llvm::isPowerOf2_64(bits));
  return stored ? std::optional<int64_t>(bits) : std::nullopt;
}

FailureOr<int64_t> byre::getBufferBytes(MemRefType type) {
  std::optional<int64_t> bits = getStoredBits(type.getElementType());
  if (!bits || !type.hasStaticShape())
    return failure();
  return static_cast<int64_t>(
      llvm::divideCeil(type.getNumElements() * *bits, 8));
}

/// One size operand for each `?`.
static LogicalResult verifySizes(Operation *op, MemRefType type,
                                 ValueRange sizes) {
  if (sizes.size() == type.getNumDynamicDims())
    return success();
  return op->emitOpError("expected ")
         << type.getNumDynamicDims() << " sizes for " << type << ", found "
         << sizes.size();
}

LogicalResult AllocOp::verify() {
  if (failed(verifySizes(*this, getType(), getSizes())))
    return failure();
  if (!getOffset())
    return success();
  if (getOutput())
    return emitOpError("expected 'at' or 'output', found both");
  if (!getType().hasStaticShape())
    return emitOpError("expected a static size with 'at', found ") << getType();
  if (*getOffset() < 0 || *getOffset() % 64 != 0)
    return emitOpError("expected an offset that is a multiple of 64, found ")
           << *getOffset();
  return success();
}

LogicalResult ViewOp::verify() {
  if (static_cast<int64_t>(getAt()) < 0)
    return emitOpError("expected an offset that is not negative, found ")
           << static_cast<int64_t>(getAt());
  return verifySizes(*this, getType(), getSizes());
}

Value ViewOp::getViewSource() { return getSource(); }

OpFoldResult ViewOp::fold(FoldAdaptor) {
  bool same = getSource().getType() == getType() && startsAtSource();
  if (same && getType().hasStaticShape())
    return getSource();
  // A view of a view at its start is a view of the first source.
  auto inner = getSource().getDefiningOp<ViewOp>();
  if (!inner || !inner.startsAtSource())
    return {};
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

LogicalResult CopyOp::verify() {
  MemRefType source = getSource().getType(), target = getTarget().getType();
  bool different = source.hasStaticShape() && target.hasStaticShape() &&
                   source.getNumElements() != target.getNumElements();
  if (different || source.getElementType() != target.getElementType())
    return emitOpError("expected source and target of the same element type "
                       "and size, found ")
           << source << " and " << target;
  return success();
}

LogicalResult ConstantOp::verify() {
  ShapedType value = getValue().getShapedType();
  if (value.getShape() == getType().getShape() &&
      value.getElementType() == getType().getElementType())
    return success();
  return emitOpError("expected a buffer of the shape and element type of ")
         << value << ", found " << getType();
}

void CallProviderOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // What a provider's code does besides is unknown.
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult
CallProviderOp::reifyResultShapes(OpBuilder &builder,
                                  ReifiedRankedShapedTypeDims &shapes) {
  for (Value out : getOuts())
    if (isa<RankedTensorType>(out.getType()))
      shapes.push_back(tensor::getMixedSizes(builder, getLoc(), out));
  return success();
}
