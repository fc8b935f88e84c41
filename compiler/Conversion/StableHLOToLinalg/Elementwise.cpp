// Elementwise ops, constants and map.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

/// The sizes of an elementwise result: static where any operand or the result
/// is, else those of the first operand of the result's rank.
static Sizes elementwiseSizes(OpBuilder &b, Location loc, ValueRange operands,
                              RankedTensorType type) {
  Sizes sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      sizes.push_back(b.getIndexAttr(type.getDimSize(d)));
      continue;
    }
    Value chosen;
    for (Value operand : operands) {
      if (rankOf(operand) != type.getRank())
        continue;
      if (!chosen || !tensorType(operand).isDynamicDim(d))
        chosen = operand;
      if (!tensorType(operand).isDynamicDim(d))
        break;
    }
    sizes.push_back(tensor::getMixedSize(b, loc, chosen, d));
  }
  return sizes;
}

namespace {

/// op(%a, %b) -> generic on all elements; rank-0 operands of clamp and select
/// are broadcast.
struct ElementwiseLowering : ConversionPattern {
  ElementwiseLowering(Converter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isElementwise(op))
      return rewriter.notifyMatchFailure(op, "not elementwise");
    RankedTensorType type = resultType(getTypeConverter(), op->getResult(0));
    if (!type)
      return rewriter.notifyMatchFailure(op, "result type has no lowering");
    Location loc = op->getLoc();
    int64_t rank = type.getRank();
    SmallVector<AffineMap> maps;
    for (Value operand : operands) {
      if (rankOf(operand) == rank)
        maps.push_back(rewriter.getMultiDimIdentityMap(rank));
      else
        maps.push_back(AffineMap::get(rank, 0, op->getContext()));
    }
    Value out = emptyTensor(rewriter, loc,
                            elementwiseSizes(rewriter, loc, operands, type),
                            type.getElementType());
    bool complete = true;
    auto generic = parallelGeneric(
        rewriter, loc, operands, maps, out,
        [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          Value result = emitScalarOp(b, op, args.drop_back());
          complete = bool(result);
          return {complete ? result : args.back()};
        });
    if (!complete)
      return op->emitOpError("has no lowering for elements of type ")
             << getElementTypeOrSelf(op->getOperand(0));
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), type));
    return success();
  }
};

/// map(%a, ...) body -> generic with the body as scalars.
struct MapLowering : OpConversionPattern<stablehlo::MapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::MapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    ScalarRegion region(rewriter, op.getComputation(), [&](Value value) {
      return rewriter.getRemappedValue(value);
    });
    if (failed(region.verify()))
      return failure();
    ValueRange inputs = adaptor.getInputs();
    SmallVector<AffineMap> maps(
        inputs.size(), rewriter.getMultiDimIdentityMap(type.getRank()));
    Value out = emptyTensor(rewriter, loc,
                            elementwiseSizes(rewriter, loc, inputs, type),
                            type.getElementType());
    bool complete = true;
    auto generic = parallelGeneric(
        rewriter, loc, inputs, maps, out,
        [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          auto results = region.emit(b, args.drop_back());
          complete = succeeded(results);
          return complete ? *results : SmallVector<Value>{args.back()};
        });
    if (!complete)
      return failure();
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), type));
    return success();
  }
};

/// The elements as bytes.
static TypedAttr toBytes(ElementsAttr value, RankedTensorType type) {
  Type element = value.getElementType();
  SmallVector<APInt> bytes;
  if (auto range = value.tryGetValues<APInt>())
    for (const APInt &bits : *range)
      bytes.push_back(storedBits(element, bits));
  else if (auto range = value.tryGetValues<APFloat>())
    for (const APFloat &number : *range)
      bytes.push_back(storedBits(element, number.bitcastToAPInt()));
  else
    return {};
  if (isa<SplatElementsAttr>(value))
    return DenseElementsAttr::get(type, bytes.front());
  return DenseElementsAttr::get(type, bytes);
}

/// The elements as they are stored. Of whole bytes, the data stays where it
/// is.
static TypedAttr toStoredElements(ElementsAttr value, RankedTensorType type) {
  Type element = value.getElementType();
  bool isPart = isNarrowInteger(element) ||
                (isSmallFloat(element) && element.getIntOrFloatBitWidth() < 8);
  if (isPart)
    return toBytes(value, type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.getElementType() != type.getElementType())
      dense = dense.bitcast(type.getElementType());
    return dense.getType() == type ? dense : dense.reshape(type);
  }
  return {};
}

struct ConstantLowering : OpConversionPattern<stablehlo::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(
        op.getValue().getShapedType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "quantized constant");
    TypedAttr value = toStoredElements(op.getValue(), type);
    if (!value)
      return rewriter.notifyMatchFailure(op, "unknown kind of elements");
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), value);
    rewriter.replaceOp(
        op, castTo(rewriter, op.getLoc(), constant,
                   resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

} // namespace

void addElementwisePatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ElementwiseLowering>(converter, patterns.getContext());
  patterns.add<MapLowering>(converter, patterns.getContext());
}

void addConstantPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ConstantLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
