// Reshapes, casts and contiguous slices become views.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

using Sizes = SmallVector<Value>;

static Value materialize(OpBuilder &builder, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

/// The offset of the slice's first element in bytes, if the slice is one
/// contiguous range: sizes of 1, one partial dimension, then whole dimensions.
FailureOr<OpFoldResult>
ProgramBufferizer::computeSliceOffset(tensor::ExtractSliceOp op,
                                      OpBuilder &builder) {
  auto isWhole = [&](int64_t i) {
    OpFoldResult size = op.getMixedSizes()[i];
    int64_t full = op.getSourceType().getDimSize(i);
    if (getConstantIntValue(op.getMixedOffsets()[i]) != 0)
      return false;
    if (!ShapedType::isDynamic(full))
      return getConstantIntValue(size) == full;
    FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
        size, ValueBoundsConstraintSet::Variable(op.getSource(), i));
    return succeeded(equal) && *equal;
  };
  int64_t partial = op.getSourceType().getRank() - 1;
  while (partial > 0 && isWhole(partial))
    --partial;
  bool contiguous = op.hasUnitStride();
  for (int64_t i = 0; i < partial; ++i)
    contiguous &= getConstantIntValue(op.getMixedSizes()[i]) == 1;
  if (!contiguous)
    return op.emitOpError("expected a contiguous slice outside of kernels, "
                          "found one of ")
           << op.getSourceType();

  std::optional<int64_t> bits =
      getStoredBits(op.getSourceType().getElementType());
  if (!bits || *bits % 8 != 0)
    return op.emitOpError("expected elements of whole bytes, found ")
           << op.getSourceType().getElementType();
  Location loc = op.getLoc();
  OpFoldResult stride = builder.getIndexAttr(*bits / 8);
  OpFoldResult offset = builder.getIndexAttr(0);
  for (int64_t i = op.getSourceType().getRank() - 1; i >= 0; --i) {
    OpFoldResult start = map(op.getMixedOffsets()[i]);
    offset = add(builder, loc, offset, multiply(builder, loc, start, stride));
    FailureOr<OpFoldResult> size = dim(op.getSource(), i, builder, loc);
    if (failed(size))
      return failure();
    stride = multiply(builder, loc, stride, *size);
  }
  return offset;
}

/// Sizes of the groups that a collapse merges.
static FailureOr<Sizes>
collapsedSizes(tensor::CollapseShapeOp op, OpBuilder &builder,
               function_ref<FailureOr<OpFoldResult>(int64_t)> sourceDim) {
  Sizes sizes;
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (!op.getResultType().isDynamicDim(i))
      continue;
    OpFoldResult size = builder.getIndexAttr(1);
    for (int64_t source : group) {
      FailureOr<OpFoldResult> factor = sourceDim(source);
      if (failed(factor))
        return failure();
      size = multiply(builder, op.getLoc(), size, *factor);
    }
    sizes.push_back(materialize(builder, op.getLoc(), size));
  }
  return sizes;
}

FailureOr<Sizes> ProgramBufferizer::computeViewSizes(Operation &op,
                                                     OpBuilder &builder) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  auto sourceDim = [&](int64_t i) {
    return dim(op.getOperand(0), i, builder, loc);
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return collapsedSizes(collapse, builder, sourceDim);

  SmallVector<OpFoldResult> all;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    all = expand.getMixedOutputShape();
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(i))
        all.push_back(size);
  }
  Sizes sizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(i))
      continue;
    if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
      FailureOr<Value> shape = read(reshape.getShapeMutable(), builder);
      if (failed(shape))
        return failure();
      Value index = arith::ConstantIndexOp::create(builder, loc, i);
      Value size = memref::LoadOp::create(builder, loc, *shape, index);
      if (!size.getType().isIndex())
        size = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          size);
      sizes.push_back(size);
    } else if (isa<tensor::CastOp>(op)) {
      FailureOr<OpFoldResult> size = sourceDim(i);
      if (failed(size))
        return failure();
      sizes.push_back(materialize(builder, loc, *size));
    } else {
      sizes.push_back(materialize(builder, loc, map(all[i])));
    }
  }
  return sizes;
}

LogicalResult ProgramBufferizer::bufferizeView(Operation &op,
                                               OpBuilder &builder) {
  Value result = op.getResult(0);
  if (!isa<RankedTensorType>(result.getType()) ||
      !isa<RankedTensorType>(op.getOperand(0).getType()))
    return op.emitOpError("expected tensors of known rank");
  if (isEmptyTensor(result))
    return success();
  FailureOr<Value> source = read(op.getOpOperand(0), builder);
  if (failed(source))
    return failure();
  FailureOr<Sizes> sizes = computeViewSizes(op, builder);
  if (failed(sizes))
    return failure();
  OpFoldResult offset = builder.getIndexAttr(0);
  bool part = false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    FailureOr<OpFoldResult> found = computeSliceOffset(slice, builder);
    if (failed(found))
      return failure();
    offset = *found;
    part = true;
  }
  auto type = cast<MemRefType>(convertType(result.getType()));
  std::optional<int64_t> at = getConstantIntValue(offset);
  Value view =
      ViewOp::create(builder, op.getLoc(), type, *source, at.value_or(0),
                     at ? Value() : cast<Value>(offset), *sizes);
  // A value that was made for this use alone has no place yet.
  Place place = places.lookup(op.getOperand(0));
  if (!place.root)
    for (Root *root : owned[op.getBlock()])
      if (root->buffer == *source)
        place = {*source, root, true};
  place.root->views.push_back(view);
  alias(result, {view, place.root, place.whole && !part});
  return success();
}
