// Branches and loops whose condition is constant, and checks that hold.
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

/// Replaces `op` by the contents of its region, a block without arguments.
LogicalResult inlineBranch(Operation *op, Region &region,
                           PatternRewriter &rewriter) {
  Operation *end = region.front().getTerminator();
  if (end->getOperandTypes() != op->getResultTypes())
    return rewriter.notifyMatchFailure(op, "the branch knows other sizes");
  SmallVector<Value> values(end->getOperands());
  rewriter.inlineBlockBefore(&region.front(), op);
  rewriter.eraseOp(end);
  rewriter.replaceOp(op, values);
  return success();
}

/// if(constant) -> the branch
struct ResolveIf : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    auto pred = matchIntegers(op.getPred());
    if (!pred)
      return rewriter.notifyMatchFailure(op, "the predicate is not constant");
    return inlineBranch(
        op, pred->front() ? op.getTrueBranch() : op.getFalseBranch(), rewriter);
  }
};

/// case(constant) -> the branch; out of range means the last
struct ResolveCase : OpRewritePattern<CaseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CaseOp op,
                                PatternRewriter &rewriter) const override {
    int64_t last = static_cast<int64_t>(op.getBranches().size()) - 1;
    auto index = matchIntegers(op.getIndex());
    if (!index && last > 0)
      return rewriter.notifyMatchFailure(op, "the index is not constant");
    int64_t branch = index ? index->front() : 0;
    if (branch < 0 || branch > last)
      branch = last;
    return inlineBranch(op, op.getBranches()[branch], rewriter);
  }
};

/// A loop whose condition is false from the start gives its operands.
struct ResolveWhile : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op,
                                PatternRewriter &rewriter) const override {
    Operation *end = op.getCond().front().getTerminator();
    auto condition = matchIntegers(end->getOperand(0));
    if (!condition || condition->front())
      return rewriter.notifyMatchFailure(op, "the loop may run");
    rewriter.replaceOp(op, op.getOperands());
    return success();
  }
};

/// Some producers end functions with the regions' terminator.
struct ReturnFromFunction : OpRewritePattern<ReturnOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReturnOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<func::FuncOp>(op->getParentOp()))
      return failure();
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op, op.getOperands());
    return success();
  }
};

/// Assertions on constants that hold, as JAX writes them for its symbolic
/// sizes, and its marks for shape refinement.
struct ResolveShapeCalls : OpRewritePattern<CustomCallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CustomCallOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getCallTargetName() ==
            "stablehlo.shape_refinement_operand_wrapper" &&
        op.getNumOperands() > 0 && op.getNumResults() == 1 &&
        op.getOperand(0).getType() == op.getResult(0).getType()) {
      rewriter.replaceOp(op, op.getOperand(0));
      return success();
    }
    if (op.getCallTargetName() != "shape_assertion" ||
        op.getNumOperands() == 0 || op.getNumResults() != 0)
      return failure();
    auto holds = matchIntegers(op.getOperand(0));
    if (!holds || !holds->front())
      return rewriter.notifyMatchFailure(op, "not known to hold");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ferrule::populateSimplifyControlFlowPatterns(RewritePatternSet &patterns) {
  patterns.add<ResolveIf, ResolveCase, ResolveWhile, ResolveShapeCalls,
               ReturnFromFunction>(patterns.getContext());
}
