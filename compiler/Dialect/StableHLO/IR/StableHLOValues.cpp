#include "compiler/Dialect/StableHLO/IR/StableHLOValues.h"

using namespace mlir;
namespace ferrule::stablehlo {

Value buildShape(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type i32 = b.getI32Type();
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Value size = GetDimensionSizeOp::create(
        b, loc, RankedTensorType::get({}, i32), tensor, d);
    sizes.push_back(ReshapeOp::create(
        b, loc, RankedTensorType::get({1}, i32), size));
  }
  return ConcatenateOp::create(
      b, loc, RankedTensorType::get({type.getRank()}, i32), sizes, 0);
}

/// `constant` broadcast along `dims` of `type`.
static Value broadcastLike(OpBuilder &b, Location loc,
                           DenseElementsAttr constant, Value like,
                           RankedTensorType type, ArrayRef<int64_t> dims) {
  Value value = ConstantOp::create(b, loc, constant);
  if (type.hasStaticShape())
    return BroadcastInDimOp::create(b, loc, type, value, dims);
  return DynamicBroadcastInDimOp::create(b, loc, type, value,
                                         buildShape(b, loc, like), dims);
}

Value buildSplatLike(OpBuilder &b, Location loc, Attribute value, Value like,
                     RankedTensorType type) {
  if (type.hasStaticShape())
    return ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
  auto scalar = RankedTensorType::get({}, type.getElementType());
  return broadcastLike(b, loc, DenseElementsAttr::get(scalar, value), like,
                       type, {});
}

Value buildVectorLike(OpBuilder &b, Location loc, DenseElementsAttr vector,
                      Value like, int64_t dim) {
  auto type = RankedTensorType::get(
      cast<RankedTensorType>(like.getType()).getShape(),
      vector.getElementType());
  return broadcastLike(b, loc, vector, like, type, dim);
}

} // namespace ferrule::stablehlo
