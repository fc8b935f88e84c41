// Operations whose shape is an operand: to their static forms when it is
// constant, to better types when a part of it is.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

/// `type` with the sizes that the vector of sizes gives; fails when nothing
/// becomes better known.
FailureOr<RankedTensorType> refine(RankedTensorType type, Value shape) {
  auto sizes = matchSizes(shape);
  if (!sizes || static_cast<int64_t>(sizes->size()) != type.getRank())
    return failure();
  SmallVector<int64_t> merged;
  for (auto [size, known] : llvm::zip(type.getShape(), *sizes)) {
    if (known < 0 && !ShapedType::isDynamic(known))
      return failure();
    FailureOr<int64_t> best = mergeSizes(size, known);
    if (failed(best))
      return failure();
    merged.push_back(*best);
  }
  auto refined = RankedTensorType::get(merged, type.getElementType());
  if (refined == type)
    return failure();
  return refined;
}

/// Gives `op` (whose operand `shape` holds the result's sizes) the better
/// type, with a cast for its users.
LogicalResult refineResult(Operation *op, Value shape,
                           PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  FailureOr<RankedTensorType> refined = refine(type, shape);
  if (failed(refined))
    return rewriter.notifyMatchFailure(op, "no further size is known");
  rewriter.modifyOpInPlace(op, [&] { op->getResult(0).setType(*refined); });
  rewriter.setInsertionPointAfter(op);
  Value cast =
      tensor::CastOp::create(rewriter, op->getLoc(), type, op->getResult(0));
  rewriter.replaceAllUsesExcept(op->getResult(0), cast, cast.getDefiningOp());
  return success();
}

/// dynamic_iota of a static shape -> iota
struct StaticIota : OpRewritePattern<DynamicIotaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicIotaOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().hasStaticShape())
      return refineResult(op, op.getOutputShape(), rewriter);
    rewriter.replaceOpWithNewOp<IotaOp>(op, op.getType(),
                                        op.getIotaDimension());
    return success();
  }
};

/// dynamic_reshape to a static shape -> reshape
struct StaticReshape : OpRewritePattern<DynamicReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicReshapeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getType().hasStaticShape()) {
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
      return success();
    }
    if (auto refined = countElements(op); succeeded(refined)) {
      Value reshape =
          ReshapeOp::create(rewriter, op.getLoc(), *refined, op.getOperand());
      replaceWithCast(rewriter, op, reshape);
      return success();
    }
    return refineResult(op, op.getOutputShape(), rewriter);
  }

  /// One unknown size follows from the number of elements.
  static FailureOr<RankedTensorType> countElements(DynamicReshapeOp op) {
    RankedTensorType from = op.getOperand().getType(), to = op.getType();
    if (!from.hasStaticShape() || to.getNumDynamicDims() != 1)
      return failure();
    int64_t known = 1;
    SmallVector<int64_t> shape(to.getShape());
    for (int64_t size : shape)
      if (!ShapedType::isDynamic(size))
        known *= size;
    if (known == 0 || from.getNumElements() % known != 0)
      return failure();
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size))
        size = from.getNumElements() / known;
    return RankedTensorType::get(shape, to.getElementType());
  }
};

/// dynamic_broadcast_in_dim to a static shape -> broadcast_in_dim
struct StaticBroadcast : OpRewritePattern<DynamicBroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicBroadcastInDimOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().hasStaticShape())
      return refineResult(op, op.getOutputDimensions(), rewriter);
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(
        op, op.getType(), op.getOperand(), op.getBroadcastDimensions());
    return success();
  }
};

/// dynamic_pad by constants -> pad
struct StaticPad : OpRewritePattern<DynamicPadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicPadOp op,
                                PatternRewriter &rewriter) const override {
    auto low = matchIntegers(op.getEdgePaddingLow());
    auto high = matchIntegers(op.getEdgePaddingHigh());
    auto interior = matchIntegers(op.getInteriorPadding());
    if (!low || !high || !interior)
      return rewriter.notifyMatchFailure(op, "the amounts are not constant");
    FailureOr<RankedTensorType> type =
        inferPad(std::nullopt, op.getOperand().getType(),
                 op.getPaddingValue().getType(), *low, *high, *interior);
    if (failed(type))
      return rewriter.notifyMatchFailure(op, "the amounts are not valid");
    Value pad = PadOp::create(rewriter, op.getLoc(), op.getOperand(),
                              op.getPaddingValue(), *low, *high, *interior);
    replaceWithCast(rewriter, op, pad);
    return success();
  }
};

/// real_dynamic_slice at constants -> slice
struct StaticSlice : OpRewritePattern<RealDynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RealDynamicSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto starts = matchIntegers(op.getStartIndices());
    auto limits = matchIntegers(op.getLimitIndices());
    auto strides = matchIntegers(op.getStrides());
    if (!starts || !limits || !strides)
      return rewriter.notifyMatchFailure(op, "the bounds are not constant");
    if (failed(inferSlice(std::nullopt, op.getOperand().getType(), *starts,
                          *limits, *strides)))
      return rewriter.notifyMatchFailure(op, "the bounds are not valid");
    Value slice = SliceOp::create(rewriter, op.getLoc(), op.getOperand(),
                                  *starts, *limits, *strides);
    replaceWithCast(rewriter, op, slice);
    return success();
  }
};

/// dynamic_slice at constants -> slice, moved inside as the operation does
struct SliceAtConstants : OpRewritePattern<DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    SmallVector<int64_t> starts, limits, strides(type.getRank(), 1);
    for (auto [i, index] : llvm::enumerate(op.getStartIndices())) {
      int64_t size = op.getSliceSizes()[i];
      auto start = matchIntegers(index);
      // A slice of everything starts at 0 wherever it should.
      if (type.getDimSize(i) == size)
        start = SmallVector<int64_t>{0};
      if (!start || type.isDynamicDim(i))
        return rewriter.notifyMatchFailure(op, "the start is not constant");
      starts.push_back(
          std::clamp<int64_t>(start->front(), 0, type.getDimSize(i) - size));
      limits.push_back(starts.back() + size);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(),
                                         starts, limits, strides);
    return success();
  }
};

/// dynamic_gather of constant sizes -> gather
struct StaticGather : OpRewritePattern<DynamicGatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicGatherOp op,
                                PatternRewriter &rewriter) const override {
    auto sizes = matchIntegers(op.getSliceSizes());
    if (!sizes || failed(inferGather(std::nullopt, op.getOperand().getType(),
                                     op.getStartIndices().getType(),
                                     op.getDimensionNumbers(), *sizes)))
      return rewriter.notifyMatchFailure(op, "the sizes are not constant");
    Value gather = GatherOp::create(
        rewriter, op.getLoc(), op.getOperand(), op.getStartIndices(),
        op.getDimensionNumbers(), *sizes, op.getIndicesAreSorted());
    replaceWithCast(rewriter, op, gather);
    return success();
  }
};

/// dynamic_conv of constant padding -> convolution
struct StaticConvolution : OpRewritePattern<DynamicConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicConvOp op,
                                PatternRewriter &rewriter) const override {
    auto padding = matchIntegers(op.getPadding());
    if (!padding)
      return rewriter.notifyMatchFailure(op, "the padding is not constant");
    auto type = RankedTensorType::get(
        {static_cast<int64_t>(padding->size() / 2), 2}, rewriter.getI64Type());
    rewriter.replaceOpWithNewOp<ConvolutionOp>(
        op, op.getType(), op.getLhs(), op.getRhs(), op.getWindowStridesAttr(),
        DenseIntElementsAttr::get(type, *padding), op.getLhsDilationAttr(),
        op.getRhsDilationAttr(), op.getWindowReversalAttr(),
        op.getDimensionNumbersAttr(), op.getFeatureGroupCountAttr(),
        op.getBatchGroupCountAttr(), op.getPrecisionConfigAttr());
    return success();
  }
};

} // namespace

void ferrule::populateStaticFormsPatterns(RewritePatternSet &patterns) {
  patterns.add<StaticIota, StaticReshape, StaticBroadcast, StaticPad,
               StaticSlice, SliceAtConstants, StaticGather, StaticConvolution>(
      patterns.getContext());
}
