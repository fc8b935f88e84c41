// Ops whose results are as large as the data says.
#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Selection.h"
#include "compiler/Frontend/Support/Sort.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Positions of the non-zero elements, one row a dimension.
static LogicalResult importNonZero(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  // A scalar counts as a list of one.
  if (rankOf(x) == 0)
    x = frontend::reshape(b, x, {1});
  Value mask = convert(b, x, b.getI1Type());
  return op.result(stack(b, nonzeroColumns(b, mask), 0));
}

/// The slices along an axis (or the elements) where a condition holds. The
/// condition may be shorter than the axis: the rest is dropped.
static LogicalResult importCompress(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), condition = op.input(1);
  if (rankOf(condition) != 1 || !elementOf(condition).isInteger(1))
    return op.error() << "found condition " << typeOf(condition)
                      << ", expected a list of booleans";
  int64_t axis = 0;
  if (op.hasAttr("axis")) {
    auto given = op.axis(op.intAttr("axis", 0), rankOf(x));
    if (failed(given))
      return failure();
    axis = *given;
  } else {
    x = frontend::reshape(b, x, {-1});
  }
  auto known = onnx::constantInts(condition);
  if (!known)
    return op.result(take(b, x, nonzeroColumns(b, condition)[0], axis));
  SmallVector<int64_t> places;
  for (auto [i, kept] : llvm::enumerate(*known))
    if (kept)
      places.push_back(i);
  return op.result(take(b, x, constantI64(b, places), axis));
}

/// The different elements or slices, where each stands first, which of them
/// each element is, and how often each stands.
static FailureOr<std::array<Value, 4>> uniqueOf(NodeContext &op, bool sorted) {
  HloBuilder &b = op.b;
  Type i64 = b.getI64Type();
  Value x = op.input(0);
  int64_t axis = 0;
  if (op.hasAttr("axis")) {
    auto given = op.axis(op.intAttr("axis", 0), rankOf(x));
    if (failed(given))
      return failure();
    axis = *given;
  } else {
    x = frontend::reshape(b, x, {-1});
  }
  Value items = moveDim(b, x, axis, 0), rows = items;
  Size count = sizeOf(b, items, 0);
  rows = frontend::reshape(
      b, rows, {count, product(b, ArrayRef(sizesOf(b, items)).drop_front())});
  auto [starts, inverse, counts] = groupRows(b, rows);
  Size groups = sizeOf(b, starts, 0);
  if (!sorted) {
    // In the order of their first places.
    Value moves = sortPairs(b, starts, 0, /*descending=*/false).second;
    starts = take(b, starts, moves, 0);
    counts = take(b, counts, moves, 0);
    Value rank = scatterElements(b, full(b, {groups}, i64, 0), moves,
                                 iota(b, {groups}, 0, i64), 0);
    inverse = take(b, rank, inverse, 0);
  }
  Value values = moveDim(b, take(b, items, starts, 0), 0, axis);
  return std::array<Value, 4>{values, starts, inverse, counts};
}

static LogicalResult importUnique(NodeContext &op) {
  auto results = uniqueOf(op, op.intAttr("sorted", 1));
  if (failed(results))
    return failure();
  for (auto [i, value] : llvm::enumerate(*results))
    op.set(i, value);
  return success();
}

/// In order of first places, without these places.
static LogicalResult importMicrosoftUnique(NodeContext &op) {
  auto results = uniqueOf(op, /*sorted=*/false);
  if (failed(results))
    return failure();
  op.set(0, (*results)[0]);
  op.set(1, (*results)[2]);
  op.set(2, (*results)[3]);
  return success();
}

namespace {
/// Boxes by their corners, each [batch, boxes or classes, boxes].
struct Corners {
  Value top, left, bottom, right;
};
} // namespace

/// boxes [batch, boxes, 4], each as two opposite corners or (`centred`) as
/// centre and size, spread over the classes of `shape`.
static Corners readCorners(HloBuilder &b, Value boxes, bool centred,
                           ArrayRef<Size> shape) {
  auto column = [&](int64_t i) { return selectIndex(b, boxes, 2, i); };
  auto spread = [&](Value x) { return broadcastInDim(b, x, shape, {0, 2}); };
  Value y1, x1, y2, x2;
  if (centred) {
    Value w = mul(b, column(2), 0.5), h = mul(b, column(3), 0.5);
    x1 = sub(b, column(0), w);
    x2 = add(b, column(0), w);
    y1 = sub(b, column(1), h);
    y2 = add(b, column(1), h);
  } else {
    y1 = minimum(b, column(0), column(2));
    y2 = maximum(b, column(0), column(2));
    x1 = minimum(b, column(1), column(3));
    x2 = maximum(b, column(1), column(3));
  }
  return {spread(y1), spread(x1), spread(y2), spread(x2)};
}

static Value areaOf(HloBuilder &b, const Corners &c) {
  return mul(b, sub(b, c.bottom, c.top), sub(b, c.right, c.left));
}

/// Whether the intersection of boxes over their union is above a threshold.
static Value overlaps(HloBuilder &b, const Corners &x, const Corners &y,
                      Value threshold) {
  Value height =
      sub(b, minimum(b, x.bottom, y.bottom), maximum(b, x.top, y.top));
  Value width =
      sub(b, minimum(b, x.right, y.right), maximum(b, x.left, y.left));
  Value shared = mul(b, maximum(b, height, 0.0), maximum(b, width, 0.0));
  Value both = sub(b, add(b, areaOf(b, x), areaOf(b, y)), shared);
  Value above = compare(b, Direction::GT, div(b, shared, both), threshold);
  return bitAnd(b, above, compare(b, Direction::GT, shared, 0.0));
}

static Value scalarOf(NodeContext &op, size_t i) {
  return op.has(i) ? frontend::reshape(op.b, op.input(i), {}) : Value();
}

/// boxes [batch, boxes, 4], scores [batch, classes, boxes], and as scalars the
/// most boxes a class, the overlap and the score that count. Gives the chosen
/// (batch, class, box), best first.
static LogicalResult importNonMaxSuppression(NodeContext &op) {
  HloBuilder &b = op.b;
  Type i64 = b.getI64Type();
  Value boxes = op.input(0), scores = op.input(1);
  if (rankOf(boxes) != 3 || rankOf(scores) != 3 ||
      typeOf(boxes).getDimSize(2) != 4)
    return op.error() << "found boxes " << typeOf(boxes) << " and scores "
                      << typeOf(scores)
                      << ", expected [batch, boxes, 4] and [batch, classes, "
                         "boxes]";
  Sizes shape = sizesOf(b, scores);
  Value limit = scalarOf(op, 2), threshold = scalarOf(op, 3);
  Size most = limit ? toSize(b, limit) : Size(0);
  most = frontend::minimum(b, frontend::maximum(b, most, 0), shape[2]);
  if (!threshold)
    threshold = scalar(b, elementOf(boxes), 0);
  Corners corners =
      readCorners(b, boxes, op.intAttr("center_point_box", 0), shape);
  Value open = full(b, shape, b.getI1Type(), 1);
  if (Value least = scalarOf(op, 4))
    open = compare(b, Direction::GT, scores, least);
  Value chosen = full(b, {shape[0], shape[1], most}, i64, -1);
  Value none = fill(b, lowestScalar(b, elementOf(scores)), shape);
  // Each round takes the best box of every class and closes all that overlap.
  auto outcome = emitLoop(
      op, most, Value(), {open, chosen},
      [&](Value iteration, ValueRange carried) -> FailureOr<LoopStep> {
        Value found = reduceAny(b, carried[0], {2}, /*keepDims=*/true);
        Value best = argExtremum(b, select(b, carried[0], scores, none), 2,
                                 /*greatest=*/true, /*keepDims=*/true);
        Sizes wide = sizesOf(b, carried[1]);
        Value pick = select(b, found, best, fullLike(b, best, -1));
        Value here = compare(b, Direction::EQ, iota(b, wide, 2, i64),
                             fill(b, iteration, wide));
        auto ofBest = [&](Value corner) {
          return gatherElements(b, corner, best, 2);
        };
        Corners mine{ofBest(corners.top), ofBest(corners.left),
                     ofBest(corners.bottom), ofBest(corners.right)};
        Value closed = overlaps(b, mine, corners, threshold);
        closed = bitOr(b, closed,
                       compare(b, Direction::EQ, iota(b, shape, 2, i64), best));
        Value next = bitAnd(b, carried[0], logicalNot(b, closed));
        return LoopStep{Value(), {next, select(b, here, pick, carried[1])}, {}};
      });
  if (failed(outcome))
    return failure();
  chosen = outcome->carried[1];
  SmallVector<Value> places =
      nonzeroColumns(b, compare(b, Direction::GE, chosen, 0.0));
  Value box = gatherND(b, chosen, stack(b, places, 1));
  return op.result(stack(b, {places[0], places[1], box}, 1));
}

void ferrule::onnx::registerSelectionOps(Registry &r) {
  r.add("NonZero", importNonZero);
  r.add("Compress", importCompress);
  r.add("Unique", importUnique);
  r.add(microsoft, "Unique", importMicrosoftUnique);
  r.add("NonMaxSuppression", importNonMaxSuppression);
}
