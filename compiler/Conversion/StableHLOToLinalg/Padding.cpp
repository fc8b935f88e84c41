// pad and dynamic_pad.
#include "compiler/Conversion/StableHLOToLinalg/Padding.h"
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

/// Edge padding only, not negative.
static Value padEdges(OpBuilder &b, Location loc, Value operand, Value scalar,
                      ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  SmallVector<int64_t> shape;
  for (auto [size, l, h] : llvm::zip(tensorType(operand).getShape(), low, high))
    shape.push_back(ShapedType::isDynamic(size) ? size : size + l + h);
  auto type =
      RankedTensorType::get(shape, tensorType(operand).getElementType());
  MLIRContext *context = b.getContext();
  return tensor::PadOp::create(b, loc, type, operand,
                               getAsIndexOpFoldResult(context, low),
                               getAsIndexOpFoldResult(context, high), scalar);
}

/// A filled tensor into which the operand's elements go with strides.
static Value padInside(OpBuilder &b, Location loc, Value operand, Value scalar,
                       ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                       ArrayRef<int64_t> interior) {
  Sizes sizes, from = sizesOf(b, loc, operand);
  for (size_t d = 0; d < from.size(); ++d) {
    // n elements become n + (n-1)*interior, and none stay none.
    AffineExpr n = b.getAffineDimExpr(0);
    OpFoldResult inner =
        affineIndex(b, loc, n + (n - 1) * interior[d], {from[d]});
    if (auto constant = getConstantIntValue(inner))
      inner = b.getIndexAttr(std::max<int64_t>(*constant, 0));
    else if (interior[d] != 0)
      inner = arith::MaxSIOp::create(b, loc, toValue(b, loc, inner),
                                     indexConstant(b, loc, 0))
                  .getResult();
    sizes.push_back(addIndices(b, loc, inner, b.getIndexAttr(low[d] + high[d])));
  }
  Value filled = filledTensor(b, loc, sizes, scalar);
  SmallVector<int64_t> strides;
  for (int64_t i : interior)
    strides.push_back(i + 1);
  MLIRContext *context = b.getContext();
  return tensor::InsertSliceOp::create(b, loc, operand, filled,
                                       getAsIndexOpFoldResult(context, low),
                                       from,
                                       getAsIndexOpFoldResult(context, strides));
}

/// Cuts elements off both ends.
static Value cutEdges(OpBuilder &b, Location loc, Value operand,
                      ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  Sizes sizes = sizesOf(b, loc, operand);
  for (auto [size, l, h] : llvm::zip(sizes, low, high))
    size = addIndices(b, loc, size, b.getIndexAttr(-(l + h)));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, loc, operand, getAsIndexOpFoldResult(b.getContext(), low), sizes,
      ones);
}

Value padTensor(OpBuilder &b, Location loc, Value operand, Value scalar,
                ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                ArrayRef<int64_t> interior) {
  SmallVector<int64_t> addLow, addHigh, cutLow, cutHigh;
  for (auto [l, h] : llvm::zip(low, high)) {
    addLow.push_back(std::max<int64_t>(l, 0));
    addHigh.push_back(std::max<int64_t>(h, 0));
    cutLow.push_back(std::max<int64_t>(-l, 0));
    cutHigh.push_back(std::max<int64_t>(-h, 0));
  }
  auto any = [](ArrayRef<int64_t> list) {
    return llvm::any_of(list, [](int64_t v) { return v != 0; });
  };
  bool cuts = any(cutLow) || any(cutHigh), adds = any(addLow) || any(addHigh);
  if (any(interior))
    operand = padInside(b, loc, operand, scalar, addLow, addHigh, interior);
  else if (adds)
    operand = padEdges(b, loc, operand, scalar, addLow, addHigh);
  // Cutting comes last: it may cut what was added on the other side.
  return cuts ? cutEdges(b, loc, operand, cutLow, cutHigh) : operand;
}

namespace {

struct PadLowering : OpConversionPattern<stablehlo::PadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value scalar = extractScalar(rewriter, loc, adaptor.getPaddingValue());
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    // An operand without elements has no place, not even behind the end.
    if (type.hasStaticShape() &&
        llvm::is_contained(tensorType(adaptor.getOperand()).getShape(), 0)) {
      Sizes sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
      rewriter.replaceOp(op, filledTensor(rewriter, loc, sizes, scalar));
      return success();
    }
    Value result = padTensor(rewriter, loc, adaptor.getOperand(), scalar,
                             op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                             op.getInteriorPadding());
    rewriter.replaceOp(
        op, castTo(rewriter, loc, result,
                   resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

/// dynamic_pad -> generic that asks of each position whether an element of
/// the operand lies there.
struct DynamicPadLowering : OpConversionPattern<stablehlo::DynamicPadOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Whether result position `at` holds an element, whose index becomes `at`.
  static Value findElement(OpBuilder &b, Location loc, Value operand,
                           ArrayRef<Value> low, ArrayRef<Value> interior,
                           SmallVectorImpl<Value> &at) {
    Value inside = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value one = indexConstant(b, loc, 1), zero = indexConstant(b, loc, 0);
    auto require = [&](arith::CmpIPredicate predicate, Value x, Value y) {
      Value holds = arith::CmpIOp::create(b, loc, predicate, x, y);
      inside = arith::AndIOp::create(b, loc, inside, holds);
    };
    for (size_t d = 0; d < at.size(); ++d) {
      Value position = arith::SubIOp::create(b, loc, at[d], low[d]);
      Value step = arith::AddIOp::create(b, loc, interior[d], one);
      Value index = arith::DivSIOp::create(b, loc, position, step);
      Value rest = arith::RemSIOp::create(b, loc, position, step);
      Value size = tensor::DimOp::create(b, loc, operand, d);
      require(arith::CmpIPredicate::sge, position, zero);
      require(arith::CmpIPredicate::eq, rest, zero);
      require(arith::CmpIPredicate::slt, index, size);
      at[d] = index;
    }
    return inside;
  }

  LogicalResult
  matchAndRewrite(stablehlo::DynamicPadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    Value scalar = extractScalar(rewriter, loc, adaptor.getPaddingValue());
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    SmallVector<Value> low, interior;
    Sizes sizes, from = sizesOf(rewriter, loc, operand);
    for (int64_t d = 0; d < type.getRank(); ++d) {
      low.push_back(
          extractIndex(rewriter, loc, adaptor.getEdgePaddingLow(), d));
      interior.push_back(
          extractIndex(rewriter, loc, adaptor.getInteriorPadding(), d));
      sizes.push_back(sizeOf(rewriter, loc, adaptor, from[d], d, low.back(),
                             interior.back(), type));
    }
    Value out = emptyTensor(rewriter, loc, sizes, type.getElementType());
    auto body = [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
      SmallVector<Value> at;
      for (int64_t d = 0; d < type.getRank(); ++d)
        at.push_back(linalg::IndexOp::create(b, loc, d));
      Value inside = findElement(b, loc, operand, low, interior, at);
      auto choice = scf::IfOp::create(
          b, loc, inside,
          [&](OpBuilder &nested, Location) {
            Value element = tensor::ExtractOp::create(nested, loc, operand, at);
            scf::YieldOp::create(nested, loc, element);
          },
          [&](OpBuilder &nested, Location) {
            scf::YieldOp::create(nested, loc, scalar);
          });
      return {choice.getResult(0)};
    };
    auto generic = parallelGeneric(rewriter, loc, {}, {}, out, body);
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), type));
    return success();
  }

  static OpFoldResult sizeOf(OpBuilder &b, Location loc, OpAdaptor adaptor,
                             OpFoldResult size, int64_t d, Value low,
                             Value interior, RankedTensorType type) {
    if (!type.isDynamicDim(d))
      return b.getIndexAttr(type.getDimSize(d));
    Value high = extractIndex(b, loc, adaptor.getEdgePaddingHigh(), d);
    Value n = toValue(b, loc, size), zero = indexConstant(b, loc, 0);
    Value gaps = arith::SubIOp::create(b, loc, n, indexConstant(b, loc, 1));
    gaps = arith::MaxSIOp::create(b, loc, gaps, zero);
    Value inner = arith::AddIOp::create(
        b, loc, n, arith::MulIOp::create(b, loc, gaps, interior));
    Value edges = arith::AddIOp::create(b, loc, low, high);
    return arith::AddIOp::create(b, loc, inner, edges).getResult();
  }
};

} // namespace

void addPadPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<PadLowering, DynamicPadLowering>(converter,
                                                patterns.getContext());
}

} // namespace ferrule::lowering
