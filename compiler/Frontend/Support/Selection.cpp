#include "compiler/Frontend/Support/Selection.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Scan.h"

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
