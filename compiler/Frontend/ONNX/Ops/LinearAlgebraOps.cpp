// Linear algebra on stacks of square matrices.
#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// One step of Gauss's elimination with row pivoting on matrices [B, n, n]
/// and, beside them, right-hand sides [B, n, m] (may be null): row `step` is
/// swapped with the one of the largest pivot, and its multiples are taken from
/// the rows below (from all others when `whole`). Returns the pivots [B] with
/// the swap's sign.
static Value eliminate(HloBuilder &b, Value step, Value &matrix, Value *rhs,
                       bool whole) {
  Type i64 = b.getI64Type(), element = elementOf(matrix);
  Sizes sizes = sizesOf(b, matrix);
  Size i(step);
  Sizes rowShape = {sizes[0], sizes[1]};
  Value row = iota(b, rowShape, 1, i64), at = fill(b, step, rowShape);
  Value column = selectIndex(b, matrix, 2, i);
  Value size = select(b, compare(b, Direction::GE, row, at),
                      frontend::abs(b, column), full(b, rowShape, element, -1));
  Value pivotRow = argExtremum(b, size, 1, /*greatest=*/true,
                               /*keepDims=*/true);
  Value isPivot = compare(b, Direction::EQ, row, pivotRow);
  Value isStep = compare(b, Direction::EQ, row, at);
  Value places = concat(b, {iota(b, {sizes[0], 1}, 0, i64), pivotRow}, 1);
  auto swapRows = [&](Value x) {
    Sizes shape = sizesOf(b, x);
    Value upper = selectIndex(b, x, 1, i), lower = gatherND(b, x, places);
    auto wide = [&](Value mask) {
      return broadcastInDim(b, mask, shape, {0, 1});
    };
    auto everywhere = [&](Value r) {
      return broadcastInDim(b, r, shape, {0, 2});
    };
    x = select(b, wide(isPivot), everywhere(upper), x);
    return std::pair(select(b, wide(isStep), everywhere(lower), x), lower);
  };
  auto [swapped, top] = swapRows(matrix);
  Value pivot = selectIndex(b, top, 1, i);
  Value isZero = compare(b, Direction::EQ, pivot, 0.0);
  Value safe = select(b, isZero, fullLike(b, pivot, 1), pivot);
  Value factors = div(b, selectIndex(b, swapped, 2, i),
                      broadcastInDim(b, safe, rowShape, {0}));
  Value touched = compare(b, whole ? Direction::NE : Direction::GT, row, at);
  factors = select(b, touched, factors, fullLike(b, factors, 0));
  auto reduceRows = [&](Value x, Value r) {
    Sizes shape = sizesOf(b, x);
    return sub(b, x,
               mul(b, broadcastInDim(b, factors, shape, {0, 1}),
                   broadcastInDim(b, r, shape, {0, 2})));
  };
  matrix = reduceRows(swapped, top);
  if (rhs) {
    auto [other, otherTop] = swapRows(*rhs);
    *rhs = reduceRows(other, otherTop);
  }
  Value stays = compare(b, Direction::EQ, squeeze(b, pivotRow, {1}),
                        fill(b, step, {sizes[0]}));
  return select(b, stays, pivot, neg(b, pivot));
}

/// The matrices of input 0 as a stack [B, n, n] of f32 or f64.
static FailureOr<Value> readMatrices(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  int64_t rank = rankOf(x);
  if (rank < 2 || !isa<FloatType>(elementOf(x)) ||
      typeOf(x).getDimSize(rank - 1) != typeOf(x).getDimSize(rank - 2))
    return op.error() << "found input " << typeOf(x)
                      << ", expected square matrices of floats";
  Sizes sizes = sizesOf(b, x);
  Size batch = product(b, ArrayRef(sizes).drop_back(2));
  return frontend::reshape(b, convert(b, x, computeType(elementOf(x))),
                           {batch, sizes[rank - 2], sizes[rank - 1]});
}

static LogicalResult importDet(NodeContext &op) {
  HloBuilder &b = op.b;
  auto matrices = readMatrices(op);
  if (failed(matrices))
    return failure();
  Sizes sizes = sizesOf(b, *matrices);
  Value one = full(b, {sizes[0]}, elementOf(*matrices), 1);
  auto outcome = emitLoop(
      op, sizes[1], Value(), {*matrices, one},
      [&](Value step, ValueRange carried) -> FailureOr<LoopStep> {
        Value matrix = carried[0];
        Value pivot = eliminate(b, step, matrix, nullptr, /*whole=*/false);
        return LoopStep{Value(), {matrix, mul(b, carried[1], pivot)}, {}};
      });
  if (failed(outcome))
    return failure();
  Value x = op.input(0);
  Sizes shape = sizesOf(b, x);
  shape.pop_back_n(2);
  return op.result(convert(b, frontend::reshape(b, outcome->carried[1], shape),
                           elementOf(x)));
}

/// com.microsoft: the inverses, by elimination beside the identity.
static LogicalResult importInverse(NodeContext &op) {
  HloBuilder &b = op.b;
  auto matrices = readMatrices(op);
  if (failed(matrices))
    return failure();
  Sizes sizes = sizesOf(b, *matrices);
  Type i64 = b.getI64Type();
  Value identity = convert(
      b,
      compare(b, Direction::EQ, iota(b, sizes, 1, i64), iota(b, sizes, 2, i64)),
      elementOf(*matrices));
  auto outcome =
      emitLoop(op, sizes[1], Value(), {*matrices, identity},
               [&](Value step, ValueRange carried) -> FailureOr<LoopStep> {
                 Value matrix = carried[0], rhs = carried[1];
                 eliminate(b, step, matrix, &rhs, /*whole=*/true);
                 return LoopStep{Value(), {matrix, rhs}, {}};
               });
  if (failed(outcome))
    return failure();
  // What is left is diagonal.
  Value onDiagonal = mul(b, outcome->carried[0], identity);
  Value diagonal = reduceSum(b, onDiagonal, {2}, /*keepDims=*/true);
  Value inverse = div(b, outcome->carried[1], diagonal);
  Value x = op.input(0);
  return op.result(
      convert(b, frontend::reshape(b, inverse, sizesOf(b, x)), elementOf(x)));
}

void ferrule::onnx::registerLinearAlgebraOps(Registry &r) {
  r.add("Det", importDet);
  r.add(microsoft, "Inverse", importInverse);
}
