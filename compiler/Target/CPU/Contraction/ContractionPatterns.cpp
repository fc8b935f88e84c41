// Patterns that bring tiles into the form that vectorises.
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {

/// Splits an access `dim * stride + offset`; fails for anything else.
struct Access {
  AffineExpr dim;
  int64_t stride = 1, offset = 0;
};

FailureOr<Access> splitAccess(AffineExpr expr) {
  Access access;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!constant)
      return failure();
    access.offset = constant.getValue();
    expr = binary.getLHS();
    binary = dyn_cast<AffineBinaryOpExpr>(expr);
  }
  if (binary && binary.getKind() == AffineExprKind::Mul) {
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!constant)
      return failure();
    access.stride = constant.getValue();
    expr = binary.getLHS();
  }
  if (!isa<AffineDimExpr>(expr))
    return failure();
  access.dim = expr;
  return access;
}

/// generic reading (d * 2 + 1) -> generic reading (d) of a strided slice
struct StridesToSlices : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap &map = maps[operand->getOperandNumber()];
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      if (!type || map.isProjectedPermutation())
        continue;
      SmallVector<OpFoldResult> offsets, sizes, strides;
      SmallVector<AffineExpr> exprs;
      bool possible = true, needed = false;
      for (AffineExpr expr : map.getResults()) {
        FailureOr<Access> access = splitAccess(expr);
        if (failed(access)) {
          possible = false;
          break;
        }
        int64_t range =
            ranges[cast<AffineDimExpr>(access->dim).getPosition()];
        possible &= !ShapedType::isDynamic(range);
        needed |= access->stride != 1 || access->offset != 0;
        offsets.push_back(rewriter.getIndexAttr(access->offset));
        sizes.push_back(rewriter.getIndexAttr(range));
        strides.push_back(rewriter.getIndexAttr(access->stride));
        exprs.push_back(access->dim);
      }
      if (!possible || !needed)
        continue;
      Value slice = tensor::ExtractSliceOp::create(
          rewriter, op.getLoc(), operand->get(), offsets, sizes, strides);
      rewriter.modifyOpInPlace(op, [&] { operand->set(slice); });
      map = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "reads point by point");
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// generic { acc + a * b } -> linalg.contract
struct GenericToContract : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
        op.getNumReductionLoops() == 0)
      return rewriter.notifyMatchFailure(op, "no contraction of two operands");
    for (AffineMap map : op.getIndexingMapsArray())
      if (!map.isProjectedPermutation())
        return rewriter.notifyMatchFailure(op, "reads not point by point");
    Block &body = *op.getBody();
    auto yield = cast<linalg::YieldOp>(body.getTerminator());
    auto add = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
    if (!add || std::distance(body.begin(), body.end()) != 3)
      return rewriter.notifyMatchFailure(op, "the body is no multiply-add");
    Value accumulator = body.getArgument(2);
    Value product = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
    auto multiply = product.getDefiningOp<arith::MulFOp>();
    if (!multiply ||
        (add.getLhs() != accumulator && add.getRhs() != accumulator))
      return rewriter.notifyMatchFailure(op, "the body is no multiply-add");
    auto contract = linalg::ContractOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getDpsInputs(),
        op.getDpsInits(), op.getIndexingMapsAttr());
    rewriter.replaceOp(op, contract.getResults());
    return success();
  }
};

} // namespace

void ferrule::cpu::populateStridesToSlicesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<StridesToSlices>(patterns.getContext());
}

void ferrule::cpu::populateGenericToContractPatterns(
    RewritePatternSet &patterns) {
  patterns.add<GenericToContract>(patterns.getContext());
}
