// Brings a kernel into the form that tiling works on.
#include "compiler/Target/CPU/TileKernels/BindDestinations.h"
#include "compiler/Target/CPU/TileKernels/IndexForm.h"
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// insert_slice of a whole tensor -> copy into a slice of the destination, so
/// that the bytes are moved by an op that can be tiled.
struct InsertThroughCopy : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    Operation *producer = op.getSource().getDefiningOp();
    if (isa_and_nonnull<linalg::CopyOp>(producer))
      return rewriter.notifyMatchFailure(op, "its source is such a copy");
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), op.getSourceType(), op.getDest(),
        op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides());
    auto copy =
        linalg::CopyOp::create(rewriter, op.getLoc(), op.getSource(), slice);
    rewriter.modifyOpInPlace(
        op, [&] { op.getSourceMutable().assign(copy.getResult(0)); });
    return success();
  }
};

/// softmax and its like -> the ops they stand for
struct Decompose : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return rewriter.notifyMatchFailure(op, "it does not decompose");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

/// Whether repeating the op for every reader costs less than keeping its
/// result in memory.
bool isCheap(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() || op->getNumResults() != 1)
    return false;
  unsigned count = 0;
  bool expensive = false;
  op.getBlock()->walk([&](Operation *inner) {
    ++count;
    expensive |= isa<math::MathDialect>(inner->getDialect()) &&
                 !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp,
                      math::CeilOp>(inner);
    expensive |= isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp,
                     arith::RemFOp, scf::IfOp, tensor::ExtractOp>(inner);
  });
  return !expensive && count <= 8;
}

bool isContraction(linalg::LinalgOp op) {
  return linalg::isaContractionOpInterface(op) ||
         linalg::isaConvolutionOpInterface(op);
}

/// Elementwise fusion repeats nothing: the reader runs over the same points,
/// or the op is cheap. Contractions keep their form.
bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !consumer || isContraction(consumer))
    return false;
  if (!operand->get().hasOneUse())
    return false;
  return producer.getNumLoops() == consumer.getNumLoops() || isCheap(producer);
}

/// Reshapes between two ops of the kernel keep them apart and move away;
/// those at its edges are views and stay.
bool shouldMoveReshape(OpOperand *operand) {
  auto movable = [](Operation *op) {
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    return linalgOp && !isContraction(linalgOp);
  };
  Operation *owner = operand->getOwner();
  Operation *producer = operand->get().getDefiningOp();
  if (isa<tensor::ExpandShapeOp>(owner))
    return movable(producer) && producer->hasOneUse() &&
           llvm::all_of(owner->getUsers(), llvm::IsaPred<linalg::LinalgOp>);
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(producer);
  return collapse && collapse->hasOneUse() && movable(owner) &&
         collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
}

/// Gives every further reader of a cheap op a copy of its own.
void repeatCheapProducers(func::FuncOp kernel) {
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op->getParentOp() == kernel && isCheap(op) &&
        !isa<linalg::FillOp, linalg::CopyOp>(op.getOperation()))
      ops.push_back(op);
  });
  // Last op first: a copy of a reader needs its own copy of what it reads.
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      if (auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner()))
        if (!isContraction(reader) && reader.isDpsInput(&use))
          uses.push_back(&use);
    for (OpOperand *use : uses) {
      if (op->hasOneUse())
        break;
      OpBuilder builder(op);
      use->set(builder.clone(*op)->getResult(0));
    }
  }
}

LogicalResult runPatterns(func::FuncOp kernel,
                          llvm::function_ref<void(RewritePatternSet &)> add) {
  RewritePatternSet patterns(kernel.getContext());
  add(patterns);
  return applyPatternsGreedily(kernel, std::move(patterns));
}

void addCleanups(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExtractOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
}

} // namespace

LogicalResult cpu::prepareKernel(func::FuncOp kernel) {
  if (failed(runPatterns(kernel, [](RewritePatternSet &patterns) {
        patterns.add<Decompose>(patterns.getContext());
        populateIndexFormPatterns(patterns);
        tensor::populateDecomposeTensorConcatPatterns(patterns);
        addCleanups(patterns);
      })))
    return kernel.emitOpError("expected a kernel that can be decomposed");
  repeatCheapProducers(kernel);
  if (failed(runPatterns(kernel, [](RewritePatternSet &patterns) {
        linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
        linalg::populateFoldReshapeOpsByExpansionPatterns(
            patterns, shouldMoveReshape);
        addCleanups(patterns);
      })))
    return kernel.emitOpError("expected a kernel that can be fused");
  noteOutSizes(kernel);
  updateInPlace(kernel);
  bindDestinations(kernel);
  if (failed(runPatterns(kernel, [](RewritePatternSet &patterns) {
        patterns.add<InsertThroughCopy>(patterns.getContext());
        addCleanups(patterns);
      })))
    return kernel.emitOpError("expected a kernel that can be simplified");
  unifySizes(kernel);
  return success();
}
