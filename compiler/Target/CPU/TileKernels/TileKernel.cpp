// Splits one kernel into loops over tiles.
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Target/CPU/TileKernels/BindDestinations.h"
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "compiler/Target/CPU/TileKernels/TileSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

bool isCompute(Operation *op) {
  // What it inserts was computed in place.
  if (isa<tensor::InsertSliceOp>(op))
    return false;
  return isa<TilingInterface>(op) || isa<LoopLikeOpInterface>(op) ||
         isa<DestinationStyleOpInterface>(op) || op->getNumRegions();
}

/// Whether the use is a destination whose contents do not matter.
bool isOverwritten(OpOperand &use) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op && op.isDpsInit(&use) && !op.payloadUsesValueFromOperand(&use);
}

/// The ops that nothing but the kernel's results depends on.
SmallVector<Operation *> findLastOps(func::FuncOp kernel) {
  // A value that only views and slices read counts as not read.
  SmallVector<Operation *> last;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (!isCompute(&op))
      continue;
    SmallVector<Operation *> pending{&op};
    bool isRead = false;
    while (!pending.empty()) {
      for (OpOperand &use : pending.pop_back_val()->getUses()) {
        Operation *user = use.getOwner();
        if (isa<func::ReturnOp, tensor::DimOp>(user) || isOverwritten(use))
          continue;
        if (isCompute(user))
          isRead = true;
        else
          pending.push_back(user);
      }
    }
    if (!isRead)
      last.push_back(&op);
  }
  return last;
}

bool isReturned(Value value) {
  return llvm::any_of(value.getUsers(), llvm::IsaPred<func::ReturnOp>);
}

/// Tiles one of the last ops with everything that it reads.
LogicalResult tileOp(RewriterBase &rewriter, TilingInterface op) {
  SmallVector<OpFoldResult> sizes = chooseTileSizes(rewriter, op);
  if (llvm::all_of(sizes, isZeroInteger))
    return failure();
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setLoopType(
      scf::SCFTilingOptions::LoopType::ForallOp);
  options.tilingOptions.setTileSizes(sizes);
  options.fusionControlFn =
      [](tensor::ExtractSliceOp, OpResult producer, bool)
      -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
    if (!isa<linalg::LinalgOp, ext::WinogradInputOp, ext::WinogradOutputOp>(
            producer.getOwner()))
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{isReturned(producer)};
  };
  rewriter.setInsertionPoint(op);
  auto result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, op, options);
  if (failed(result))
    return failure();
  for (auto [from, to] : result->replacements)
    rewriter.replaceAllUsesWith(from, to);
  SmallVector<Operation *> producers = result->fusedProducers.takeVector();
  for (Operation *dead : llvm::reverse(producers))
    if (dead->use_empty())
      rewriter.eraseOp(dead);
  if (op->use_empty())
    rewriter.eraseOp(op);
  return success();
}

/// Whether a loop only overwrites its parts of the tensor that it is given.
bool overwritesOnly(scf::ForallOp loop, OpOperand &use) {
  BlockArgument part = loop.getTiedBlockArgument(&use);
  return llvm::all_of(part.getUses(), [](OpOperand &inner) {
    if (isa<tensor::ParallelInsertSliceOp>(inner.getOwner()))
      return true;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(inner.getOwner());
    return slice && llvm::all_of(slice->getUses(), isOverwritten);
  });
}

/// Whether another loop needs what `op` computes.
bool feedsLoop(Operation *op, scf::ForallOp loop) {
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (auto other = dyn_cast<scf::ForallOp>(user)) {
      if (!overwritesOnly(other, use))
        return true;
    } else if (isa<func::ReturnOp>(user)) {
      continue;
    } else if (auto other = user->getParentOfType<scf::ForallOp>()) {
      if (other != loop && !isa<tensor::DimOp>(user))
        return true;
    } else if (feedsLoop(user, loop)) {
      return true;
    }
  }
  return false;
}

/// Whether nothing is left to compute beside the loops over tiles, and no loop
/// needs what another one computes.
bool isSplit(func::FuncOp kernel) {
  bool found = false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      found = true;
      if (feedsLoop(loop, loop))
        return false;
    } else if (isCompute(&op)) {
      return false;
    }
  }
  return found;
}

void simplify(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  for (Dialect *dialect : kernel.getContext()->getLoadedDialects())
    if (isa<tensor::TensorDialect, scf::SCFDialect, affine::AffineDialect>(
            dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name :
       kernel.getContext()->getRegisteredOperations())
    if (isa<tensor::TensorDialect, scf::SCFDialect, affine::AffineDialect>(
            name.getDialect()))
      name.getCanonicalizationPatterns(patterns, kernel.getContext());
  // A slice of an empty tensor is a smaller empty tensor.
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(kernel, std::move(patterns));
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

/// Fusion computes a producer once for every slice that is read. Where one
/// copy is written into the result and another into a temporary, the first
/// serves both readers.
void shareProducers(func::FuncOp kernel) {
  auto isTemporary = [](linalg::LinalgOp op) {
    return op.getNumDpsInits() == 1 && op->getNumResults() == 1 &&
           !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
  };
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) {
    if (isTemporary(op))
      ops.push_back(op);
  });
  for (unsigned late = 0; late < ops.size(); ++late) {
    OpOperand &init = *ops[late].getDpsInitOperand(0);
    auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !isa<BlockArgument>(slice.getSource()) ||
        isa<func::FuncOp>(slice.getSource().getParentBlock()->getParentOp()))
      continue;
    for (unsigned early = 0; early < late; ++early) {
      linalg::LinalgOp other = ops[early];
      OpOperand &otherInit = *other.getDpsInitOperand(0);
      if (other->getBlock() != ops[late]->getBlock() ||
          other->getName() != ops[late]->getName() ||
          otherInit.get().getType() != init.get().getType())
        continue;
      DominanceInfo dominance(kernel);
      if (!llvm::all_of(slice->getOperands(), [&](Value operand) {
            return dominance.properlyDominates(operand, other);
          }))
        continue;
      Value temporary = otherInit.get();
      otherInit.set(slice);
      if (!OperationEquivalence::isEquivalentTo(
              other, ops[late], OperationEquivalence::IgnoreLocations)) {
        otherInit.set(temporary);
        continue;
      }
      if (!dominance.properlyDominates(slice.getResult(), other))
        slice->moveBefore(other);
      break;
    }
  }
}

/// A tile that is written beside the loop's own part of an out argument would
/// need a copy of that argument; it gets memory of its own.
void separateTemporaries(func::FuncOp kernel) {
  llvm::SmallPtrSet<Value, 4> shared;
  kernel.walk([&](scf::ForallOp loop) {
    for (Value out : loop.getOutputs())
      shared.insert(out);
  });
  SmallVector<OpOperand *> inits;
  kernel.walk([&](linalg::LinalgOp op) {
    if (!op->getParentOfType<scf::ForallOp>())
      return;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
      Value source = slice ? slice.getSource() : init.get();
      if (shared.contains(source) && !op.payloadUsesValueFromOperand(&init))
        inits.push_back(&init);
    }
  });
  for (OpOperand *init : inits) {
    OpBuilder builder(init->getOwner());
    Location loc = init->getOwner()->getLoc();
    auto type = cast<RankedTensorType>(init->get().getType());
    Value empty = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, init->get()),
        type.getElementType());
    if (empty.getType() != type)
      empty = tensor::CastOp::create(builder, loc, type, empty);
    init->set(empty);
  }
}

/// Gives the Winograd products of each tile their working space.
void addWinogradSpace(func::FuncOp kernel) {
  SmallVector<ext::WinogradOutputOp> ops;
  kernel.walk([&](ext::WinogradOutputOp op) {
    if (op.getOutputs().size() == 1)
      ops.push_back(op);
  });
  for (ext::WinogradOutputOp op : ops) {
    OpBuilder builder(op);
    auto tiles = cast<RankedTensorType>(op.getInputs()[0].getType());
    auto weights = cast<RankedTensorType>(op.getInputs()[1].getType());
    SmallVector<int64_t> shape = {
        tiles.getDimSize(0), weights.getDimSize(1), tiles.getDimSize(1),
        tiles.getDimSize(2), tiles.getDimSize(3),   weights.getDimSize(4)};
    Value space = tensor::EmptyOp::create(builder, op.getLoc(), shape,
                                          tiles.getElementType());
    SmallVector<Value> outs = {op.getOutputs()[0], space};
    auto larger = ext::WinogradOutputOp::create(
        builder, op.getLoc(), ValueRange(outs).getTypes(), op.getInputs(),
        outs);
    op->getResult(0).replaceAllUsesWith(larger->getResult(0));
    op->erase();
  }
}

} // namespace

LogicalResult cpu::tileKernel(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  // Tiling may fail halfway; the original stays at hand.
  func::FuncOp whole = kernel.clone();
  bool split = true;
  for (Operation *op : findLastOps(kernel)) {
    auto tilable = dyn_cast<TilingInterface>(op);
    split &= tilable && succeeded(tileOp(rewriter, tilable));
    if (!split)
      break;
  }
  if (split) {
    simplify(kernel);
    unifySizes(kernel);
    simplify(kernel);
    shareProducers(kernel);
    separateTemporaries(kernel);
    simplify(kernel);
    split = isSplit(kernel);
  }
  if (!split)
    kernel.getBody().takeBody(whole.getBody());
  whole.erase();
  addWinogradSpace(kernel);
  kernel.removeArgAttrsAttr();
  return success();
}
