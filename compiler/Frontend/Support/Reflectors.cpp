// Householder's reflectors: QR and Hessenberg's form.
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Complex.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// Column k of the matrices with zeros above row k and 1 at it.
static Value reflectorVector(HloBuilder &b, Value matrix, Value k) {
  Value column = selectIndex(b, matrix, 2, Size(k));
  Sizes rows = sizesOf(b, column);
  Value row = iota(b, rows, 1, b.getI64Type()), at = fill(b, k, rows);
  Value tail = select(b, compare(b, Direction::GT, row, at), column,
                      fullLike(b, column, 0));
  return select(b, compare(b, Direction::EQ, row, at), fullLike(b, column, 1),
                tail);
}

/// column [B, m] times row [B, n] for each matrix, with a factor [B].
static Value outer(HloBuilder &b, Value column, Value row, Value factor,
                   ArrayRef<Size> sizes) {
  Value scaled =
      mul(b, column, broadcastInDim(b, factor, sizesOf(b, column), {0}));
  return mul(b, broadcastInDim(b, scaled, sizes, {0, 1}),
             broadcastInDim(b, row, sizes, {0, 2}));
}

/// x - factor v (v^H x) for each matrix.
static Value reflect(HloBuilder &b, Value x, Value v, Value factor) {
  Value row = contract(b, conjugate(b, v), x, {0}, {0}, {1}, {1});
  return sub(b, x, outer(b, v, row, factor, sizesOf(b, x)));
}

/// x - factor (x v) v^H for each matrix.
static Value reflectRight(HloBuilder &b, Value x, Value v, Value factor) {
  Value column = contract(b, x, v, {0}, {0}, {2}, {1});
  return sub(b, x, outer(b, column, conjugate(b, v), factor, sizesOf(b, x)));
}

namespace {
/// The reflection that makes a column zero below row `at`, as LAPACK's larfg.
struct Reflector {
  /// [B, m]: zeros above the row, 1 at it.
  Value vector;
  /// [B].
  Value factor;
  /// [B, m]: the column reflected, the vector's elements below the row.
  Value column;
};
} // namespace

static Reflector makeReflector(HloBuilder &b, Value column, Value at) {
  Type i64 = b.getI64Type(), element = elementOf(column);
  Sizes rows = sizesOf(b, column);
  Value alpha = selectIndex(b, column, 1, Size(at));
  Value row = iota(b, rows, 1, i64), atRows = fill(b, at, rows);
  Value isBelow = compare(b, Direction::GT, row, atRows);
  Value below = select(b, isBelow, column, fullLike(b, column, 0));
  Value rest = reduceSum(b, square(b, frontend::abs(b, below)), {1}, false);
  Value re = realPart(b, alpha);
  if (isComplex(alpha))
    rest = add(b, rest, square(b, imaginaryPart(b, alpha)));
  Value nothing = compare(b, Direction::EQ, rest, 0.0);
  Value norm = sqrt(b, add(b, rest, square(b, re)));
  Value beta =
      select(b, compare(b, Direction::GE, re, 0.0), neg(b, norm), norm);
  Value safe = select(b, nothing, fullLike(b, beta, 1), beta);
  beta = select(b, nothing, re, beta);
  Value wide = asElement(b, beta, element);
  // (beta - alpha) / beta
  Value factor = div(b, sub(b, wide, alpha), asElement(b, safe, element));
  factor = select(b, nothing, fullLike(b, factor, 0), factor);
  Value divisor = sub(b, alpha, wide);
  divisor = select(b, nothing, fullLike(b, divisor, 1), divisor);
  Value v = div(b, below, broadcastInDim(b, divisor, rows, {0}));
  Value isAt = compare(b, Direction::EQ, row, atRows);
  Value made =
      select(b, isBelow, v,
             select(b, isAt, broadcastInDim(b, wide, rows, {0}), column));
  return {select(b, isAt, fullLike(b, v, 1), v), factor, made};
}

/// x with the columns behind k of `right` and `column` at k.
static Value fromColumn(HloBuilder &b, Value x, Value right, Value column,
                        Value k) {
  Sizes sizes = sizesOf(b, x);
  Value columns = iota(b, sizes, 2, b.getI64Type()), at = fill(b, k, sizes);
  x = select(b, compare(b, Direction::GT, columns, at), right, x);
  return select(b, compare(b, Direction::EQ, columns, at),
                broadcastInDim(b, column, sizes, {0, 1}), x);
}

/// x [B, n] with `value` [B] at place k.
static Value put(HloBuilder &b, Value x, Value value, Value k) {
  Sizes sizes = sizesOf(b, x);
  Value isK = compare(b, Direction::EQ, iota(b, sizes, 1, b.getI64Type()),
                      fill(b, k, sizes));
  return select(b, isK, broadcastInDim(b, value, sizes, {0}), x);
}

/// State: the matrix and the factors.
static SmallVector<Value> stepOfQR(HloBuilder &b, Value k, Value a,
                                   Value factors) {
  Reflector r = makeReflector(b, selectIndex(b, a, 2, Size(k)), k);
  Value reflected = reflect(b, a, r.vector, conjugate(b, r.factor));
  return {fromColumn(b, a, reflected, r.column, k),
          put(b, factors, r.factor, k)};
}

Reflectors frontend::factorQR(HloBuilder &b, Value x) {
  Sizes sizes = sizesOf(b, x);
  Size count = minimum(b, sizes[1], sizes[2]);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    return stepOfQR(b, k, state[0], state[1]);
  };
  auto result = columnLoop(
      b, count, {x, full(b, {sizes[0], count}, elementOf(x), 0)}, step);
  return {result[0], result[1]};
}

/// The order of columns [B, n] in which k and `best` [B] change places.
static Value swappedColumns(HloBuilder &b, ArrayRef<Size> sizes, Value k,
                            Value best) {
  Sizes line = {sizes[0], sizes[2]};
  Value column = iota(b, line, 1, b.getI64Type()), at = fill(b, k, line);
  Value other = broadcastInDim(b, best, line, {0});
  return select(
      b, compare(b, Direction::EQ, column, at), other,
      select(b, compare(b, Direction::EQ, column, other), at, column));
}

std::pair<Reflectors, Value> frontend::factorPivotedQR(HloBuilder &b, Value x) {
  Type i64 = b.getI64Type();
  Sizes sizes = sizesOf(b, x), line = {sizes[0], sizes[2]};
  Size count = minimum(b, sizes[1], sizes[2]);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    Value a = state[0];
    Value remains =
        compare(b, Direction::GE, iota(b, sizes, 1, i64), fill(b, k, sizes));
    Value size = square(b, frontend::abs(b, a));
    size = select(b, remains, size, fullLike(b, size, 0));
    Value length = reduceSum(b, size, {1}, false);
    Value isLater =
        compare(b, Direction::GE, iota(b, line, 1, i64), fill(b, k, line));
    length = select(b, isLater, length, fullLike(b, length, -1));
    Value best = argExtremum(b, length, 1, /*greatest=*/true, false);
    Value order = swappedColumns(b, sizes, k, best);
    a = gatherElements(b, a, broadcastInDim(b, order, sizes, {0, 2}), 2);
    SmallVector<Value> next = stepOfQR(b, k, a, state[1]);
    next.push_back(gatherElements(b, state[2], order, 1));
    return next;
  };
  Value places = convert(b, add(b, iota(b, line, 1, i64), 1.0), b.getI32Type());
  auto result = columnLoop(
      b, count, {x, full(b, {sizes[0], count}, elementOf(x), 0), places}, step);
  return {{result[0], result[1]}, result[2]};
}

Reflectors frontend::factorHessenberg(HloBuilder &b, Value x) {
  Sizes sizes = sizesOf(b, x);
  Size count = maximum(b, sub(b, sizes[1], 1), 0);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    Value a = state[0];
    Reflector r =
        makeReflector(b, selectIndex(b, a, 2, Size(k)), add(b, k, 1.0));
    Value right = reflectRight(b, a, r.vector, r.factor);
    Value both = reflect(b, right, r.vector, conjugate(b, r.factor));
    return SmallVector<Value>{fromColumn(b, a, both, r.column, k),
                              put(b, state[1], r.factor, k)};
  };
  auto result = columnLoop(
      b, count, {x, full(b, {sizes[0], count}, elementOf(x), 0)}, step);
  return {result[0], result[1]};
}

Value frontend::applyReflectors(HloBuilder &b, const Reflectors &reflectors,
                                Value target, bool adjoint) {
  Size count = sizeOf(b, reflectors.factors, 1);
  Value last = sub(b, count, 1).materialize(b);
  auto step = [&](HloBuilder &b, Value index, ValueRange state) {
    // The product's last reflector acts first.
    Value k = adjoint ? index : sub(b, last, index);
    Value tau = selectIndex(b, reflectors.factors, 1, Size(k));
    Value v = reflectorVector(b, reflectors.matrix, k);
    return SmallVector<Value>{
        reflect(b, state[0], v, adjoint ? conjugate(b, tau) : tau)};
  };
  return columnLoop(b, count, {target}, step)[0];
}
