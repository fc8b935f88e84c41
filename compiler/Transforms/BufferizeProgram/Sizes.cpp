// Sizes of tensors as index values of the new function.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

OpFoldResult ferrule::multiply(OpBuilder &builder, Location loc, OpFoldResult a,
                               OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(*x * *y);
  if (x == 1 || y == 0)
    return b;
  if (y == 1 || x == 0)
    return a;
  return builder.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}

OpFoldResult ferrule::add(OpBuilder &builder, Location loc, OpFoldResult a,
                          OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(*x + *y);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return builder.createOrFold<arith::AddIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}

bool ferrule::isViewOp(Operation *op) {
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp, tensor::ReshapeOp,
                         tensor::ExtractSliceOp>(op);
}

bool ferrule::isEmptyTensor(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (isViewOp(op))
    return isEmptyTensor(op->getOperand(0));
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

OpFoldResult ProgramBufferizer::map(OpFoldResult value) {
  if (auto dynamic = dyn_cast<Value>(value))
    return scalars.lookup(dynamic);
  return value;
}

/// The sizes that an op was given for its buffer, or none if it has none.
static std::optional<ValueRange> getGivenSizes(Value buffer) {
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    return ValueRange(alloc.getSizes());
  if (auto view = buffer.getDefiningOp<ViewOp>())
    return ValueRange(view.getSizes());
  return std::nullopt;
}

FailureOr<SmallVector<Value>>
ProgramBufferizer::dynamicSizes(Value tensor, OpBuilder &builder,
                                Location loc) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  if (type.hasStaticShape())
    return sizes;
  if (auto found = places.find(tensor); found != places.end()) {
    Value buffer = found->second.buffer;
    if (std::optional<ValueRange> given = getGivenSizes(buffer))
      return llvm::to_vector(*given);
    // Read where the buffer comes to be: later it may have been freed, perhaps
    // under another name.
    OpBuilder atDefinition(builder);
    atDefinition.setInsertionPointAfterValue(buffer);
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(memref::DimOp::create(atDefinition, loc, buffer, i));
    return sizes;
  }
  Operation *op = tensor.getDefiningOp();
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return llvm::map_to_vector(empty.getDynamicSizes(), [&](Value size) {
      return scalars.lookup(size);
    });
  if (isViewOp(op))
    return computeViewSizes(*op, builder);
  return emitError(loc) << "expected a tensor with a buffer, found "
                        << tensor.getType();
}

FailureOr<OpFoldResult> ProgramBufferizer::dim(Value tensor, int64_t index,
                                               OpBuilder &builder,
                                               Location loc) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(index))
    return OpFoldResult(builder.getIndexAttr(type.getDimSize(index)));
  FailureOr<SmallVector<Value>> sizes = dynamicSizes(tensor, builder, loc);
  if (failed(sizes))
    return failure();
  return OpFoldResult((*sizes)[type.getDynamicDimIndex(index)]);
}
