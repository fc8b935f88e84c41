// The tensor half of the road: tiles, then vectors with hoisted accumulators.
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

/// Mark an operation so that it is found again after tiling, which copies
/// attributes.
constexpr llvm::StringLiteral kContraction = "ferrule.contraction";
constexpr llvm::StringLiteral kEpilogue = "ferrule.epilogue";
constexpr llvm::StringLiteral kReduction = "ferrule.reduction_steps";

SmallVector<linalg::LinalgOp> marked(func::FuncOp kernel, StringRef mark) {
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op->hasAttr(mark))
      ops.push_back(op);
  });
  return ops;
}

/// The last of the pointwise operations that follow `op` and nothing else
/// reads.
linalg::LinalgOp lastOfEpilogue(linalg::LinalgOp op) {
  while (op->hasOneUse()) {
    auto next = dyn_cast<linalg::LinalgOp>(*op->user_begin());
    if (!next || next->getBlock() != op->getBlock() ||
        next.getNumReductionLoops() != 0 || next->getNumResults() != 1 ||
        !next.getMatchingIndexingMap(&*op->use_begin()).isIdentity())
      break;
    op = next;
  }
  return op;
}

bool isCostly(linalg::LinalgOp op) {
  bool costly = false;
  op.getBlock()->walk([&](Operation *inner) {
    costly |= isa<math::MathDialect>(inner->getDialect()) &&
              !isa<math::AbsFOp, math::FloorOp, math::CeilOp, math::FmaOp,
                   math::SqrtOp>(inner);
  });
  return costly;
}

void hoistInvariants(LoopLikeOpInterface loop) {
  moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) {
        // Buffers must stay where they are used, or bufferization copies.
        return isMemoryEffectFree(op) && isSpeculatable(op) &&
               !isa<bufferization::ToTensorOp, tensor::EmptyOp>(op);
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

/// Tiles `op` with everything before it that the tile needs.
FailureOr<SmallVector<LoopLikeOpInterface>>
tileAndFuse(RewriterBase &rewriter, linalg::LinalgOp op,
            ArrayRef<int64_t> sizes, ArrayRef<int64_t> interchange) {
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(
      getAsIndexOpFoldResult(op->getContext(), sizes));
  if (!interchange.empty())
    tiling.setInterchange(interchange);
  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(tiling);
  rewriter.setInsertionPoint(op);
  auto result = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(result))
    return failure();
  for (auto [from, to] : result->replacements)
    rewriter.replaceAllUsesWith(from, to);
  for (Operation *producer : llvm::reverse(result->fusedProducers))
    if (producer->use_empty())
      rewriter.eraseOp(producer);
  if (op->use_empty())
    rewriter.eraseOp(op);
  return result->loops;
}

} // namespace

void ContractionRewriter::simplify(func::FuncOp kernel) const {
  (void)applyPatternsGreedily(kernel, canonical);
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

bool ContractionRewriter::applies(func::FuncOp kernel) const {
  return kernel
      .walk([&](linalg::LinalgOp op) {
        return succeeded(chooseContractionTiles(op, file))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Steps 1 and 2: register tiles with fill and epilogue inside, remainders
/// peeled and tiled again by smaller sizes.
LogicalResult ContractionRewriter::tileRegisters(func::FuncOp kernel) const {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> contractions;
  kernel.walk([&](linalg::LinalgOp op) {
    if (succeeded(chooseContractionTiles(op, file)))
      contractions.push_back(op);
  });
  for (linalg::LinalgOp op : contractions) {
    ContractionTiles tiles = *chooseContractionTiles(op, file);
    linalg::LinalgOp last = lastOfEpilogue(op);
    bool hasEpilogue = last != op;
    op->setAttr(kContraction, rewriter.getUnitAttr());
    op->setAttr(kReduction, rewriter.getDenseI64ArrayAttr(tiles.reduction));
    // Loops of the last operation are the results of the contraction's map.
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<unsigned> loopOf;
    if (hasEpilogue) {
      last->setAttr(kEpilogue, rewriter.getUnitAttr());
      for (AffineExpr expr : out.getResults())
        loopOf.push_back(cast<AffineDimExpr>(expr).getPosition());
    } else {
      loopOf = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
    }
    SmallVector<int64_t> sizes, interchange;
    for (unsigned loop : loopOf)
      sizes.push_back(tiles.parallel[loop]);
    for (int64_t loop : tiles.interchange)
      interchange.push_back(llvm::find(loopOf, loop) - loopOf.begin());
    for (unsigned i = 0; i < loopOf.size(); ++i)
      if (!llvm::is_contained(interchange, static_cast<int64_t>(i)))
        interchange.push_back(i);

    int64_t ladderAt = tiles.ladderLoop < 0
                           ? -1
                           : llvm::find(loopOf, tiles.ladderLoop) -
                                 loopOf.begin();
    linalg::LinalgOp next = last;
    for (int64_t rung = -1;; ++rung) {
      if (rung >= 0)
        sizes[ladderAt] = tiles.ladder[rung];
      auto loops = tileAndFuse(rewriter, next, sizes, interchange);
      if (failed(loops))
        return kernel.emitError("expected a contraction that can be tiled");
      for (LoopLikeOpInterface loop : *loops) {
        scf::ForOp rest;
        if (auto forOp = dyn_cast<scf::ForOp>(loop.getOperation()))
          (void)scf::peelForLoopAndSimplifyBounds(rewriter, forOp, rest);
      }
      simplify(kernel);
      // What is still of unknown size goes down the ladder.
      next = nullptr;
      for (linalg::LinalgOp candidate :
           marked(kernel, hasEpilogue ? kEpilogue : kContraction))
        if (candidate.hasDynamicShape())
          next = candidate;
      if (!next || ladderAt < 0 ||
          rung + 1 >= static_cast<int64_t>(tiles.ladder.size()))
        break;
    }
  }
  // Costly epilogues work on one register at a time: unrolled over the whole
  // tile they would need all registers for the constants of a polynomial.
  for (linalg::LinalgOp op : marked(kernel, kEpilogue)) {
    if (!isCostly(op) || op.hasDynamicShape())
      continue;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> sizes(op.getNumLoops(), 1);
    int64_t width = file.vectorBits / type.getElementTypeBitWidth();
    sizes.back() = std::min<int64_t>(width, type.getShape().back());
    scf::SCFTilingOptions options;
    options.setTileSizes(getAsIndexOpFoldResult(op->getContext(), sizes));
    rewriter.setInsertionPoint(op);
    auto tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (succeeded(tiled))
      rewriter.replaceOp(op, tiled->replacements);
  }
  simplify(kernel);
  return success();
}

LogicalResult ContractionRewriter::tileReductions(func::FuncOp kernel) const {
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : marked(kernel, kContraction)) {
    auto steps = op->getAttrOfType<DenseI64ArrayAttr>(kReduction);
    scf::SCFTilingOptions options;
    options.setTileSizes(
        getAsIndexOpFoldResult(op->getContext(), steps.asArrayRef()));
    rewriter.setInsertionPoint(op);
    auto tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled))
      return op.emitError("expected a contraction whose reduction can be "
                          "tiled");
    rewriter.replaceOp(op, tiled->replacements);
  }
  simplify(kernel);
  return success();
}

/// Turns `ow + kw` with a single kw into `ow`, and what reads with a stride
/// into a slice.
void ContractionRewriter::dropUnitDimensions(func::FuncOp kernel) const {
  bool needed = false;
  for (linalg::LinalgOp op : marked(kernel, kContraction))
    for (AffineMap map : op.getIndexingMapsArray())
      needed |= !map.isProjectedPermutation();
  if (!needed)
    return;
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> named;
  kernel.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op.getOperation()))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    DictionaryAttr attributes = op->getDiscardableAttrDictionary();
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(generic))
      (*generic)->setDiscardableAttrs(attributes);
  }
  (void)applyPatternsGreedily(kernel, unitDims);
  (void)applyPatternsGreedily(kernel, strides);
  simplify(kernel);
}

void ContractionRewriter::vectorizeOps(func::FuncOp kernel) const {
  (void)applyPatternsGreedily(kernel, toContract);
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    // What is left dynamic, or has no vector form, becomes loops later.
    if (op.hasDynamicShape() || !linalg::hasVectorizationImpl(op))
      continue;
    int64_t elements = 1;
    for (int64_t size : op.getStaticLoopRanges())
      elements *= size;
    if (elements > 8192)
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::VectorizationResult> result = linalg::vectorize(
        rewriter, op, /*inputVectorSizes=*/{}, /*inputScalableVecDims=*/{},
        /*vectorizeNDExtract=*/false, /*flatten1DDepthwiseConv=*/false,
        /*assumeDynamicDimsMatchVecSizes=*/false,
        /*createNamedContraction=*/true);
    if (succeeded(result))
      rewriter.replaceOp(op, result->replacements);
  }
  simplify(kernel);
}

/// The accumulators become loop-carried vectors; fills and epilogue reads fold
/// into them. Once for each nest of reduction loops.
void ContractionRewriter::hoistAccumulators(func::FuncOp kernel) const {
  IRRewriter rewriter(kernel.getContext());
  for (unsigned round = 0; round < 4; ++round) {
    kernel.walk([&](LoopLikeOpInterface loop) {
      if (!isa<scf::ForallOp>(loop.getOperation()))
        hoistInvariants(loop);
    });
    SmallVector<LoopLikeOpInterface> loops;
    kernel.walk([&](scf::ForOp loop) {
      loops.push_back(cast<LoopLikeOpInterface>(loop.getOperation()));
    });
    for (LoopLikeOpInterface loop : loops)
      (void)hoistLoopInvariantSubsets(rewriter, loop);
    simplify(kernel);
  }
  (void)applyPatternsGreedily(kernel, subsets);
  simplify(kernel);
}

LogicalResult ContractionRewriter::vectorize(func::FuncOp kernel) const {
  if (failed(tileRegisters(kernel)) || failed(tileReductions(kernel)))
    return failure();
  dropUnitDimensions(kernel);
  vectorizeOps(kernel);
  hoistAccumulators(kernel);
  return success();
}
