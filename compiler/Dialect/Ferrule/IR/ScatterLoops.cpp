// ferrule.scatter as loops: one nest over the updates, in row-major order.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

namespace {

/// Computes where an update element goes.
struct ScatterTarget {
  ScatterOp op;
  LoopBuilder &b;
  Value indices, operand;

  /// The start index of operand dimension `dim`: an element of the indices at
  /// the update's scatter position.
  Value startOf(int64_t component, ArrayRef<Value> scatterPosition) {
    auto type = cast<MemRefType>(indices.getType());
    int64_t vectorDim = op.getIndexVectorDim();
    SmallVector<Value> at(scatterPosition);
    if (vectorDim < type.getRank())
      at.insert(at.begin() + vectorDim, b.index(component));
    Value raw = b.load(indices, at);
    if (raw.getType().isIndex())
      return raw;
    Type index = b.getIndexType();
    if (op.getUnsignedIndices())
      return arith::IndexCastUIOp::create(b, index, raw);
    return arith::IndexCastOp::create(b, index, raw);
  }

  /// The element's position in the operand for its position in the updates.
  SmallVector<Value> position(ArrayRef<Value> update) {
    SmallVector<Value> scatterPosition, window;
    for (auto [i, value] : llvm::enumerate(update)) {
      bool isWindow = llvm::is_contained(op.getUpdateWindowDims(), i);
      (isWindow ? window : scatterPosition).push_back(value);
    }
    int64_t rank = cast<MemRefType>(operand.getType()).getRank();
    SmallVector<Value> at(rank, b.index(0));
    for (auto [k, d] : llvm::enumerate(op.getScatterDimsToOperandDims()))
      at[d] = startOf(k, scatterPosition);
    for (auto [d, s] : llvm::zip(op.getInputBatchingDims(),
                                 op.getScatterIndicesBatchingDims())) {
      // The scatter position leaves out the index vector's dimension.
      at[d] = scatterPosition[s - (s > (int64_t)op.getIndexVectorDim())];
    }
    const Value *next = window.begin();
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(op.getInsertedWindowDims(), d) &&
          !llvm::is_contained(op.getInputBatchingDims(), d))
        at[d] = b.add(at[d], *next++);
    return at;
  }

  Value inBounds(ArrayRef<Value> at) {
    Value inside = arith::ConstantIntOp::create(b, 1, 1);
    for (auto [d, value] : llvm::enumerate(at)) {
      // Negative positions are huge as unsigned numbers.
      Value ok = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                                       b.dim(operand, d));
      inside = arith::AndIOp::create(b, inside, ok);
    }
    return inside;
  }
};

} // namespace

LogicalResult ScatterOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  ValueRange updates = getInputs().drop_front();
  ValueRange operands = getOutputs();
  ScatterTarget target{*this, b, getInputs().front(), operands.front()};
  int64_t rank = cast<MemRefType>(updates.front().getType()).getRank();
  b.loopOver(updates.front(), llvm::to_vector(llvm::seq<int64_t>(0, rank)),
             [&](SmallVector<Value> update) {
               SmallVector<Value> at = target.position(update);
               b.when(target.inBounds(at), [&] {
                 SmallVector<Value> arguments;
                 for (Value operand : operands)
                   arguments.push_back(b.load(operand, at));
                 for (Value value : updates)
                   arguments.push_back(b.load(value, update));
                 SmallVector<Value> next =
                     b.inlineBlock(getRegion(), arguments);
                 for (auto [value, operand] : llvm::zip(next, operands))
                   b.store(value, operand, at);
               });
             });
  return success();
}
