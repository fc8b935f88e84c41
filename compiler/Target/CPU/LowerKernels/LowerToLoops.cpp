// Linalg ops on buffers as scalar loops in the order that suits memory.
#include "compiler/Target/CPU/Contraction/LoopNest.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Dialect/Ferrule/IR/Winograd.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// How well a loop serves as the innermost one: operands that it walks
/// element by element speak for it, those that it strides over against it;
/// an operand with more dimensions has far more elements.
int64_t rateInnermost(linalg::LinalgOp op, unsigned loop) {
  int64_t rate = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isScalar(&operand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    AffineExpr dim = getAffineDimExpr(loop, op->getContext());
    int64_t weight = (op.isDpsInit(&operand) ? 2 : 1)
                     << 2 * std::min(map.getNumResults(), 8u);
    for (auto [position, result] : llvm::enumerate(map.getResults())) {
      if (!result.isFunctionOfDim(loop))
        continue;
      bool contiguous = position + 1 == map.getNumResults() && result == dim;
      rate += contiguous ? 3 * weight : -4 * weight;
    }
  }
  int64_t range = op.getStaticLoopRanges()[loop];
  // A loop of few steps is no use as a vector.
  if (!ShapedType::isDynamic(range) && range < 4)
    rate -= int64_t(1) << 20;
  return rate;
}

/// The loops of an op from the outermost to the innermost one.
SmallVector<unsigned> orderLoops(linalg::LinalgOp op) {
  unsigned count = op.getNumLoops();
  unsigned innermost = 0;
  int64_t best = std::numeric_limits<int64_t>::min();
  for (unsigned loop = 0; loop < count; ++loop) {
    int64_t rate = rateInnermost(op, loop);
    if (rate >= best) {
      best = rate;
      innermost = loop;
    }
  }
  SmallVector<unsigned> order;
  auto iterators = op.getIteratorTypesArray();
  for (auto kind : {utils::IteratorType::parallel,
                    utils::IteratorType::reduction})
    for (unsigned loop = 0; loop < count; ++loop)
      if (loop != innermost && iterators[loop] == kind)
        order.push_back(loop);
  if (count)
    order.push_back(innermost);
  return order;
}

class LoopBuilder {
public:
  LoopBuilder(OpBuilder &builder, linalg::LinalgOp op)
      : builder(builder), loc(op.getLoc()), op(op), order(orderLoops(op)),
        indices(op.getNumLoops()) {
    auto iterators = op.getIteratorTypesArray();
    // Reductions at the end of the order keep their sums in registers.
    firstCarried = order.size();
    while (firstCarried > 0 && iterators[order[firstCarried - 1]] ==
                                   utils::IteratorType::reduction)
      --firstCarried;
  }

  void build() {
    AffineMap toLoops = op.getShapesToLoopsMap();
    SmallVector<OpFoldResult> shapes = op.createFlatListOfOperandDims(builder,
                                                                      loc);
    for (AffineExpr result : toLoops.getResults()) {
      OpFoldResult size = affine::makeComposedFoldedAffineApply(
          builder, loc,
          AffineMap::get(toLoops.getNumDims(), 0, result), shapes);
      sizes.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
    }
    buildLoop(0, {});
  }

private:
  bool carries() { return firstCarried < order.size(); }

  SmallVector<Value> buildLoop(unsigned depth, SmallVector<Value> carried) {
    if (depth == firstCarried && carries()) {
      SmallVector<Value> sums =
          buildCarried(depth, loadInits());
      storeInits(sums);
      return {};
    }
    if (depth == order.size()) {
      storeInits(buildBody(loadInits()));
      return {};
    }
    scf::ForOp loop = createLoop(depth, {});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    buildLoop(depth + 1, {});
    return {};
  }

  SmallVector<Value> buildCarried(unsigned depth, ValueRange carried) {
    if (depth == order.size())
      return buildBody(carried);
    scf::ForOp loop = createLoop(depth, carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> sums = buildCarried(depth + 1, loop.getRegionIterArgs());
    scf::YieldOp::create(builder, loc, sums);
    return loop.getResults();
  }

  scf::ForOp createLoop(unsigned depth, ValueRange carried) {
    unsigned number = order[depth];
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, sizes[number], one,
                                   carried);
    indices[number] = loop.getInductionVar();
    return loop;
  }

  /// The element of an operand that the current indices select.
  SmallVector<Value> locate(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<Value> position;
    for (AffineExpr result : map.getResults())
      position.push_back(affine::expandAffineExpr(
          builder, loc, result, indices, ValueRange{}));
    return position;
  }

  /// Whether an output moves along a loop whose sums are carried: it is then
  /// read and written at each step, like what elementwise fusion keeps beside
  /// a reduction.
  bool movesInside(OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::any_of(ArrayRef<unsigned>(order).drop_front(firstCarried),
                        [&](unsigned loop) {
                          return map.isFunctionOfDim(loop);
                        });
  }

  /// Values of the outputs that are carried, or of all when none is.
  SmallVector<Value> loadInits() {
    SmallVector<Value> values;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (!movesInside(init))
        values.push_back(
            memref::LoadOp::create(builder, loc, init.get(), locate(init)));
    return values;
  }

  void storeInits(ArrayRef<Value> values) {
    unsigned next = 0;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (!movesInside(init))
        memref::StoreOp::create(builder, loc, values[next++], init.get(),
                                locate(init));
  }

  SmallVector<Value> buildBody(ValueRange sums) {
    IRMapping map;
    Block *body = op.getBlock();
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value value = input->get();
      if (isa<MemRefType>(value.getType()))
        value = memref::LoadOp::create(builder, loc, value, locate(*input));
      map.map(body->getArgument(input->getOperandNumber()), value);
    }
    unsigned nextSum = 0;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      Value value = movesInside(init)
                        ? memref::LoadOp::create(builder, loc, init.get(),
                                                 locate(init))
                              .getResult()
                        : sums[nextSum++];
      map.map(body->getArgument(init.getOperandNumber()), value);
    }
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        map.map(index.getResult(), indices[index.getDim()]);
      else
        replaceNestedIndices(builder.clone(inner, map));
    }
    SmallVector<Value> results;
    for (auto [init, yielded] :
         llvm::zip_equal(op.getDpsInitsMutable(),
                         body->getTerminator()->getOperands())) {
      Value value = map.lookupOrDefault(yielded);
      if (movesInside(init))
        memref::StoreOp::create(builder, loc, value, init.get(), locate(init));
      else
        results.push_back(value);
    }
    return results;
  }

  void replaceNestedIndices(Operation *copy) {
    copy->walk([&](linalg::IndexOp index) {
      index.replaceAllUsesWith(indices[index.getDim()]);
      index.erase();
    });
  }

  OpBuilder &builder;
  Location loc;
  linalg::LinalgOp op;
  SmallVector<unsigned> order;
  SmallVector<Value> indices;
  SmallVector<Value> sizes;
  unsigned firstCarried;
};

/// Sums may be split over vector lanes: the order is that of the compiled code
/// and the same in every run.
void allowReassociation(linalg::LinalgOp op) {
  if (!op.getNumReductionLoops())
    return;
  auto flags = arith::FastMathFlagsAttr::get(
      op->getContext(),
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
  for (Value yielded : op.getBlock()->getTerminator()->getOperands()) {
    Operation *combiner = yielded.getDefiningOp();
    if (isa_and_nonnull<arith::AddFOp, arith::MulFOp>(combiner))
      combiner->setAttr("fastmath", flags);
  }
}

} // namespace

LogicalResult cpu::lowerToLoops(func::FuncOp kernel, unsigned vectorBits) {
  IRRewriter rewriter(kernel.getContext());
  kernel.walk([&](memref::CopyOp copy) {
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                copy.getTarget());
  });
  SmallVector<ext::LowerToLoopsOpInterface> own;
  kernel.walk([&](ext::LowerToLoopsOpInterface op) { own.push_back(op); });
  bool all = true;
  for (ext::LowerToLoopsOpInterface op : own) {
    rewriter.setInsertionPoint(op);
    if (isa<ext::WinogradInputOp, ext::WinogradOutputOp>(op)) {
      if (failed(ext::emitWinograd(rewriter, op, vectorBits / 32)))
        return failure();
      rewriter.eraseOp(op);
      continue;
    }
    all = false;
    if (failed(ext::lowerToLoops(rewriter, op)))
      return failure();
  }
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  // LLVM vectorizes the loops of a kernel well, but neither contractions nor
  // transpositions; a kernel with a contraction is vectorized here as far as
  // possible.
  bool vectorize = llvm::any_of(ops, isVectorContraction);
  all &= vectorize;
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics())
      return op->emitError("expected an op on buffers in a kernel");
    allowReassociation(op);
    rewriter.setInsertionPoint(op);
    bool done =
        vectorize
            ? succeeded(lowerContraction(rewriter, op, vectorBits)) ||
                  succeeded(lowerElementwise(rewriter, op, vectorBits))
            : succeeded(lowerTransposed(rewriter, op, vectorBits));
    done = done || succeeded(lowerReduction(rewriter, op, vectorBits));
    all &= done;
    if (!done)
      LoopBuilder(rewriter, op).build();
    rewriter.eraseOp(op);
  }
  if (all)
    kernel->setAttr(kVectorizedAttr, rewriter.getUnitAttr());
  return success();
}

void cpu::widenBooleans(func::FuncOp kernel) {
  auto widen = [](Type type) -> Type {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.getElementType().isInteger(1))
      return type;
    return MemRefType::get(memref.getShape(),
                           IntegerType::get(type.getContext(), 8),
                           memref.getLayout(), memref.getMemorySpace());
  };
  kernel.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(widen(argument.getType()));
    for (Value result : op->getResults())
      result.setType(widen(result.getType()));
  });
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(),
                        kernel.getBody().front().getArgumentTypes(), {}));
  OpBuilder builder(kernel.getContext());
  Type byte = builder.getI8Type();
  auto withBytes = [&](Type type) -> Type {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? VectorType::get(vector.getShape(), byte) : byte;
  };
  auto hasBooleans = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isInteger(1);
  };
  kernel.walk([&](Operation *op) {
    if (isa<memref::LoadOp, vector::LoadOp>(op)) {
      Value loaded = op->getResult(0);
      if (!hasBooleans(loaded))
        return;
      loaded.setType(withBytes(loaded.getType()));
      builder.setInsertionPointAfter(op);
      Value zero = arith::ConstantOp::create(
          builder, op->getLoc(), builder.getZeroAttr(loaded.getType()));
      auto bit = arith::CmpIOp::create(
          builder, op->getLoc(), arith::CmpIPredicate::ne, loaded, zero);
      loaded.replaceAllUsesExcept(bit.getResult(), bit);
    } else if (isa<memref::StoreOp, vector::StoreOp>(op)) {
      OpOperand &stored = op->getOpOperand(0);
      if (!hasBooleans(stored.get()))
        return;
      builder.setInsertionPoint(op);
      stored.set(arith::ExtUIOp::create(builder, op->getLoc(),
                                        withBytes(stored.get().getType()),
                                        stored.get()));
    }
  });
}
