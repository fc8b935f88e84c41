// Operators that read at computed places.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Scan.h"
#include "compiler/Frontend/Support/Selection.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

static void embeddingOp(OpLowering &x) {
  x.give(take(x.b, x.tensor("weight"), x.tensor("indices"), 0));
}

static void indexSelectOp(OpLowering &x) {
  Value self = x.tensor("self"), index = x.tensor("index");
  if (rankOf(index) == 0)
    index = unsqueeze(x.b, index, {0});
  if (rankOf(self) == 0)
    return x.give(self);
  x.give(take(x.b, self, index, x.dim("dim", rankOf(self))));
}

static void gatherOp(OpLowering &x) {
  Value self = x.tensor("self"), index = x.tensor("index");
  if (rankOf(index) == 0 && rankOf(self) == 1)
    return x.give(take(x.b, self, index, 0));
  x.give(gatherElements(x.b, self, index, x.dim("dim", rankOf(self))));
}

static void takeOp(OpLowering &x) {
  Value flat = reshape(x.b, x.tensor("self"), {-1});
  Value index = wrapNegative(x.b, x.tensor("index"), sizeOf(x.b, flat, 0));
  x.give(take(x.b, flat, index, 0));
}

/// Index tensors for the leading dimensions: a mask stands for as many
/// dimensions as it has and becomes the positions of its true elements.
static SmallVector<Value> indexTensors(OpLowering &x, Value self) {
  SmallVector<Value> indices;
  for (Value index : x.tensors("indices")) {
    if (!index) {
      indices.push_back(Value());
      continue;
    }
    if (elementOf(index).isInteger(1)) {
      llvm::append_range(indices, nonzeroColumns(x.b, index));
      continue;
    }
    if (!elementOf(index).isInteger(64) && !elementOf(index).isInteger(32))
      index = convert(x.b, index, x.b.getI64Type());
    int64_t dim = indices.size();
    if (dim >= rankOf(self)) {
      x.fail("has more indices than dimensions");
      return {};
    }
    indices.push_back(wrapNegative(x.b, index, sizeOf(x.b, self, dim)));
  }
  // Index tensors of one element type, so that they can be joined.
  Type element;
  for (Value index : indices)
    if (index)
      element = element && elementOf(index) != element ? Type(x.b.getI64Type())
                                                       : elementOf(index);
  for (Value &index : indices)
    if (index)
      index = convert(x.b, index, element);
  return indices;
}

static void indexOp(OpLowering &x) {
  Value self = x.tensor("self");
  SmallVector<Value> indices = indexTensors(x, self);
  if (!x.failed())
    x.give(advancedIndex(x.b, self, indices));
}

static void indexPutOp(OpLowering &x) {
  Value self = x.tensor("self");
  Value values = x.tensor("values", elementOf(self));
  // A mask with one value is a choice, whatever the number of elements.
  SmallVector<Value> given = x.tensors("indices");
  if (given.size() == 1 && given[0] && elementOf(given[0]).isInteger(1) &&
      numElements(x.b, values).is(1) && !x.flag("accumulate")) {
    SmallVector<int64_t> dims =
        llvm::to_vector(llvm::seq<int64_t>(0, rankOf(given[0])));
    Value mask = broadcastInDim(x.b, given[0], sizesOf(x.b, self), dims);
    return x.give(select(x.b, mask, reshape(x.b, values, {}), self));
  }
  SmallVector<Value> indices = indexTensors(x, self);
  if (!x.failed())
    x.give(advancedIndexPut(x.b, self, indices, values,
                            x.flag("accumulate") ? Combine::Add
                                                 : Combine::Replace));
}

static void nonzeroOp(OpLowering &x) {
  Value self = x.tensor("self", x.b.getI1Type());
  if (rankOf(self) == 0) {
    // One row or none, of no element.
    Value places = nonzeroColumns(x.b, reshape(x.b, self, {1}))[0];
    return x.give(full(x.b, {sizeOf(x.b, places, 0), 0}, x.b.getI64Type(), 0));
  }
  SmallVector<Value> columns = nonzeroColumns(x.b, self);
  x.give(stack(x.b, columns, 1));
}

static void nonzeroNumpyOp(OpLowering &x) {
  x.giveList(nonzeroColumns(x.b, x.tensor("self", x.b.getI1Type())));
}

static void argwhereOp(OpLowering &x) { nonzeroOp(x); }

static void maskedSelectOp(OpLowering &x) {
  auto v = broadcastTogether(
      x.b, {x.tensor("self"), x.tensor("mask", x.b.getI1Type())});
  Value flat = reshape(x.b, v[0], {-1}), mask = reshape(x.b, v[1], {-1});
  x.give(take(x.b, flat, nonzeroColumns(x.b, mask)[0], 0));
}

/// Row i of the source goes to the place of the i-th true element.
static void maskedScatterOp(OpLowering &x) {
  auto v = broadcastTogether(
      x.b, {x.tensor("self"), x.tensor("mask", x.b.getI1Type())});
  Value self = v[0], mask = v[1];
  Sizes sizes = sizesOf(x.b, self);
  Value source = reshape(x.b, x.tensor("source", elementOf(self)), {-1});
  Value order = reshape(x.b, maskOrder(x.b, reshape(x.b, mask, {-1})), sizes);
  // Places that are not chosen read row 0 and drop it.
  order = maximum(x.b, order, 0.0);
  x.give(select(x.b, mask, take(x.b, source, order, 0), self));
}

/// How many of the numbers in the last dimension of `rows` lie below (or at)
/// each value.
static Value countBelow(HloBuilder &b, Value rows, Value values, bool orAt) {
  Value left = unsqueeze(b, values, {-1});
  if (rankOf(rows) > 1)
    rows = unsqueeze(b, rows, {rankOf(rows) - 1});
  Value below = compare(b, orAt ? Direction::LE : Direction::LT, rows, left);
  return reduceSum(b, convert(b, below, b.getI64Type()), {-1},
                   /*keepDims=*/false);
}

/// Index i as often as repeats[i] says: the repetitions that end at or before
/// a place are those of the indices before.
static void repeatInterleaveOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Type i64 = b.getI64Type();
  Value repeats = x.tensor("repeats", i64);
  Size count = x.has("output_size")
                   ? x.size("output_size")
                   : Size(reduceSum(b, repeats, {0}, /*keepDims=*/false));
  Value ends = cumulativeSum(b, repeats, 0);
  x.give(countBelow(b, ends, iota(b, {count}, 0, i64), /*orAt=*/true));
}

/// How many boundaries lie below (or at) each value.
static void bucketizeOp(OpLowering &x) {
  bool search = x.has("sorted_sequence");
  Value sorted = x.tensor(search ? "sorted_sequence" : "boundaries");
  Value values = x.tensor("self");
  if (!values)
    return x.fail("needs a tensor of values");
  Type element = promoteTypes(elementOf(sorted), elementOf(values));
  sorted = convert(x.b, sorted, element);
  values = convert(x.b, values, element);
  bool right = x.flag("right") || x.text("side", "left") == "right";
  x.give(countBelow(x.b, sorted, values, right));
}

/// How often each number stands among the elements.
static void bincountOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self", b.getI64Type());
  Type element = x.resultElement();
  Value weights =
      x.has("weights") ? x.tensor("weights", element) : fullLike(b, self, 1);
  Size least = maximum(b, x.size("minlength"), 0);
  Value most = reduceMax(b, maximum(b, self, -1.0), {0}, /*keepDims=*/false);
  // No element gives the type's least number.
  Value top = maximum(b, most, -1.0);
  Size count = maximum(b, add(b, Size(top), 1), least);
  Value zeros = full(b, {count}, element, 0);
  x.give(indexUpdate(b, zeros, 0, self, convert(b, weights, element),
                     Combine::Add));
}

/// Equal elements, or equal slices along a dimension, only once.
template <bool consecutive> static void uniqueOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  Sizes sizes = sizesOf(b, self);
  bool whole = !x.has("dim");
  Value items = reshape(b, self, {-1});
  int64_t dim = 0;
  if (!whole) {
    dim = x.dim("dim", rankOf(self));
    items = rankOf(self) == 0 ? items : moveDim(b, self, dim, 0);
  }
  Sizes itemSizes = sizesOf(b, items);
  Size width = product(b, ArrayRef(itemSizes).drop_front());
  Value rows = reshape(b, items, {itemSizes[0], width});
  Groups groups = groupRows(b, rows, consecutive);
  Value result = take(b, items, groups.starts, 0);
  if (!whole && rankOf(self) > 0)
    result = moveDim(b, result, 0, dim);
  Value inverse = groups.inverse;
  if (whole)
    inverse = reshape(b, inverse, sizes);
  // What is not asked for has no elements.
  Value none = full(b, {0}, b.getI64Type(), 0);
  bool all = x.op->getName().getStringRef().ends_with("unique_dim");
  x.give({result, all || x.flag("return_inverse") ? inverse : none,
          all || x.flag("return_counts") ? groups.counts : none});
}

static void oneHotOp(OpLowering &x) {
  Type i64 = x.b.getI64Type();
  x.give(oneHot(x.b, x.tensor("self"), x.size("num_classes"),
                scalarInt(x.b, i64, 1), scalarInt(x.b, i64, 0), -1));
}

static const LoweringEntry entries[] = {
    {"aten.embedding", embeddingOp},
    {"aten.index_select", indexSelectOp},
    {"aten.gather", gatherOp},
    {"aten.take", takeOp},
    {"aten.index.Tensor", indexOp},
    {"aten._unsafe_index.Tensor", indexOp},
    {"aten.index.Tensor_hacked_twin", indexOp},
    {"aten.index_put", indexPutOp},
    {"aten._unsafe_index_put", indexPutOp},
    {"aten.index_put.hacked_twin", indexPutOp},
    {"aten.nonzero", nonzeroOp},
    {"aten.nonzero_numpy", nonzeroNumpyOp},
    {"aten.argwhere", argwhereOp},
    {"aten.masked_select", maskedSelectOp},
    {"aten.masked_scatter", maskedScatterOp},
    {"aten.repeat_interleave.Tensor", repeatInterleaveOp},
    {"aten.bucketize.Tensor", bucketizeOp},
    {"aten.searchsorted.Tensor", bucketizeOp},
    {"aten.one_hot", oneHotOp},
    {"aten.bincount", bincountOp},
    {"aten._unique2", uniqueOp<false>},
    {"aten.unique_dim", uniqueOp<false>},
    {"aten.unique_consecutive", uniqueOp<true>},
    {"aten.unique_dim_consecutive", uniqueOp<true>},
};

void torch::addIndexLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
