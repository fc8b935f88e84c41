// broadcast_* ops: the operands broadcast to their common shape, then the
// plain op.
#include "compiler/Conversion/CHLOToStableHLO/Patterns.h"

using namespace mlir;

namespace ferrule::chlo {

namespace {

/// Broadcasts ranked tensors against each other. Trailing dimensions align,
/// or those that an operand's `dims` name.
struct Broadcaster {
  OpBuilder &b;
  Location loc;
  SmallVector<Value> operands;
  SmallVector<SmallVector<int64_t>> dims;

  int64_t rank() const {
    int64_t rank = 0;
    for (Value operand : operands)
      rank = std::max(rank, typeOf(operand).getRank());
    return rank;
  }
  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  /// Static sizes of the result; dynamic where it depends on the run.
  SmallVector<int64_t> staticShape() const {
    SmallVector<int64_t> shape(rank(), 1);
    for (auto [operand, positions] : llvm::zip(operands, dims))
      for (auto [i, d] : llvm::enumerate(positions)) {
        int64_t size = typeOf(operand).getDimSize(i);
        if (size == 1)
          continue;
        bool known = !ShapedType::isDynamic(size);
        // A known size other than 1 is the result's; else it is unknown.
        if (known || shape[d] == 1)
          shape[d] = size;
      }
    return shape;
  }

  /// The result's sizes as a tensor<Nxi32>: size 1 gives way to the other.
  Value dynamicShape() {
    Type i32 = b.getI32Type();
    auto one = RankedTensorType::get({1}, i32);
    auto scalar = RankedTensorType::get({}, i32);
    SmallVector<Value> sizes(rank());
    Value unit = stablehlo::ConstantOp::create(
        b, loc, DenseElementsAttr::get(scalar, b.getI32IntegerAttr(1)));
    for (auto [operand, positions] : llvm::zip(operands, dims))
      for (auto [i, d] : llvm::enumerate(positions)) {
        Value size = stablehlo::GetDimensionSizeOp::create(b, loc, scalar,
                                                           operand, i);
        if (!sizes[d]) {
          sizes[d] = size;
          continue;
        }
        Value isUnit = stablehlo::CompareOp::create(
            b, loc, sizes[d], unit, stablehlo::ComparisonDirection::EQ);
        sizes[d] = stablehlo::SelectOp::create(b, loc, scalar, isUnit, size,
                                               sizes[d]);
      }
    for (Value &size : sizes)
      size = stablehlo::ReshapeOp::create(b, loc, one, size ? size : unit);
    return stablehlo::ConcatenateOp::create(
        b, loc, RankedTensorType::get({rank()}, i32), sizes, 0);
  }

  SmallVector<Value> broadcast() {
    SmallVector<int64_t> shape = staticShape();
    bool isStatic = !ShapedType::isDynamicShape(shape);
    Value sizes;
    SmallVector<Value> result;
    for (auto [operand, positions] : llvm::zip(operands, dims)) {
      RankedTensorType from = typeOf(operand);
      auto type = RankedTensorType::get(shape, from.getElementType());
      if (isStatic && from == type) {
        result.push_back(operand);
      } else if (isStatic && from.hasStaticShape()) {
        result.push_back(stablehlo::BroadcastInDimOp::create(
            b, loc, type, operand, positions));
      } else {
        if (!sizes)
          sizes = dynamicShape();
        result.push_back(stablehlo::DynamicBroadcastInDimOp::create(
            b, loc, type, operand, sizes, positions));
      }
    }
    return result;
  }
};

SmallVector<int64_t> trailingDims(Value value, int64_t rank) {
  int64_t own = cast<RankedTensorType>(value.getType()).getRank();
  return llvm::to_vector(llvm::seq<int64_t>(rank - own, rank));
}

/// Broadcasts two operands; those that have the greatest rank already align.
std::optional<SmallVector<Value>>
broadcastPair(OpBuilder &b, Location loc, Value lhs, Value rhs,
              std::optional<ArrayRef<int64_t>> given) {
  if (!isa<RankedTensorType>(lhs.getType()) ||
      !isa<RankedTensorType>(rhs.getType()))
    return std::nullopt;
  Broadcaster broadcaster{b, loc, {lhs, rhs}, {}};
  int64_t rank = broadcaster.rank();
  for (Value operand : {lhs, rhs}) {
    int64_t own = cast<RankedTensorType>(operand.getType()).getRank();
    bool useGiven = given && own < rank && int64_t(given->size()) == own;
    broadcaster.dims.push_back(useGiven ? llvm::to_vector(*given)
                                        : trailingDims(operand, rank));
  }
  return broadcaster.broadcast();
}

template <typename From, typename To>
struct BroadcastLowering : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    auto operands =
        broadcastPair(rewriter, op.getLoc(), op.getLhs(), op.getRhs(),
                      op.getBroadcastDimensions());
    if (!operands)
      return rewriter.notifyMatchFailure(op, "unranked operand");
    auto shape =
        cast<RankedTensorType>(operands->front().getType()).getShape();
    auto type = RankedTensorType::get(
        shape, getElementTypeOrSelf(op.getResult().getType()));
    rewriter.replaceOpWithNewOp<To>(op, type, *operands, ArrayRef<NamedAttribute>());
    return success();
  }
};

struct BroadcastCompareLowering : OpRewritePattern<BroadcastCompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastCompareOp op,
                                PatternRewriter &rewriter) const override {
    auto operands =
        broadcastPair(rewriter, op.getLoc(), op.getLhs(), op.getRhs(),
                      op.getBroadcastDimensions());
    if (!operands)
      return rewriter.notifyMatchFailure(op, "unranked operand");
    // The enumerations of the two dialects have the same numbers.
    auto compare = stablehlo::CompareOp::create(
        rewriter, op.getLoc(), (*operands)[0], (*operands)[1],
        static_cast<stablehlo::ComparisonDirection>(
            op.getComparisonDirection()));
    if (auto type = op.getCompareType())
      compare.setCompareTypeAttr(stablehlo::ComparisonTypeAttr::get(
          op.getContext(), static_cast<stablehlo::ComparisonType>(*type)));
    rewriter.replaceOp(op, compare.getResult());
    return success();
  }
};

struct BroadcastSelectLowering : OpRewritePattern<BroadcastSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastSelectOp op,
                                PatternRewriter &rewriter) const override {
    for (Value operand : op->getOperands())
      if (!isa<RankedTensorType>(operand.getType()))
        return rewriter.notifyMatchFailure(op, "unranked operand");
    Broadcaster broadcaster{rewriter, op.getLoc(),
                            llvm::to_vector(op->getOperands()), {}};
    int64_t rank = broadcaster.rank();
    for (Value operand : op->getOperands())
      broadcaster.dims.push_back(trailingDims(operand, rank));
    SmallVector<Value> operands = broadcaster.broadcast();
    rewriter.replaceOpWithNewOp<stablehlo::SelectOp>(
        op, operands[1].getType(), operands[0], operands[1], operands[2]);
    return success();
  }
};

} // namespace

void addBroadcastPatterns(RewritePatternSet &patterns) {
  patterns.add<BroadcastLowering<BroadcastAddOp, stablehlo::AddOp>,
               BroadcastLowering<BroadcastAndOp, stablehlo::AndOp>,
               BroadcastLowering<BroadcastAtan2Op, stablehlo::Atan2Op>,
               BroadcastLowering<BroadcastComplexOp, stablehlo::ComplexOp>,
               BroadcastLowering<BroadcastDivOp, stablehlo::DivOp>,
               BroadcastLowering<BroadcastMaxOp, stablehlo::MaxOp>,
               BroadcastLowering<BroadcastMinOp, stablehlo::MinOp>,
               BroadcastLowering<BroadcastMulOp, stablehlo::MulOp>,
               BroadcastLowering<BroadcastNextAfterOp, NextAfterOp>,
               BroadcastLowering<BroadcastOrOp, stablehlo::OrOp>,
               BroadcastLowering<BroadcastPolygammaOp, PolygammaOp>,
               BroadcastLowering<BroadcastPowOp, stablehlo::PowOp>,
               BroadcastLowering<BroadcastRemOp, stablehlo::RemOp>,
               BroadcastLowering<BroadcastShiftLeftOp, stablehlo::ShiftLeftOp>,
               BroadcastLowering<BroadcastShiftRightArithmeticOp,
                                 stablehlo::ShiftRightArithmeticOp>,
               BroadcastLowering<BroadcastShiftRightLogicalOp,
                                 stablehlo::ShiftRightLogicalOp>,
               BroadcastLowering<BroadcastSubOp, stablehlo::SubtractOp>,
               BroadcastLowering<BroadcastXorOp, stablehlo::XorOp>,
               BroadcastLowering<BroadcastZetaOp, ZetaOp>,
               BroadcastCompareLowering, BroadcastSelectLowering>(
      patterns.getContext());
}

} // namespace ferrule::chlo
