// Functions of one or two operands, top_k, constants.
#include "compiler/Conversion/CHLOToStableHLO/Patterns.h"

using namespace mlir;

namespace ferrule::chlo {

/// Functions that stay calls until they become scalar code.
static bool isCallName(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases("acos", "acosh", "asin", "asinh", "atan", "atanh", true)
      .Cases("bessel_i1e", "cosh", "digamma", "erf", "erf_inv", "erfc", true)
      .Cases("is_inf", "is_neg_inf", "is_pos_inf", "lgamma", "mulhi", true)
      .Cases("next_after", "polygamma", "sinh", "zeta", true)
      .Default(false);
}

static bool hasComplexOperand(Operation *op) {
  return op->getNumOperands() > 0 &&
         isa<ComplexType>(getElementTypeOrSelf(op->getOperand(0).getType()));
}

namespace {

/// chlo.erf %x -> stablehlo.custom_call @ferrule.erf(%x)
struct CallLowering : RewritePattern {
  explicit CallLowering(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<CHLODialect>(op->getDialect()))
      return rewriter.notifyMatchFailure(op, "not a chlo op");
    StringRef name = op->getName().stripDialect();
    if (!isCallName(name) || hasComplexOperand(op))
      return rewriter.notifyMatchFailure(op, "not a call by name");
    rewriter.replaceOpWithNewOp<stablehlo::CustomCallOp>(
        op, op->getResultTypes(), op->getOperands(),
        ("ferrule." + name).str());
    return success();
  }
};

struct TanLowering : OpRewritePattern<TanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TanOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::TanOp>(
        op, op.getType(), op.getOperand(), stablehlo::ResultAccuracyAttr());
    return success();
  }
};

struct SquareLowering : OpRewritePattern<SquareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SquareOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::MulOp>(
        op, op.getType(), op.getOperand(), op.getOperand());
    return success();
  }
};

struct ConjLowering : OpRewritePattern<ConjOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConjOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getOperand().getType());
    auto element = dyn_cast<ComplexType>(type.getElementType());
    if (!element) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    Location loc = op.getLoc();
    auto part = type.clone(element.getElementType());
    Value re =
        stablehlo::RealOp::create(rewriter, loc, part, op.getOperand());
    Value im =
        stablehlo::ImagOp::create(rewriter, loc, part, op.getOperand());
    Value negated = stablehlo::NegOp::create(rewriter, loc, part, im);
    rewriter.replaceOpWithNewOp<stablehlo::ComplexOp>(op, op.getType(), re,
                                                      negated);
    return success();
  }
};

struct ConstantLowering : OpRewritePattern<ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConstantOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(op, op.getValue());
    return success();
  }
};

struct ConstantLikeLowering : OpRewritePattern<ConstantLikeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConstantLikeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOp(op, buildSplatLike(rewriter, op.getLoc(), op.getValue(),
                                          op.getOperand(), type));
    return success();
  }
};

struct TopKLowering : OpRewritePattern<TopKOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TopKOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::CustomCallOp>(
        op, op->getResultTypes(), op.getOperand(), "ferrule.top_k");
    return success();
  }
};

/// custom_call @mhlo.erf / @chlo.top_k {mhlo.attributes = {...}} -> chlo.erf.
struct OldCallLowering : OpRewritePattern<stablehlo::CustomCallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::CustomCallOp op,
                                PatternRewriter &rewriter) const override {
    StringRef name = op.getCallTargetName();
    if (!name.consume_front("mhlo.") && !name.consume_front("chlo."))
      return rewriter.notifyMatchFailure(op, "no call of an older producer");
    if (name == "topk")
      name = "top_k";
    std::string full = ("chlo." + name).str();
    if (!isCallName(name) && name != "top_k" && name != "tan")
      return rewriter.notifyMatchFailure(op, "no function of this name");
    OperationState state(op.getLoc(), full, op.getInputs(),
                         op->getResultTypes());
    if (name == "top_k") {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      state.addAttribute("k",
                         rewriter.getI64IntegerAttr(type.getShape().back()));
    }
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

} // namespace

void addFunctionPatterns(RewritePatternSet &patterns) {
  patterns.add<CallLowering, TanLowering, SquareLowering, ConjLowering,
               ConstantLowering, ConstantLikeLowering, TopKLowering,
               OldCallLowering>(patterns.getContext());
}

} // namespace ferrule::chlo
