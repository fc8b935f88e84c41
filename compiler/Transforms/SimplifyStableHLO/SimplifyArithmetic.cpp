// Identities of arithmetic. On floats only those that hold for every value,
// the sign of zero and NaN included.
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

/// Whether `value` is a constant whose elements all satisfy one of the
/// predicates.
bool isSplat(Value value, function_ref<bool(const APInt &)> isInt,
             function_ref<bool(const APFloat &)> isFloat) {
  DenseElementsAttr attr = matchConstant(value);
  if (!attr || !attr.isSplat())
    return false;
  if (isa<IntegerType>(attr.getElementType()))
    return isInt(attr.getSplatValue<APInt>());
  if (isa<FloatType>(attr.getElementType()))
    return isFloat(attr.getSplatValue<APFloat>());
  return false;
}

bool isZeroInt(const APInt &value) { return value.isZero(); }
bool isOneInt(const APInt &value) { return value.isOne(); }
bool isAllOnes(const APInt &value) { return value.isAllOnes(); }
bool neverFloat(const APFloat &) { return false; }
bool isOneFloat(const APFloat &value) { return value.isExactlyValue(1.0); }

/// Replaces `op` by an operand; its type may know less than the result's.
LogicalResult replaceByOperand(Operation *op, Value value,
                               PatternRewriter &rewriter) {
  Type type = op->getResult(0).getType();
  if (value.getType() != type) {
    auto from = cast<RankedTensorType>(value.getType());
    auto to = cast<RankedTensorType>(type);
    if (from.getRank() != to.getRank() ||
        from.getElementType() != to.getElementType())
      return rewriter.notifyMatchFailure(op, "types differ");
  }
  replaceWithCast(rewriter, op, value);
  return success();
}

/// x + 0, x - 0, x * 1, x / 1, x & ~0, x | 0, x ^ 0, shifts by 0 -> x
struct DropNeutral : RewritePattern {
  DropNeutral(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  /// Whether `value` as the right operand changes nothing.
  static bool isNeutral(Operation *op, Value value) {
    bool isBool = getElementTypeOrSelf(value.getType()).isInteger(1);
    // Only minus zero is neutral: 0 + -0 is 0, but -0 + 0 is 0 too.
    auto isNegZero = [](const APFloat &x) { return x.isNegZero(); };
    auto isPosZero = [](const APFloat &x) { return x.isPosZero(); };
    if (isa<AddOp>(op))
      return isSplat(value, isZeroInt, isNegZero);
    if (isa<SubtractOp>(op))
      return isSplat(value, isZeroInt, isPosZero);
    if (isa<MulOp, DivOp>(op))
      return isSplat(value, isOneInt, isOneFloat);
    if (isa<AndOp>(op))
      return isSplat(value, isAllOnes, neverFloat);
    if (isa<OrOp, XorOp, ShiftLeftOp, ShiftRightLogicalOp,
            ShiftRightArithmeticOp>(op))
      return isSplat(value, isZeroInt, neverFloat);
    if (isa<MaxOp>(op) && isBool)
      return isSplat(value, isZeroInt, neverFloat);
    if (isa<MinOp>(op) && isBool)
      return isSplat(value, isAllOnes, neverFloat);
    return false;
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
        !isa<StableHLODialect>(op->getDialect()))
      return failure();
    if (isNeutral(op, op->getOperand(1)))
      return replaceByOperand(op, op->getOperand(0), rewriter);
    if (op->hasTrait<OpTrait::IsCommutative>() &&
        isNeutral(op, op->getOperand(0)))
      return replaceByOperand(op, op->getOperand(1), rewriter);
    return failure();
  }
};

/// x * 0, x & 0 -> 0; x | ~0 -> ~0, on integers
struct FoldAbsorbing : RewritePattern {
  FoldAbsorbing(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<MulOp, AndOp, OrOp>(op))
      return failure();
    for (Value operand : op->getOperands())
      if (isa<OrOp>(op) ? isSplat(operand, isAllOnes, neverFloat)
                        : isSplat(operand, isZeroInt, neverFloat))
        return replaceByOperand(op, operand, rewriter);
    return rewriter.notifyMatchFailure(op, "no operand decides the result");
  }
};

/// not(not(x)), negate(negate(x)) -> x; and the same of conversions that
/// lose nothing on the way.
struct CancelPairs : RewritePattern {
  CancelPairs(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<NotOp, NegOp>(op))
      return failure();
    Operation *inner = op->getOperand(0).getDefiningOp();
    if (!inner || inner->getName() != op->getName())
      return rewriter.notifyMatchFailure(op, "no pair");
    return replaceByOperand(op, inner->getOperand(0), rewriter);
  }
};

/// Whether every value of `from` is one of `to`.
bool isLossless(Type from, Type to) {
  auto a = dyn_cast<IntegerType>(from), b = dyn_cast<IntegerType>(to);
  if (a && b && !b.isInteger(1)) {
    bool fromUnsigned = a.isUnsigned() || a.isInteger(1);
    if (fromUnsigned == b.isUnsigned())
      return a.getWidth() <= b.getWidth();
    return fromUnsigned && a.getWidth() < b.getWidth();
  }
  if (isa<Float16Type, BFloat16Type>(from))
    return isa<Float32Type, Float64Type>(to) || from == to;
  return isa<Float32Type>(from) && isa<Float32Type, Float64Type>(to);
}

/// convert(convert(x)) -> convert(x) when the first loses nothing
struct MergeConverts : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ConvertOp>();
    if (!inner || !isLossless(inner.getOperand().getType().getElementType(),
                              inner.getType().getElementType()))
      return rewriter.notifyMatchFailure(op, "no lossless conversion before");
    if (inner.getOperand().getType() == op.getType())
      rewriter.replaceOp(op, inner.getOperand());
    else
      rewriter.replaceOpWithNewOp<ConvertOp>(op, op.getType(),
                                             inner.getOperand());
    return success();
  }
};

/// select(constant, x, y), select(p, x, x) -> x; select(not p, x, y) ->
/// select(p, y, x)
struct SimplifySelect : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getOnTrue() == op.getOnFalse())
      return replaceByOperand(op, op.getOnTrue(), rewriter);
    if (isSplat(op.getPred(), isAllOnes, neverFloat))
      return replaceByOperand(op, op.getOnTrue(), rewriter);
    if (isSplat(op.getPred(), isZeroInt, neverFloat))
      return replaceByOperand(op, op.getOnFalse(), rewriter);
    auto inverted = op.getPred().getDefiningOp<NotOp>();
    if (!inverted)
      return rewriter.notifyMatchFailure(op, "both values are needed");
    rewriter.replaceOpWithNewOp<SelectOp>(op, op.getType(),
                                          inverted.getOperand(),
                                          op.getOnFalse(), op.getOnTrue());
    return success();
  }
};

/// Integers compared with themselves; unsigned x >= 0.
struct SimplifyCompare : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op,
                                PatternRewriter &rewriter) const override {
    ComparisonDirection direction = op.getComparisonDirection();
    if (!op.getType().hasStaticShape() ||
        !isa<IntegerType>(op.getLhs().getType().getElementType()) ||
        op.getLhs() != op.getRhs())
      return rewriter.notifyMatchFailure(op, "the result depends on values");
    bool holds = direction == ComparisonDirection::EQ ||
                 direction == ComparisonDirection::LE ||
                 direction == ComparisonDirection::GE;
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(op.getType(), holds));
    return success();
  }
};

/// real(complex(a, b)) -> a, imag(complex(a, b)) -> b
template <typename OpTy, unsigned part>
struct SimplifyPart : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto complex = op.getOperand().template getDefiningOp<ComplexOp>();
    if (!complex)
      return rewriter.notifyMatchFailure(op, "not made of parts here");
    return replaceByOperand(op, complex->getOperand(part), rewriter);
  }
};

/// complex(real(z), imag(z)) -> z
struct SimplifyComplex : OpRewritePattern<ComplexOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ComplexOp op,
                                PatternRewriter &rewriter) const override {
    auto real = op.getLhs().getDefiningOp<RealOp>();
    auto imag = op.getRhs().getDefiningOp<ImagOp>();
    if (!real || !imag || real.getOperand() != imag.getOperand())
      return rewriter.notifyMatchFailure(op, "not the parts of one value");
    return replaceByOperand(op, real.getOperand(), rewriter);
  }
};

/// max, min, and, or of a value with itself
struct SimplifyIdempotent : RewritePattern {
  SimplifyIdempotent(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<MaxOp, MinOp, AndOp, OrOp>(op) ||
        op->getOperand(0) != op->getOperand(1))
      return failure();
    return replaceByOperand(op, op->getOperand(0), rewriter);
  }
};

/// x - x, x ^ x -> 0 on integers
struct SimplifyDifference : RewritePattern {
  SimplifyDifference(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<SubtractOp, XorOp>(op) || op->getOperand(0) != op->getOperand(1))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto element = dyn_cast<IntegerType>(type.getElementType());
    if (!element || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "no static integers");
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(type, APInt(element.getWidth(), 0)));
    return success();
  }
};

} // namespace

void ferrule::populateSimplifyArithmeticPatterns(RewritePatternSet &patterns) {
  patterns.add<DropNeutral, FoldAbsorbing, CancelPairs, MergeConverts,
               SimplifySelect, SimplifyCompare, SimplifyPart<RealOp, 0>,
               SimplifyPart<ImagOp, 1>, SimplifyComplex, SimplifyIdempotent,
               SimplifyDifference>(patterns.getContext());
}
