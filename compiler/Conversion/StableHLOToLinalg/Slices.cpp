// slice, dynamic_slice, dynamic_update_slice, real_dynamic_slice.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

static SmallVector<OpFoldResult> ones(OpBuilder &b, size_t n) {
  return SmallVector<OpFoldResult>(n, b.getIndexAttr(1));
}

/// An empty box may begin at the end of its tensor; the slice ops want it to
/// begin inside.
static void startEmptyAtZero(OpBuilder &b, MutableArrayRef<OpFoldResult> starts,
                             ArrayRef<OpFoldResult> box) {
  for (auto [start, size] : llvm::zip(starts, box))
    if (isConstantIntValue(size, 0))
      start = b.getIndexAttr(0);
}

/// Start indices moved so that a box of the given sizes lies inside:
/// clamp(start, 0, size - box).
static SmallVector<OpFoldResult>
clampStarts(OpBuilder &b, Location loc, ValueRange starts, ValueRange originals,
            const Sizes &sizes, const Sizes &box) {
  SmallVector<OpFoldResult> clamped;
  for (size_t d = 0; d < sizes.size(); ++d) {
    OpFoldResult room = subIndices(b, loc, sizes[d], box[d]);
    if (isConstantIntValue(room, 0)) {
      clamped.push_back(b.getIndexAttr(0));
      continue;
    }
    bool isUnsigned =
        getElementTypeOrSelf(originals[d].getType()).isUnsignedInteger();
    Value start = toIndex(b, loc, extractScalar(b, loc, starts[d]), isUnsigned);
    Value zero = indexConstant(b, loc, 0);
    start = b.createOrFold<arith::MaxSIOp>(loc, start, zero);
    start = b.createOrFold<arith::MinSIOp>(loc, start, toValue(b, loc, room));
    clamped.push_back(getAsOpFoldResult(start));
  }
  startEmptyAtZero(b, clamped, box);
  return clamped;
}

namespace {

struct SliceLowering : OpConversionPattern<stablehlo::SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    SmallVector<int64_t> sizes;
    for (auto [start, limit, stride] :
         llvm::zip(op.getStartIndices(), op.getLimitIndices(), op.getStrides()))
      sizes.push_back(llvm::divideCeil(limit - start, stride));
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Sizes box = getAsIndexOpFoldResult(context, sizes);
    SmallVector<OpFoldResult> starts =
        getAsIndexOpFoldResult(context, op.getStartIndices());
    startEmptyAtZero(rewriter, starts, box);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), adaptor.getOperand(), starts, box,
        getAsIndexOpFoldResult(context, op.getStrides()));
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), slice, type));
    return success();
  }
};

struct DynamicSliceLowering : OpConversionPattern<stablehlo::DynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::DynamicSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    Sizes box = getAsIndexOpFoldResult(op.getContext(), op.getSliceSizes());
    SmallVector<OpFoldResult> starts =
        clampStarts(rewriter, loc, adaptor.getStartIndices(),
                    op.getStartIndices(), sizesOf(rewriter, loc, operand), box);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, loc, operand, starts, box, ones(rewriter, box.size()));
    rewriter.replaceOp(op,
                       castTo(rewriter, loc, slice,
                              resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

struct DynamicUpdateSliceLowering
    : OpConversionPattern<stablehlo::DynamicUpdateSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::DynamicUpdateSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand(), update = adaptor.getUpdate();
    Sizes box = sizesOf(rewriter, loc, update);
    SmallVector<OpFoldResult> starts =
        clampStarts(rewriter, loc, adaptor.getStartIndices(),
                    op.getStartIndices(), sizesOf(rewriter, loc, operand), box);
    Value result =
        tensor::InsertSliceOp::create(rewriter, loc, update, operand, starts,
                                      box, ones(rewriter, box.size()));
    rewriter.replaceOp(op,
                       castTo(rewriter, loc, result,
                              resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

/// The box [start, limit) with strides, all known at run time only.
struct RealDynamicSliceLowering
    : OpConversionPattern<stablehlo::RealDynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::RealDynamicSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    SmallVector<OpFoldResult> starts, sizes, strides;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      Value start = extractIndex(rewriter, loc, adaptor.getStartIndices(), d);
      Value stride = extractIndex(rewriter, loc, adaptor.getStrides(), d);
      starts.push_back(start);
      strides.push_back(stride);
      if (!type.isDynamicDim(d)) {
        sizes.push_back(rewriter.getIndexAttr(type.getDimSize(d)));
        continue;
      }
      Value limit = extractIndex(rewriter, loc, adaptor.getLimitIndices(), d);
      Value length = arith::SubIOp::create(rewriter, loc, limit, start);
      sizes.push_back(arith::CeilDivSIOp::create(rewriter, loc, length, stride)
                          .getResult());
    }
    startEmptyAtZero(rewriter, starts, sizes);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, loc, adaptor.getOperand(), starts, sizes, strides);
    rewriter.replaceOp(op, castTo(rewriter, loc, slice, type));
    return success();
  }
};

} // namespace

void addSlicePatterns(Converter &converter, Patterns &patterns) {
  patterns.add<SliceLowering, DynamicSliceLowering, DynamicUpdateSliceLowering,
               RealDynamicSliceLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
