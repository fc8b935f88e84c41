// Inference of the operations that move elements.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOBounds.h"

using namespace mlir;
namespace ferrule::stablehlo {

using Results = SmallVectorImpl<Type>;

static RankedTensorType tensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LogicalResult give(FailureOr<RankedTensorType> type, Results &results) {
  if (failed(type))
    return failure();
  results.push_back(*type);
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor adaptor, Results &results) {
  return give(inferTranspose(loc, adaptor.getOperand().getType(),
                             adaptor.getPermutation()),
              results);
}

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor adaptor, Results &results) {
  llvm::SmallBitVector used(tensor(adaptor.getOperand()).getRank());
  for (int64_t dim : adaptor.getDimensions()) {
    if (dim < 0 || dim >= static_cast<int64_t>(used.size()))
      return emitOptionalError(loc, "C3: found dimension ", dim,
                               " for an operand of rank ", used.size());
    if (used.test(dim))
      return emitOptionalError(loc, "C2: found dimension ", dim, " twice");
    used.set(dim);
  }
  results.push_back(adaptor.getOperand().getType());
  return success();
}

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor adaptor, Results &results) {
  auto type = tensor(adaptor.getOperand());
  SmallVector<int64_t> shape(adaptor.getBroadcastSizes());
  for (int64_t size : shape)
    if (size < 0)
      return emitOptionalError(loc, "found broadcast size ", size,
                               ", expected at least 0");
  SmallVector<int64_t> bounds(shape);
  llvm::append_range(shape, type.getShape());
  llvm::append_range(bounds, boundsOf(type));
  results.push_back(makeBounded(shape, bounds, type.getElementType()));
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor adaptor, Results &results) {
  return give(inferSlice(loc, adaptor.getOperand().getType(),
                         adaptor.getStartIndices(), adaptor.getLimitIndices(),
                         adaptor.getStrides()),
              results);
}

/// Start indices are scalars of one type.
static LogicalResult checkStartIndices(OptionalLoc loc, ValueRange indices) {
  for (Value index : indices)
    if (index.getType() != indices.front().getType())
      return emitOptionalError(loc, "C3: found start indices of types ",
                               indices.front().getType(), " and ",
                               index.getType(), ", expected equal types");
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                               Adaptor adaptor,
                                               Results &results) {
  if (failed(checkStartIndices(loc, adaptor.getStartIndices())))
    return failure();
  return give(inferDynamicSlice(loc, adaptor.getOperand().getType(),
                                adaptor.getStartIndices().size(),
                                adaptor.getSliceSizes()),
              results);
}

LogicalResult DynamicUpdateSliceOp::inferReturnTypes(MLIRContext *,
                                                     OptionalLoc loc,
                                                     Adaptor adaptor,
                                                     Results &results) {
  auto operand = tensor(adaptor.getOperand());
  auto update = tensor(adaptor.getUpdate());
  if (!areCompatibleElements(operand.getElementType(), update.getElementType()))
    return emitOptionalError(loc, "C2: found update ", update, " for operand ",
                             operand, ", expected equal element types");
  if (operand.getRank() != update.getRank())
    return emitOptionalError(loc, "C3: found update ", update, " for operand ",
                             operand, ", expected equal ranks");
  if (static_cast<int64_t>(adaptor.getStartIndices().size()) !=
      operand.getRank())
    return emitOptionalError(
        loc, "C4: found ", adaptor.getStartIndices().size(),
        " start indices for an operand of rank ", operand.getRank());
  if (failed(checkStartIndices(loc, adaptor.getStartIndices())))
    return failure();
  for (auto [i, sizes] :
       llvm::enumerate(llvm::zip(operand.getShape(), update.getShape()))) {
    auto [size, part] = sizes;
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(part) &&
        part > size)
      return emitOptionalError(loc, "C6: found update of size ", part,
                               " in dimension ", i, " of size ", size);
  }
  results.push_back(operand);
  return success();
}

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                              Adaptor adaptor,
                                              Results &results) {
  return give(inferConcatenate(loc, TypeRange(adaptor.getInputs()),
                               adaptor.getDimension()),
              results);
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                      Adaptor adaptor, Results &results) {
  return give(
      inferPad(loc, adaptor.getOperand().getType(),
               adaptor.getPaddingValue().getType(), adaptor.getEdgePaddingLow(),
               adaptor.getEdgePaddingHigh(), adaptor.getInteriorPadding()),
      results);
}

/// Fails when `dimension` is none of the operand's.
static LogicalResult checkDimension(OptionalLoc loc, Value operand,
                                    int64_t dimension) {
  if (dimension >= 0 && dimension < tensor(operand).getRank())
    return success();
  return emitOptionalError(loc, "C1: found dimension ", dimension,
                           " for an operand of type ", operand.getType());
}

LogicalResult GetDimensionSizeOp::inferReturnTypes(MLIRContext *context,
                                                   OptionalLoc loc,
                                                   Adaptor adaptor,
                                                   Results &results) {
  if (failed(checkDimension(loc, adaptor.getOperand(), adaptor.getDimension())))
    return failure();
  results.push_back(RankedTensorType::get({}, IntegerType::get(context, 32)));
  return success();
}

LogicalResult SetDimensionSizeOp::inferReturnTypes(MLIRContext *,
                                                   OptionalLoc loc,
                                                   Adaptor adaptor,
                                                   Results &results) {
  if (failed(checkDimension(loc, adaptor.getOperand(), adaptor.getDimension())))
    return failure();
  if (!tensor(adaptor.getSize()).getElementType().isSignlessInteger(32))
    return emitOptionalError(loc, "found size ", adaptor.getSize().getType(),
                             ", expected tensor<i32>");
  // The size is a run-time value; what was known stays as its bound.
  auto type = tensor(adaptor.getOperand());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> bounds(shape.size(), ShapedType::kDynamic);
  if (auto old = dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding()))
    bounds.assign(old.getBounds().begin(), old.getBounds().end());
  int64_t dim = adaptor.getDimension();
  if (!ShapedType::isDynamic(shape[dim]))
    bounds[dim] = shape[dim];
  shape[dim] = ShapedType::kDynamic;
  Attribute encoding;
  if (!llvm::all_of(bounds, ShapedType::isDynamic))
    encoding = TypeExtensionsAttr::get(type.getContext(), bounds);
  results.push_back(
      RankedTensorType::get(shape, type.getElementType(), encoding));
  return success();
}

LogicalResult TupleOp::inferReturnTypes(MLIRContext *context, OptionalLoc,
                                        Adaptor adaptor, Results &results) {
  results.push_back(TupleType::get(context, TypeRange(adaptor.getVal())));
  return success();
}

LogicalResult GetTupleElementOp::inferReturnTypes(MLIRContext *,
                                                  OptionalLoc loc,
                                                  Adaptor adaptor,
                                                  Results &results) {
  auto type = cast<TupleType>(adaptor.getOperand().getType());
  int64_t index = adaptor.getIndex();
  if (index < 0 || index >= static_cast<int64_t>(type.size()))
    return emitOptionalError(loc, "C1: found index ", index, " for ", type);
  results.push_back(type.getType(index));
  return success();
}

LogicalResult OptimizationBarrierOp::inferReturnTypes(MLIRContext *,
                                                      OptionalLoc,
                                                      Adaptor adaptor,
                                                      Results &results) {
  llvm::append_range(results, adaptor.getOperands().getTypes());
  return success();
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor adaptor, Results &results) {
  return give(inferGather(loc, adaptor.getOperand().getType(),
                          adaptor.getStartIndices().getType(),
                          adaptor.getDimensionNumbers(),
                          adaptor.getSliceSizes()),
              results);
}

} // namespace ferrule::stablehlo
