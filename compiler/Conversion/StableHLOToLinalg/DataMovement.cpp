// transpose, reverse, iota, concatenate, bitcast_convert, sizes.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

static SmallVector<Value> passThrough(OpBuilder &, ValueRange args) {
  return {args[0]};
}

namespace {

/// transpose -> generic that reads permuted.
struct TransposeLowering : OpConversionPattern<stablehlo::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Sizes from = sizesOf(rewriter, loc, operand), sizes;
    SmallVector<AffineExpr> exprs(from.size());
    for (auto [i, d] : llvm::enumerate(op.getPermutation())) {
      sizes.push_back(from[d]);
      exprs[d] = rewriter.getAffineDimExpr(i);
    }
    auto map = AffineMap::get(sizes.size(), 0, exprs, op.getContext());
    Value out = emptyTensor(rewriter, loc, sizes, type.getElementType());
    auto generic =
        parallelGeneric(rewriter, loc, operand, map, out, passThrough);
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), type));
    return success();
  }
};

/// reverse -> generic that reads from the end. The index is computed in the
/// body: a map that decreases would be tiled wrongly.
struct ReverseLowering : OpConversionPattern<stablehlo::ReverseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::ReverseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Sizes sizes = sizesOf(rewriter, loc, operand);
    SmallVector<Value> last(sizes.size());
    for (int64_t d : op.getDimensions())
      last[d] = toValue(
          rewriter, loc,
          subIndices(rewriter, loc, sizes[d], rewriter.getIndexAttr(1)));
    Value out = emptyTensor(rewriter, loc, sizes, type.getElementType());
    auto body = [&](OpBuilder &b, ValueRange) {
      SmallVector<Value> at;
      for (auto [d, end] : llvm::enumerate(last)) {
        Value index = linalg::IndexOp::create(b, loc, d);
        at.push_back(end ? Value(arith::SubIOp::create(b, loc, end, index))
                         : index);
      }
      return SmallVector<Value>{tensor::ExtractOp::create(b, loc, operand, at)};
    };
    auto generic = parallelGeneric(rewriter, loc, {}, {}, out, body);
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), type));
    return success();
  }
};

} // namespace

static Value iota(OpBuilder &b, Location loc, int64_t dimension,
                  const Sizes &sizes, Type element) {
  Value out = emptyTensor(b, loc, sizes, getStoredElement(element));
  auto body = [&](OpBuilder &nested, ValueRange) -> SmallVector<Value> {
    Value index = linalg::IndexOp::create(nested, loc, dimension);
    if (isa<IntegerType>(element) && !isNarrowInteger(element))
      return {arith::IndexCastOp::create(nested, loc,
                                         getStoredElement(element), index)};
    Type i64 = nested.getI64Type();
    Value wide = arith::IndexCastOp::create(nested, loc, i64, index);
    return {emitConvert(nested, loc, wide, i64, element)};
  };
  return parallelGeneric(b, loc, {}, {}, out, body).getResult(0);
}

namespace {

struct IotaLowering : OpConversionPattern<stablehlo::IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::IotaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    Sizes sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
    rewriter.replaceOp(op, iota(rewriter, op.getLoc(), op.getIotaDimension(),
                                sizes, type.getElementType()));
    return success();
  }
};

struct DynamicIotaLowering : OpConversionPattern<stablehlo::DynamicIotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::DynamicIotaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    Sizes sizes = sizesFromShape(rewriter, op.getLoc(),
                                 adaptor.getOutputShape(), type);
    rewriter.replaceOp(op, iota(rewriter, op.getLoc(), op.getIotaDimension(),
                                sizes, type.getElementType()));
    return success();
  }
};

/// concatenate -> a chain of tensor.insert_slice.
struct ConcatenateLowering : OpConversionPattern<stablehlo::ConcatenateOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::ConcatenateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    int64_t d = op.getDimension();
    Sizes sizes = sizesOf(rewriter, loc, adaptor.getInputs().front());
    OpFoldResult total = rewriter.getIndexAttr(0);
    SmallVector<OpFoldResult> starts;
    for (Value input : adaptor.getInputs()) {
      starts.push_back(total);
      total = addIndices(rewriter, loc, total,
                         tensor::getMixedSize(rewriter, loc, input, d));
    }
    sizes[d] = total;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (!type.isDynamicDim(i))
        sizes[i] = rewriter.getIndexAttr(type.getDimSize(i));
    Value result = emptyTensor(rewriter, loc, sizes, type.getElementType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
    for (auto [input, start] : llvm::zip(adaptor.getInputs(), starts)) {
      if (tensorType(input).getDimSize(d) == 0)
        continue;
      offsets[d] = start;
      result = tensor::InsertSliceOp::create(
          rewriter, loc, input, result, offsets,
          sizesOf(rewriter, loc, input), ones);
    }
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

struct GetDimensionSizeLowering
    : OpConversionPattern<stablehlo::GetDimensionSizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::GetDimensionSizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value size = tensor::DimOp::create(rewriter, loc, adaptor.getOperand(),
                                       op.getDimension());
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Value cast = arith::IndexCastOp::create(rewriter, loc,
                                            type.getElementType(), size);
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, cast);
    return success();
  }
};

/// tensor.cast of unsigned integers.
struct CastLowering : OpConversionPattern<tensor::CastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tensor::CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), adaptor.getSource(),
                                  resultType(getTypeConverter(),
                                             op.getResult())));
    return success();
  }
};

/// Cuts the operand to the given size.
struct SetDimensionSizeLowering
    : OpConversionPattern<stablehlo::SetDimensionSizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::SetDimensionSizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Sizes sizes = sizesOf(rewriter, loc, operand);
    int64_t d = op.getDimension();
    if (type.isDynamicDim(d))
      sizes[d] = toIndex(rewriter, loc,
                         extractScalar(rewriter, loc, adaptor.getSize()));
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, operand, zeros,
                                                 sizes, ones);
    rewriter.replaceOp(op, castTo(rewriter, loc, slice, type));
    return success();
  }
};

} // namespace

//===-- bitcast_convert ---------------------------------------------------===//

/// Bits of one element: not those of the byte that stores it.
static unsigned ownWidth(Type element) {
  return element.getIntOrFloatBitWidth();
}

/// The bits of a stored element as an integer of its own width, and back.
static Value toBits(OpBuilder &b, Location loc, Value value, Type element) {
  Type bits = b.getIntegerType(ownWidth(element));
  if (value.getType() == bits)
    return value;
  if (isSmallFloat(element) || isNarrowInteger(element))
    return arith::TruncIOp::create(b, loc, bits, value);
  return arith::BitcastOp::create(b, loc, bits, value);
}
static Value fromBits(OpBuilder &b, Location loc, Value bits, Type element) {
  Type stored = getStoredElement(element);
  if (bits.getType() == stored)
    return bits;
  if (isNarrowInteger(element))
    return toStored(b, loc, bits, element);
  if (isSmallFloat(element))
    return arith::ExtUIOp::create(b, loc, stored, bits);
  return arith::BitcastOp::create(b, loc, stored, bits);
}

/// Element of a narrower type: bits [part*width, (part+1)*width).
static Value takePart(OpBuilder &b, Location loc, Value bits, Value part,
                      Type to) {
  Type wide = bits.getType();
  Value shift = arith::MulIOp::create(
      b, loc, arith::IndexCastOp::create(b, loc, wide, part),
      getConstant(b, loc, wide, ownWidth(to)));
  Value shifted = arith::ShRUIOp::create(b, loc, bits, shift);
  return fromBits(
      b, loc,
      arith::TruncIOp::create(b, loc, b.getIntegerType(ownWidth(to)), shifted),
      to);
}

namespace {

/// Equal widths: generic with arith.bitcast. Otherwise the last dimension
/// holds the parts of one wide element, lowest bits first.
struct BitcastConvertLowering
    : OpConversionPattern<stablehlo::BitcastConvertOp> {
  using OpConversionPattern::OpConversionPattern;

  /// One result element an operand element, or several: `ratio` > 1.
  Value narrow(OpBuilder &b, Location loc, Value operand, Type from, Type to,
               int64_t ratio) const {
    Sizes sizes = sizesOf(b, loc, operand);
    int64_t loops = sizes.size();
    AffineMap map = b.getMultiDimIdentityMap(loops);
    if (ratio > 1) {
      sizes.push_back(b.getIndexAttr(ratio));
      map = firstLoops(b.getContext(), loops + 1, loops);
    }
    Value out = emptyTensor(b, loc, sizes, getStoredElement(to));
    auto body = [&](OpBuilder &nested, ValueRange args) -> SmallVector<Value> {
      Value bits = toBits(nested, loc, args[0], from);
      if (ratio == 1)
        return {fromBits(nested, loc, bits, to)};
      Value part = linalg::IndexOp::create(nested, loc, loops);
      return {takePart(nested, loc, bits, part, to)};
    };
    return parallelGeneric(b, loc, operand, map, out, body).getResult(0);
  }

  Value widen(OpBuilder &b, Location loc, Value operand, Type from, Type to,
              int64_t ratio) const {
    Sizes sizes = sizesOf(b, loc, operand);
    sizes.pop_back();
    Type wide = b.getIntegerType(ownWidth(to));
    Value out = emptyTensor(b, loc, sizes, getStoredElement(to));
    auto body = [&](OpBuilder &nested, ValueRange) -> SmallVector<Value> {
      SmallVector<Value> at;
      for (size_t d = 0; d < sizes.size(); ++d)
        at.push_back(linalg::IndexOp::create(nested, loc, d));
      at.push_back({});
      Value bits = getConstant(nested, loc, wide, 0);
      for (int64_t i = 0; i < ratio; ++i) {
        at.back() = indexConstant(nested, loc, i);
        Value part = tensor::ExtractOp::create(nested, loc, operand, at);
        part = arith::ExtUIOp::create(nested, loc, wide,
                                      toBits(nested, loc, part, from));
        part = arith::ShLIOp::create(
            nested, loc, part,
            getConstant(nested, loc, wide, i * ownWidth(from)));
        bits = arith::OrIOp::create(nested, loc, bits, part);
      }
      return {fromBits(nested, loc, bits, to)};
    };
    return parallelGeneric(b, loc, {}, {}, out, body).getResult(0);
  }

  LogicalResult
  matchAndRewrite(stablehlo::BitcastConvertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Type from = getElementTypeOrSelf(op.getOperand().getType());
    Type to = getElementTypeOrSelf(op.getResult().getType());
    if (from == to) {
      rewriter.replaceOp(op, castTo(rewriter, loc, operand, type));
      return success();
    }
    if (!from.isIntOrFloat() || !to.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "complex elements");
    unsigned fromWidth = ownWidth(from), toWidth = ownWidth(to);
    Value result =
        fromWidth < toWidth
            ? widen(rewriter, loc, operand, from, to, toWidth / fromWidth)
            : narrow(rewriter, loc, operand, from, to, fromWidth / toWidth);
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

} // namespace

void addDataMovementPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<TransposeLowering, ReverseLowering, IotaLowering,
               DynamicIotaLowering, ConcatenateLowering,
               GetDimensionSizeLowering, SetDimensionSizeLowering,
               BitcastConvertLowering, CastLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
