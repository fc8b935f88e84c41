#include "TakeMatmuls.h"

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

/// A product of matrices in any of the forms that linalg has for it.
struct TakeMatmul : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!linalg::isaContractionOpInterface(op) || op.getNumLoops() != 3)
      return rewriter.notifyMatchFailure(op, "no product of matrices");
    if (!hasRowMajorMaps(op))
      return rewriter.notifyMatchFailure(op, "an operand is transposed");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    Value left = op.getDpsInputOperand(0)->get();
    Value right = op.getDpsInputOperand(1)->get();
    for (Type each : {Type(type), left.getType(), right.getType()})
      if (!each || !getElementTypeOrSelf(each).isF32())
        return rewriter.notifyMatchFailure(op, "not all elements are f32");
    // The device writes its result and does not add to it.
    auto fill = op.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
      return rewriter.notifyMatchFailure(op, "adds to an existing value");
    Value out = fill.getOutputs()[0];
    rewriter.replaceOpWithNewOp<ferrule::byre::CallProviderOp>(
        op, TypeRange(type), rewriter.getStringAttr("acme.matmul"),
        ValueRange{left, right}, ValueRange{out}, ValueRange(),
        DictionaryAttr());
    return success();
  }

  /// Whether the operands are [m, k], [k, n] and [m, n].
  static bool hasRowMajorMaps(linalg::LinalgOp op) {
    AffineExpr m, n, k;
    bindDims(op.getContext(), m, n, k);
    auto map = [&](AffineExpr row, AffineExpr column) {
      return AffineMap::get(3, 0, {row, column}, op.getContext());
    };
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    return maps[0] == map(m, k) && maps[1] == map(k, n) && maps[2] == map(m, n);
  }
};

struct TakeMatmuls : PassWrapper<TakeMatmuls, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakeMatmuls)

  StringRef getArgument() const override { return "acme-take-matmuls"; }
  StringRef getDescription() const override {
    return "Give matrix products to the Acme device";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ferrule::byre::ByreDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<TakeMatmul>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> acme::createTakeMatmuls() {
  return std::make_unique<TakeMatmuls>();
}
