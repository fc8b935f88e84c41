#include "compiler/Frontend/Support/Selection.h"
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Scan.h"
#include "compiler/Frontend/Support/Sort.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::maskOrder(HloBuilder &b, Value mask) {
  Value counts = convert(b, mask, b.getI64Type());
  return sub(b, cumulativeSum(b, counts, 0), 1.0);
}

SmallVector<Value> frontend::nonzeroColumns(HloBuilder &b, Value mask) {
  Type i64 = b.getI64Type();
  Sizes sizes = sizesOf(b, mask);
  Value flat = reshape(b, mask, {-1});
  Size length = sizeOf(b, flat, 0);
  // Element i goes to its rank among the true ones; the others go past the
  // end, where a scatter drops them.
  Value outside = fill(b, length.materialize(b), {length});
  Value target = select(b, flat, maskOrder(b, flat), outside);
  Value places = iota(b, {length}, 0, i64);
  Value packed = scatterND(b, full(b, {length}, i64, 0),
                           unsqueeze(b, target, {1}), places);
  Value count = reduceSum(b, convert(b, flat, i64), {0}, /*keepDims=*/false);
  Value chosen = slice(b, packed, 0, 0, Size(count));
  // Positions from the flat ones, the last dimension first.
  SmallVector<Value> columns(sizes.size());
  for (int64_t dim = int64_t(sizes.size()) - 1; dim > 0; --dim) {
    Value size = maximum(b, sizes[dim], 1).materialize(b);
    columns[dim] = remainder(b, chosen, size);
    chosen = div(b, chosen, size);
  }
  if (!columns.empty())
    columns[0] = chosen;
  return columns;
}

/// The order of the rows, by their first columns first.
static Value sortedOrder(HloBuilder &b, Value rows) {
  Value order = iota(b, {sizeOf(b, rows, 0)}, 0, b.getI64Type());
  Size columns = sizeOf(b, rows, 1);
  if (columns.is(1))
    return sortPairs(b, squeeze(b, rows, {1}), 0, /*descending=*/false).second;
  // Stable sorts by one column after the other, the last one first.
  Value last = sub(b, columns, 1).materialize(b);
  return columnLoop(
      b, columns, {order}, [&](HloBuilder &b, Value step, ValueRange state) {
        Size column(sub(b, last, step));
        Value keys = take(b, selectIndex(b, rows, 1, column), state[0], 0);
        Value moves = sortPairs(b, keys, 0, /*descending=*/false).second;
        return SmallVector<Value>{take(b, state[0], moves, 0)};
      })[0];
}

Groups frontend::groupRows(HloBuilder &b, Value rows, bool consecutive) {
  Type i64 = b.getI64Type();
  if (elementOf(rows).isInteger(1))
    rows = convert(b, rows, b.getI32Type());
  Size count = sizeOf(b, rows, 0);
  Value places = iota(b, {count}, 0, i64);
  Value order = consecutive ? places : sortedOrder(b, rows);
  // A row begins a group when it differs from the one before it.
  Value before = take(b, order, maximum(b, sub(b, places, 1.0), 0.0), 0);
  Value differs = compare(b, Direction::NE, take(b, rows, order, 0),
                          take(b, rows, before, 0));
  Value first = bitOr(b, reduceAny(b, differs, {1}, /*keepDims=*/false),
                      compare(b, Direction::EQ, places, 0.0));
  Value group = maskOrder(b, first);
  Value starts = take(b, order, nonzeroColumns(b, first)[0], 0);
  Value inverse = scatterElements(b, full(b, {count}, i64, 0), order, group, 0);
  Value counts = indexUpdate(b, full(b, {sizeOf(b, starts, 0)}, i64, 0), 0,
                             group, full(b, {count}, i64, 1), Combine::Add);
  return {starts, inverse, counts};
}
