// ferrule.sort as loops: a bottom-up merge sort of every row, in place in the
// outs, with the left run of each merge moved to the scratch.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

namespace {

struct RowSort {
  SortOp op;
  LoopBuilder &b;
  SmallVector<Value> outs, scratch;
  /// The row's position; the sorted dimension's entry is replaced.
  SmallVector<Value> row;

  SmallVector<Value> at(Value i) {
    SmallVector<Value> position(row);
    position[op.getDimension()] = i;
    return position;
  }
  SmallVector<Value> loadAll(ArrayRef<Value> from, Value i) {
    SmallVector<Value> values;
    for (Value memref : from)
      values.push_back(b.load(memref, at(i)));
    return values;
  }
  void storeAll(ArrayRef<Value> values, ArrayRef<Value> to, Value i) {
    for (auto [value, memref] : llvm::zip(values, to))
      b.store(value, memref, at(i));
  }
  /// Whether `x` must go before `y`.
  Value before(ArrayRef<Value> x, ArrayRef<Value> y) {
    SmallVector<Value> arguments;
    for (auto [a, c] : llvm::zip(x, y))
      arguments.append({a, c});
    return b.inlineBlock(op.getRegion(), arguments).front();
  }

  /// Sorts [from, to) by insertion: fast for the short first runs.
  void insertionSort(Value from, Value to) {
    Value one = b.index(1);
    b.loop(b.add(from, one), to, [&](Value i) {
      SmallVector<Value> value = loadAll(outs, i);
      SmallVector<Value> place = b.whileLoop(
          i,
          [&](ValueRange j) {
            return b.both(b.less(from, j[0]), [&] {
              return before(value, loadAll(outs, b.sub(j[0], one)));
            });
          },
          [&](ValueRange j) -> SmallVector<Value> {
            Value previous = b.sub(j[0], one);
            storeAll(loadAll(outs, previous), outs, j[0]);
            return {previous};
          });
      storeAll(value, outs, place[0]);
    });
  }

  /// Merges the sorted [from, middle) and [middle, to). What is left of the
  /// right run when the left one ends is in place already.
  void merge(Value from, Value middle, Value to) {
    b.loop(from, middle,
           [&](Value i) { storeAll(loadAll(outs, i), scratch, i); });
    b.whileLoop({from, middle, from},
                [&](ValueRange ijk) { return b.less(ijk[0], middle); },
                [&](ValueRange ijk) {
                  return mergeStep(ijk[0], ijk[1], ijk[2], to);
                });
  }

  /// Writes place k from the left run's i or the right run's j.
  SmallVector<Value> mergeStep(Value i, Value j, Value k, Value to) {
    SmallVector<Value> left = loadAll(scratch, i);
    Value isRight = b.both(b.less(j, to), [&] {
      return before(loadAll(outs, j), left);
    });
    auto move = scf::IfOp::create(b, isRight, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(move.thenBlock());
      storeAll(loadAll(outs, j), outs, k);
      b.setInsertionPointToStart(move.elseBlock());
      storeAll(left, outs, k);
    }
    Value nextI = arith::SelectOp::create(b, isRight, i, b.add(i, 1));
    Value nextJ = arith::SelectOp::create(b, isRight, b.add(j, 1), j);
    return {nextI, nextJ, b.add(k, 1)};
  }

  /// Merges neighbouring runs of `width` elements that are out of order.
  void mergePass(Value width, Value size) {
    Value twice = b.add(width, width);
    b.loop(b.index(0), b.sub(size, width), twice, [&](Value from) {
      Value middle = b.add(from, width);
      SmallVector<Value> last = loadAll(outs, b.sub(middle, b.index(1)));
      b.when(before(loadAll(outs, middle), last), [&] {
        merge(from, middle, b.min(b.add(from, twice), size));
      });
    });
  }

  void sort() {
    constexpr int64_t runLength = 16;
    Value run = b.index(runLength);
    Value size = b.dim(outs.front(), op.getDimension());
    b.loop(b.index(0), size, run, [&](Value from) {
      insertionSort(from, b.min(b.add(from, run), size));
    });
    b.whileLoop(run, [&](ValueRange width) { return b.less(width[0], size); },
                [&](ValueRange width) -> SmallVector<Value> {
                  mergePass(width[0], size);
                  return {b.add(width[0], width[0])};
                });
  }
};

} // namespace

LogicalResult SortOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  size_t n = getInputs().size();
  b.loopOver(getInputs().front(), getBatchDims(*this),
             [&](SmallVector<Value> row) {
               RowSort sort{*this, b, getOutputs().take_front(n),
                            getOutputs().drop_front(n), row};
               Value size = b.dim(getInputs().front(), getDimension());
               b.loop(b.index(0), size, [&](Value i) {
                 sort.storeAll(sort.loadAll(SmallVector<Value>(getInputs()), i),
                               sort.outs, i);
               });
               sort.sort();
             });
  return success();
}
