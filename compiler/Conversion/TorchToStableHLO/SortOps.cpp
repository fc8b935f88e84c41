// Sorting and selection.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Sort.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

static void sortOp(OpLowering &x) {
  Value self = x.tensor("self");
  auto [values, places] = sortPairs(x.b, self, x.dim("dim", rankOf(self), -1),
                                    x.flag("descending"));
  x.give({values, places});
}

static void argsortOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(
      sortPairs(x.b, self, x.dim("dim", rankOf(self), -1), x.flag("descending"))
          .second);
}

static void msortOp(OpLowering &x) {
  x.give(sortPairs(x.b, x.tensor("self"), 0, false).first);
}

static void topkOp(OpLowering &x) {
  Value self = x.tensor("self");
  auto [values, places] =
      topK(x.b, self, x.size("k"), x.dim("dim", rankOf(self), -1),
           x.flag("largest", true));
  x.give({values, places});
}

/// Element `index` of the sorted rows.
static void giveNth(OpLowering &x, Value self, int64_t dim, Size index,
                    bool keepDim) {
  auto [values, places] = sortPairs(x.b, self, dim, false);
  if (rankOf(self) == 0)
    return x.give({values, places});
  Value value = selectIndex(x.b, values, dim, index);
  Value place = selectIndex(x.b, places, dim, index);
  if (keepDim) {
    value = unsqueeze(x.b, value, {dim});
    place = unsqueeze(x.b, place, {dim});
  }
  x.give({value, place});
}

static void kthvalueOp(OpLowering &x) {
  Value self = x.tensor("self");
  giveNth(x, self, x.dim("dim", rankOf(self), -1), sub(x.b, x.size("k"), 1),
          x.flag("keepdim"));
}

/// The lower of two middle elements; a NaN makes the result NaN.
static void medianOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  bool whole = !x.has("dim");
  if (whole)
    self = reshape(b, self, {-1});
  int64_t dim = whole ? 0 : x.dim("dim", rankOf(self));
  if (rankOf(self) == 0)
    return x.give({self, scalarInt(b, b.getI64Type(), 0)});
  Size middle = floorDiv(b, sub(b, sizeOf(b, self, dim), 1), 2);
  auto [values, places] = sortPairs(b, self, dim, false);
  Value value = selectIndex(b, values, dim, middle);
  Value place = selectIndex(b, places, dim, middle);
  if (isa<mlir::FloatType>(elementOf(self))) {
    // NaN sorts last; the first of them in the input is the answer.
    Value nan = isNaN(b, self);
    Value any = reduceAny(b, nan, {dim}, false);
    Value first =
        argExtremum(b, convert(b, nan, b.getI8Type()), dim, true, false);
    Value last = reduceMax(b, self, {dim}, false);
    value = select(b, any, last, value);
    place = select(b, any, first, place);
  }
  if (whole)
    return x.give(value);
  if (x.flag("keepdim")) {
    value = unsqueeze(b, value, {dim});
    place = unsqueeze(b, place, {dim});
  }
  x.give({value, place});
}

static const LoweringEntry entries[] = {
    {"aten.sort", sortOp},         {"aten.sort.stable", sortOp},
    {"aten.argsort", argsortOp},   {"aten.argsort.stable", argsortOp},
    {"aten.msort", msortOp},       {"aten.topk", topkOp},
    {"aten.kthvalue", kthvalueOp}, {"aten.median", medianOp},
    {"aten.median.dim", medianOp},
};

void torch::addSortLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
