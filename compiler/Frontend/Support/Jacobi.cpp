// Eigenvalues and singular values by Jacobi's rotations. Each round rotates
// disjoint pairs of columns at once: in round r of N (odd) the columns i and j
// with i + j = r (mod N), so that N rounds meet every pair.
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Sort.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// Quadratic convergence needs far fewer.
static constexpr int64_t maxSweeps = 20;

/// The number of rounds in a sweep: n or n + 1, whichever is odd.
static Size roundsOf(HloBuilder &b, Size n) {
  return add(b, mul(b, floorDiv(b, n, 2), 2), 1);
}

static Value isDiagonal(HloBuilder &b, ArrayRef<Size> sizes) {
  Type i64 = b.getI64Type();
  return compare(b, Direction::EQ, iota(b, sizes, 1, i64),
                 iota(b, sizes, 2, i64));
}

static Value keep(HloBuilder &b, Value mask, Value x) {
  return select(b, mask, x, fullLike(b, x, 0));
}

/// The rotations [B, n, n] of a round that make the entries of the symmetric
/// matrices `gram` at the round's pairs zero.
static Value rotations(HloBuilder &b, Value gram, Value round, Size rounds) {
  Type i64 = b.getI64Type();
  Sizes sizes = sizesOf(b, gram), line = {sizes[1]};
  Value i = iota(b, line, 0, i64);
  Value number = floorMod(b, round, rounds.materialize(b));
  Value partner = floorMod(b, sub(b, fill(b, number, line), i),
                           fill(b, rounds.materialize(b), line));
  Value present = compare(b, Direction::LT, partner,
                          fill(b, sizes[1].materialize(b), line));
  partner = select(b, present, partner, i);
  Value diagonal = isDiagonal(b, sizes);
  Value pairs = bitAnd(b, logicalNot(b, diagonal),
                       compare(b, Direction::EQ, iota(b, sizes, 2, i64),
                               broadcastInDim(b, partner, sizes, {1})));
  Value mine = reduceSum(b, keep(b, diagonal, gram), {2}, false);
  Value others = take(b, mine, partner, 1);
  Value between = reduceSum(b, keep(b, pairs, gram), {2}, false);
  Value nothing = compare(b, Direction::EQ, between, 0.0);
  Value safe = select(b, nothing, fullLike(b, between, 1), between);
  Value tau = div(b, sub(b, others, mine), mul(b, safe, 2.0));
  Value first = broadcastInDim(b, compare(b, Direction::LT, i, partner),
                               sizesOf(b, tau), {1});
  Value positive = bitOr(b, compare(b, Direction::GT, tau, 0.0),
                         bitAnd(b, compare(b, Direction::EQ, tau, 0.0), first));
  Value size = reciprocal(
      b, add(b, frontend::abs(b, tau), sqrt(b, add(b, square(b, tau), 1.0))));
  Value t = select(b, positive, size, neg(b, size));
  t = select(b, nothing, fullLike(b, t, 0), t);
  Value c = rsqrt(b, add(b, square(b, t), 1.0));
  Value s = mul(b, t, c);
  Value spread = keep(b, pairs, broadcastInDim(b, s, sizes, {0, 1}));
  return select(b, diagonal, broadcastInDim(b, c, sizes, {0, 1}), spread);
}

static Value transposed(HloBuilder &b, Value x) { return swapDims(b, x, 1, 2); }

static Value allOf(HloBuilder &b, Value x) {
  return reduceSum(b, x, allDims(x), false);
}

static Value identity(HloBuilder &b, ArrayRef<Size> sizes, Type element) {
  return convert(b, isDiagonal(b, sizes), element);
}

/// Columns of x [B, m, n] in the order of `places` [B, n].
static Value takeColumns(HloBuilder &b, Value x, Value places) {
  return gatherElements(b, x, broadcastInDim(b, places, sizesOf(b, x), {0, 2}),
                        2);
}

Eigen frontend::eigenSymmetric(HloBuilder &b, Value x) {
  Type element = elementOf(x), f64 = b.getF64Type();
  Value a = convert(b, x, f64);
  Sizes sizes = sizesOf(b, a);
  Size rounds = roundsOf(b, sizes[1]);
  auto step = [&](HloBuilder &b, Value round, ValueRange state) {
    Value j = rotations(b, state[0], round, rounds);
    Value next = matmul(b, transposed(b, j), matmul(b, state[0], j));
    return SmallVector<Value>{next, matmul(b, state[1], j)};
  };
  auto goesOn = [&](HloBuilder &b, ValueRange state) {
    Value all = square(b, state[0]);
    Value rest = keep(b, logicalNot(b, isDiagonal(b, sizes)), all);
    return compare(b, Direction::GT, allOf(b, rest),
                   mul(b, allOf(b, all), 1e-31));
  };
  auto result = columnLoop(b, mul(b, rounds, maxSweeps),
                           {a, identity(b, sizes, f64)}, step, goesOn);
  Value values =
      reduceSum(b, keep(b, isDiagonal(b, sizes), result[0]), {2}, false);
  auto [sorted, places] = sortPairs(b, values, 1, /*descending=*/false);
  return {convert(b, sorted, element),
          convert(b, takeColumns(b, result[1], places), element)};
}

/// An orthonormal basis [B, m, count] whose first columns are those of x
/// [B, m, n], where they are not zero.
static Value completed(HloBuilder &b, Value x, Size count) {
  Sizes sizes = sizesOf(b, x);
  Reflectors qr = factorQR(b, x);
  Sizes shape = {sizes[0], sizes[1], count};
  Value q = applyReflectors(b, qr, identity(b, shape, elementOf(x)), false);
  // The diagonal of R is 1 or -1.
  Size k = minimum(b, sizes[1], sizes[2]);
  Value r = slice(b, slice(b, qr.matrix, 1, 0, k), 2, 0, k);
  Value diagonal =
      reduceSum(b, keep(b, isDiagonal(b, sizesOf(b, r)), r), {2}, false);
  Value flips = compare(b, Direction::LT, diagonal, 0.0);
  // Columns behind the last one of R stay.
  Value place = iota(b, {count}, 0, b.getI64Type());
  Value inside =
      compare(b, Direction::LT, place, fill(b, k.materialize(b), {count}));
  Value last = fill(b, maximum(b, sub(b, k, 1), 0).materialize(b), {count});
  Value spread = take(b, flips, minimum(b, place, last), 1);
  spread =
      bitAnd(b, spread, broadcastInDim(b, inside, sizesOf(b, spread), {1}));
  return select(b, broadcastInDim(b, spread, shape, {0, 2}), neg(b, q), q);
}

/// For matrices with at least as many rows as columns.
static SingularValues tallSingularValues(HloBuilder &b, Value x, bool full) {
  Value a = convert(b, x, b.getF64Type());
  Sizes sizes = sizesOf(b, a);
  Sizes square2 = {sizes[0], sizes[2], sizes[2]};
  Size rounds = roundsOf(b, sizes[2]);
  auto gramOf = [](HloBuilder &b, Value a) {
    return matmul(b, transposed(b, a), a);
  };
  auto step = [&](HloBuilder &b, Value round, ValueRange state) {
    Value j = rotations(b, gramOf(b, state[0]), round, rounds);
    return SmallVector<Value>{matmul(b, state[0], j), matmul(b, state[1], j)};
  };
  auto goesOn = [&](HloBuilder &b, ValueRange state) {
    Value all = square(b, gramOf(b, state[0]));
    Value rest = keep(b, logicalNot(b, isDiagonal(b, square2)), all);
    return compare(b, Direction::GT, allOf(b, rest),
                   mul(b, allOf(b, all), 1e-29));
  };
  auto result =
      columnLoop(b, mul(b, rounds, maxSweeps),
                 {a, identity(b, square2, b.getF64Type())}, step, goesOn);
  Value norms = sqrt(b, reduceSum(b, square(b, result[0]), {1}, false));
  auto [s, places] = sortPairs(b, norms, 1, /*descending=*/true);
  Value columns = takeColumns(b, result[0], places);
  Value v = takeColumns(b, result[1], places);
  // Columns that are zero but for rounding have no direction.
  Value most =
      broadcastInDim(b, reduceMax(b, s, {1}, true), sizesOf(b, s), {0, 1});
  Value tiny = compare(b, Direction::LE, s, mul(b, most, 1e-14));
  Value safe = select(b, tiny, fullLike(b, s, 1), s);
  Value u = div(b, columns, broadcastInDim(b, safe, sizes, {0, 2}));
  u = select(b, broadcastInDim(b, tiny, sizes, {0, 2}), fullLike(b, u, 0), u);
  return {completed(b, u, full ? sizes[1] : sizes[2]), s, v};
}

SingularValues frontend::singularValues(HloBuilder &b, Value x, bool full) {
  Type element = elementOf(x);
  int64_t rows = typeOf(x).getDimSize(1), columns = typeOf(x).getDimSize(2);
  bool wide = ShapedType::isStatic(rows) && ShapedType::isStatic(columns) &&
              rows < columns;
  SingularValues result =
      tallSingularValues(b, wide ? transposed(b, x) : x, full);
  if (wide)
    std::swap(result.u, result.v);
  return {convert(b, result.u, element), convert(b, result.s, element),
          convert(b, result.v, element)};
}
