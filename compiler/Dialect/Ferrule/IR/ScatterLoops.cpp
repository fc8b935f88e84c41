// ferrule.scatter as loops over the scatter positions in row-major order and,
// inside, over the window of each.
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

  SmallVector<int64_t> scatterDims(int64_t rank) {
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(op.getUpdateWindowDims(), d))
        dims.push_back(d);
    return dims;
  }
  /// Operand dimensions that the window dimensions of the updates run over.
  SmallVector<int64_t> windowOperandDims() {
    SmallVector<int64_t> dims;
    for (int64_t d = 0, rank = rankOf(operand); d < rank; ++d)
      if (!llvm::is_contained(op.getInsertedWindowDims(), d) &&
          !llvm::is_contained(op.getInputBatchingDims(), d))
        dims.push_back(d);
    return dims;
  }
  static int64_t rankOf(Value memref) {
    return cast<MemRefType>(memref.getType()).getRank();
  }

  /// Where the window of a scatter position begins in the operand.
  SmallVector<Value> windowStart(ArrayRef<Value> update) {
    SmallVector<Value> scatterPosition;
    for (int64_t d : scatterDims(update.size()))
      scatterPosition.push_back(update[d]);
    SmallVector<Value> at(rankOf(operand), b.index(0));
    for (auto [k, d] : llvm::enumerate(op.getScatterDimsToOperandDims()))
      at[d] = startOf(k, scatterPosition);
    for (auto [d, s] : llvm::zip(op.getInputBatchingDims(),
                                 op.getScatterIndicesBatchingDims())) {
      // The scatter position leaves out the index vector's dimension.
      at[d] = scatterPosition[s - (s > (int64_t)op.getIndexVectorDim())];
    }
    return at;
  }

  /// The element's position in the operand for its position in the window.
  SmallVector<Value> position(ArrayRef<Value> start, ArrayRef<Value> update) {
    SmallVector<Value> at(start);
    for (auto [d, w] :
         llvm::zip(windowOperandDims(), op.getUpdateWindowDims()))
      at[d] = b.add(at[d], update[w]);
    return at;
  }

  /// Whether all of `at` + [0, size) lie inside the operand, in the dimensions
  /// that indices choose. Without `updates`, single elements.
  Value inBounds(ArrayRef<Value> at, Value updates) {
    Value inside = arith::ConstantIntOp::create(b, 1, 1);
    SmallVector<int64_t> window = windowOperandDims();
    for (int64_t d : op.getScatterDimsToOperandDims()) {
      Value room = b.dim(operand, d);
      auto found = llvm::find(window, d);
      if (updates && found != window.end()) {
        // Wide windows leave no room at all: negative, so nothing fits.
        Value size = b.dim(
            updates, op.getUpdateWindowDims()[found - window.begin()]);
        room = b.add(b.sub(room, size), b.index(1));
        room = arith::MaxSIOp::create(b, room, b.index(0));
      }
      // Negative positions are huge as unsigned numbers.
      Value ok = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at[d],
                                       room);
      inside = arith::AndIOp::create(b, inside, ok);
    }
    return inside;
  }

  /// Whether a window may lie partly inside.
  bool mayOverlapEdge() {
    return llvm::any_of(windowOperandDims(), [&](int64_t d) {
      return llvm::is_contained(op.getScatterDimsToOperandDims(), d);
    });
  }
};

} // namespace

/// Applies one window; `checked` elements are skipped when outside.
static void emitWindow(ScatterTarget &target, ArrayRef<Value> start,
                       ArrayRef<Value> scatterPosition, bool checked) {
  LoopBuilder &b = target.b;
  ValueRange updates = target.op.getInputs().drop_front();
  ValueRange operands = target.op.getOutputs();
  b.loopOver(updates.front(), target.op.getUpdateWindowDims(),
             [&](SmallVector<Value> update) {
               for (auto [own, outer] : llvm::zip(update, scatterPosition))
                 if (!own)
                   own = outer;
               SmallVector<Value> at = target.position(start, update);
               auto apply = [&] {
                 SmallVector<Value> arguments;
                 for (Value operand : operands)
                   arguments.push_back(b.load(operand, at));
                 for (Value value : updates)
                   arguments.push_back(b.load(value, update));
                 SmallVector<Value> next =
                     b.inlineBlock(target.op.getRegion(), arguments);
                 for (auto [value, operand] : llvm::zip(next, operands))
                   b.store(value, operand, at);
               };
               if (checked)
                 b.when(target.inBounds(at, {}), apply);
               else
                 apply();
             });
}

LogicalResult ScatterOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  Value updates = getInputs()[1];
  ScatterTarget target{*this, b, getInputs().front(), getOutputs().front()};
  SmallVector<int64_t> scatterDims =
      target.scatterDims(ScatterTarget::rankOf(updates));
  b.loopOver(updates, scatterDims, [&](SmallVector<Value> position) {
    SmallVector<Value> start = target.windowStart(position);
    // Most windows lie inside and need no check for each element.
    Value inside = target.inBounds(start, updates);
    bool hasElse = target.mayOverlapEdge();
    auto choice = scf::IfOp::create(b, inside, hasElse);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    emitWindow(target, start, position, /*checked=*/false);
    if (!hasElse)
      return;
    b.setInsertionPointToStart(choice.elseBlock());
    emitWindow(target, start, position, /*checked=*/true);
  });
  return success();
}
