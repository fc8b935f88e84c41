#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace ferrule {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h.inc"
} // namespace ferrule

bool ferrule::isContractionLike(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() < 2)
    return false;
  if (!isa<linalg::GenericOp>(op.getOperation()))
    return linalg::isaContractionOpInterface(op) ||
           linalg::isaConvolutionOpInterface(op);
  // A reduction of a broadcast operand also has two inputs; what makes a
  // contraction is that both inputs move along a reduction dimension.
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  unsigned moving = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (llvm::any_of(reductions,
                     [&](unsigned d) { return map.isFunctionOfDim(d); }))
      ++moving;
  }
  if (moving < 2)
    return false;
  // ... and that no input alone spans all loops.
  return llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return op.getMatchingIndexingMap(input).getNumResults() == op.getNumLoops();
  });
}

namespace {

/// What one element of a producer costs to compute again, in rough additions.
int64_t costOfBody(linalg::LinalgOp op) {
  int64_t cost = 0;
  op.getBlock()->walk([&](Operation *inner) {
    if (isa<math::MathDialect>(inner->getDialect()))
      cost += 16;
    else if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
                 tensor::ExtractOp>(inner))
      cost += 4;
    else if (!inner->hasTrait<OpTrait::IsTerminator>())
      cost += 1;
  });
  return cost;
}

/// Iteration points of `op`, or a large number when sizes are dynamic.
int64_t iterations(linalg::LinalgOp op) {
  int64_t n = 1;
  for (int64_t size : op.getStaticLoopRanges())
    n *= ShapedType::isDynamic(size) ? 1024 : std::max<int64_t>(size, 1);
  return n;
}

bool hasDynamicResult(linalg::LinalgOp op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  });
}

/// Operands of the size of the result: what is read again when the producer is
/// repeated in another consumer.
unsigned largeOperands(linalg::LinalgOp op) {
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  return llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *input) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    return type && rank > 0 && type.getRank() >= rank &&
           (!type.hasStaticShape() || type.getNumElements() > 4096);
  });
}

/// The largest consumer that producers with other users are repeated in.
constexpr int64_t mostRepeated = 200;

/// `repeat` allows producers with several users, which are then computed in
/// each of them. It must be off until chains of single users are whole: taken
/// piece by piece every operation is cheap enough to repeat.
bool shouldFuse(OpOperand *operand, bool repeat) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock())
    return false;
  if (ferrule::isContractionLike(consumer))
    return false;
  if (producer->getNumResults() != 1)
    return false;
  // An input that is there twice becomes one first: fused twice, the work of a
  // chain in which each value is used twice (a random generator's rounds)
  // would double with each step.
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  for (OpOperand *other : consumer.getDpsInputOperands())
    if (other != operand && other->get() == operand->get() &&
        (consumer.getMatchingIndexingMap(other) == map ||
         costOfBody(consumer) > mostRepeated))
      return false;
  // Fusing into a loop that visits the element more often repeats the work
  // that many times.
  int64_t repeats =
      std::max<int64_t>(1, iterations(consumer) / iterations(producer));
  int64_t cost = costOfBody(producer);
  if (repeats > 1 && cost > 4)
    return false;
  llvm::SmallPtrSet<Operation *, 4> users(producer->user_begin(),
                                          producer->user_end());
  if (users.size() == 1)
    return true;
  if (!repeat)
    return false;
  if (costOfBody(consumer) > mostRepeated)
    return false;
  if (users.size() > 4)
    return cost <= 1;
  // A row of unknown length has no place in a kernel's scratch memory, so what
  // two passes over the row need is computed in each.
  if (hasDynamicResult(producer) && consumer.getNumReductionLoops() > 0)
    return users.size() <= 3 && cost <= 40;
  return cost <= 2 && largeOperands(producer) <= 1;
}

/// extract_slice with static offsets and strides, not contiguous ->
/// generic that reads at (d * stride + offset), which fuses with its consumer.
struct SliceToGeneric : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSourceType(), result = op.getType();
    if (source.getRank() != result.getRank())
      return rewriter.notifyMatchFailure(op, "the slice drops dimensions");
    SmallVector<AffineExpr> exprs;
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    bool inner = false, whole = true;
    for (auto [d, offset, stride] :
         llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
      std::optional<int64_t> o = getConstantIntValue(offset);
      std::optional<int64_t> s = getConstantIntValue(stride);
      if (!o || !s)
        return rewriter.notifyMatchFailure(op, "the offsets are not constant");
      exprs.push_back(rewriter.getAffineDimExpr(d) * *s + *o);
      std::optional<int64_t> size = getConstantIntValue(sizes[d]);
      bool full = *o == 0 && *s == 1 && size && !source.isDynamicDim(d) &&
                  *size == source.getDimSize(d);
      // A generic's loop is as long as what it reads at the plain loop index.
      if (!full && *o == 0 && *s == 1)
        return rewriter.notifyMatchFailure(op, "the slice starts a longer row");
      // Contiguous: after the first dimension longer than 1 all are full.
      if (!full && inner)
        whole = false;
      if (!(size && *size == 1))
        inner = true;
      if (*s != 1)
        whole = false;
    }
    if (whole)
      return rewriter.notifyMatchFailure(op, "the slice is contiguous");
    Location loc = op.getLoc();
    int64_t rank = result.getRank();
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, result.getElementType());
    AffineMap maps[] = {AffineMap::get(rank, 0, exprs, rewriter.getContext()),
                        rewriter.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), op.getSource(), empty, maps, iterators,
        [](OpBuilder &b, Location l, ValueRange args) {
          linalg::YieldOp::create(b, l, args[0]);
        });
    Value value = generic.getResult(0);
    if (value.getType() != result)
      value = tensor::CastOp::create(rewriter, loc, result, value);
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// transpose, broadcast, map and named elementwise operations -> generic.
struct GeneralizeElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "has its final form");
    if (ferrule::isContractionLike(op))
      return rewriter.notifyMatchFailure(op, "contractions keep their names");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

// Rounds over the whole function.
constexpr int64_t mostRounds = 100;

LogicalResult apply(func::FuncOp func,
                    llvm::function_ref<void(RewritePatternSet &)> populate) {
  RewritePatternSet patterns(func.getContext());
  populate(patterns);
  // Fusion needs a fixpoint: one fused pair makes the next producer visible, so
  // the default number of rounds is too few for long chains.
  GreedyRewriteConfig config;
  config.setMaxIterations(mostRounds);
  return applyPatternsGreedily(func, std::move(patterns), config);
}

void addCanonicalPatterns(RewritePatternSet &patterns) {
  // A reshape or slice of an empty tensor is an empty tensor, which dispatch
  // formation looks for below fills.
  tensor::populateFoldTensorEmptyPatterns(patterns);
  MLIRContext *context = patterns.getContext();
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  context->getLoadedDialect<tensor::TensorDialect>()
      ->getCanonicalizationPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
}

} // namespace

LogicalResult ferrule::fuseElementwise(func::FuncOp func) {
  MLIRContext *context = func.getContext();
  if (failed(apply(func, [&](RewritePatternSet &patterns) {
        patterns.add<SliceToGeneric, GeneralizeElementwise>(context);
        addCanonicalPatterns(patterns);
      })))
    return failure();
  auto reshapes = [](OpOperand *operand) {
    auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
    if (consumer && ferrule::isContractionLike(consumer))
      return false;
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    return !producer || !ferrule::isContractionLike(producer);
  };
  for (bool repeat : {false, true})
    if (failed(apply(func, [&](RewritePatternSet &patterns) {
          linalg::populateElementwiseOpsFusionPatterns(
              patterns, [repeat](OpOperand *operand) {
                return shouldFuse(operand, repeat);
              });
          linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns,
                                                             reshapes);
          linalg::populateInlineConstantOperandsPatterns(patterns);
          linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
          tensor::populateReassociativeReshapeFoldingPatterns(patterns);
          addCanonicalPatterns(patterns);
        })))
      return failure();
  return success();
}

namespace {
struct FuseElementwise : ferrule::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    if (failed(ferrule::fuseElementwise(getOperation())))
      signalPassFailure();
  }
};
} // namespace
