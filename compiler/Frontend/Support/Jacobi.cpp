// Eigenvalues and singular values by Jacobi's rotations. Each round rotates
// disjoint pairs of columns at once: in round r of N (odd) the columns i and j
// with i + j = r (mod N), so that N rounds, a sweep, meet every pair.
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Complex.h"
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

static Value keep(HloBuilder &b, Value mask, Value x) {
  return select(b, mask, x, fullLike(b, x, 0));
}

static Value allOf(HloBuilder &b, Value x) {
  return reduceSum(b, x, allDims(x), false);
}

/// f64 or complex<f64>, in which all is computed.
static Type wideType(HloBuilder &b, Value x) {
  Type f64 = b.getF64Type();
  return isComplex(x) ? Type(ComplexType::get(f64)) : f64;
}
/// Back to the type of the matrices, or to its real part's.
static Value narrowed(HloBuilder &b, Value x, Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  if (complex && !isComplex(x))
    element = complex.getElementType();
  return convert(b, x, element);
}

/// [n] i64: the column that each one is rotated with, or itself.
static Value partners(HloBuilder &b, Value round, Size n, Size rounds) {
  Sizes line = {n};
  Value i = iota(b, line, 0, b.getI64Type());
  Value number = floorMod(b, round, rounds.materialize(b));
  Value partner = floorMod(b, sub(b, fill(b, number, line), i),
                           fill(b, rounds.materialize(b), line));
  Value present =
      compare(b, Direction::LT, partner, fill(b, n.materialize(b), line));
  return select(b, present, partner, i);
}

namespace {
/// Column j becomes c[j] times itself plus w[j] times its partner.
struct Rotations {
  Value partner, c, w;
};
} // namespace

/// The rotations that make `between` [B, n], the entries of a Hermitian matrix
/// at (j, partner of j), zero. `mine` [B, n] is its diagonal.
static Rotations makeRotations(HloBuilder &b, Value partner, Value mine,
                               Value between) {
  Sizes sizes = sizesOf(b, mine);
  Value i = iota(b, {sizes[1]}, 0, b.getI64Type());
  auto spread = [&](Value mask) { return broadcastInDim(b, mask, sizes, {1}); };
  Value alone = spread(compare(b, Direction::EQ, i, partner));
  Value first = spread(compare(b, Direction::LT, i, partner));
  Value size = frontend::abs(b, between);
  Value nothing = bitOr(b, alone, compare(b, Direction::EQ, size, 0.0));
  Value safe = select(b, nothing, fullLike(b, size, 1), size);
  Value others = take(b, mine, partner, 1);
  Value tau = div(b, sub(b, others, mine), mul(b, safe, 2.0));
  Value positive = bitOr(b, compare(b, Direction::GT, tau, 0.0),
                         bitAnd(b, compare(b, Direction::EQ, tau, 0.0), first));
  Value t = reciprocal(
      b, add(b, frontend::abs(b, tau), sqrt(b, add(b, square(b, tau), 1.0))));
  t = select(b, positive, t, neg(b, t));
  t = select(b, nothing, fullLike(b, t, 0), t);
  Value c = rsqrt(b, add(b, square(b, t), 1.0));
  Value s = neg(b, div(b, mul(b, t, c), safe));
  Type element = elementOf(between);
  return {partner, asElement(b, c, element),
          mul(b, conjugate(b, between), asElement(b, s, element))};
}

static Value rotateColumns(HloBuilder &b, Value x, Value others,
                           const Rotations &r) {
  Sizes sizes = sizesOf(b, x);
  return add(b, mul(b, x, broadcastInDim(b, r.c, sizes, {0, 2})),
             mul(b, others, broadcastInDim(b, r.w, sizes, {0, 2})));
}
static Value rotateColumns(HloBuilder &b, Value x, const Rotations &r) {
  return rotateColumns(b, x, take(b, x, r.partner, 2), r);
}
/// The adjoint of the rotations times x.
static Value rotateRows(HloBuilder &b, Value x, const Rotations &r) {
  Sizes sizes = sizesOf(b, x);
  Value others = take(b, x, r.partner, 1), w = conjugate(b, r.w);
  return add(b, mul(b, x, broadcastInDim(b, r.c, sizes, {0, 1})),
             mul(b, others, broadcastInDim(b, w, sizes, {0, 1})));
}

/// Columns of x [B, m, n] in the order of `places` [B, n].
static Value takeColumns(HloBuilder &b, Value x, Value places) {
  return gatherElements(b, x, broadcastInDim(b, places, sizesOf(b, x), {0, 2}),
                        2);
}

Eigen frontend::eigenSymmetric(HloBuilder &b, Value x) {
  Type element = elementOf(x), wide = wideType(b, x);
  Value a = convert(b, x, wide);
  Sizes sizes = sizesOf(b, a);
  Size rounds = roundsOf(b, sizes[1]);
  auto rotate = [&](HloBuilder &b, Value round, ValueRange state) {
    Value partner = partners(b, round, sizes[1], rounds);
    Value others = take(b, state[0], partner, 2);
    Rotations r =
        makeRotations(b, partner, realPart(b, diagonalOf(b, state[0])),
                      diagonalOf(b, others));
    Value next = rotateRows(b, rotateColumns(b, state[0], others, r), r);
    return SmallVector<Value>{next, rotateColumns(b, state[1], r)};
  };
  auto sweep = [&](HloBuilder &b, Value, ValueRange state) {
    return columnLoop(b, rounds, state, rotate);
  };
  auto goesOn = [&](HloBuilder &b, ValueRange state) {
    Value all = square(b, frontend::abs(b, state[0]));
    Value rest = keep(b, logicalNot(b, isDiagonal(b, sizes)), all);
    // Each element has its own rounding error.
    Value n = convert(b, sizes[1].materialize(b), b.getF64Type());
    return compare(b, Direction::GT, allOf(b, rest),
                   mul(b, mul(b, allOf(b, all), 1e-31), n));
  };
  auto result = columnLoop(b, maxSweeps, {a, identityMatrices(b, sizes, wide)},
                           sweep, goesOn);
  Value values = realPart(b, diagonalOf(b, result[0]));
  auto [sorted, places] = sortPairs(b, values, 1, /*descending=*/false);
  return {narrowed(b, sorted, element),
          narrowed(b, takeColumns(b, result[1], places), element)};
}

/// An orthonormal basis [B, m, count] whose first columns are those of x
/// [B, m, n], where they are not zero.
static Value completed(HloBuilder &b, Value x, Size count) {
  Sizes sizes = sizesOf(b, x);
  Reflectors qr = factorQR(b, x);
  Sizes shape = {sizes[0], sizes[1], count};
  Value eye = identityMatrices(b, shape, elementOf(x));
  Value q = applyReflectors(b, qr, eye, false);
  // The diagonal of R is 1 or -1.
  Value diagonal = realPart(b, diagonalOf(b, qr.matrix));
  Value flips = compare(b, Direction::LT, diagonal, 0.0);
  // Columns behind the last one of R stay.
  Size k = minimum(b, sizes[1], sizes[2]);
  Value place = iota(b, {count}, 0, b.getI64Type());
  Value inside =
      compare(b, Direction::LT, place, fill(b, k.materialize(b), {count}));
  Value last = fill(b, maximum(b, sub(b, k, 1), 0).materialize(b), {count});
  Value spread = take(b, flips, minimum(b, place, last), 1);
  spread =
      bitAnd(b, spread, broadcastInDim(b, inside, sizesOf(b, spread), {1}));
  return select(b, broadcastInDim(b, spread, shape, {0, 2}), neg(b, q), q);
}

/// Whether two columns that are not zero but for rounding are not orthogonal.
static Value notOrthogonal(HloBuilder &b, Value a, ArrayRef<Size> square2) {
  Value gram = square(b, frontend::abs(b, matmul(b, adjoint(b, a), a)));
  Value lengths = reduceSum(b, square(b, frontend::abs(b, a)), {1}, false);
  Value most = reduceMax(b, lengths, {1}, true);
  Value tiny = compare(
      b, Direction::LE, lengths,
      broadcastInDim(b, mul(b, most, 1e-30), sizesOf(b, lengths), {0, 1}));
  Value counted = select(b, tiny, fullLike(b, lengths, INFINITY), lengths);
  Value limit = mul(b,
                    mul(b, broadcastInDim(b, counted, square2, {0, 1}),
                        broadcastInDim(b, counted, square2, {0, 2})),
                    1e-28);
  Value far = bitAnd(b, compare(b, Direction::GT, gram, limit),
                     logicalNot(b, isDiagonal(b, square2)));
  return reduceAny(b, far, {0, 1, 2}, false);
}

/// Rotates columns until they are orthogonal: a V and V.
static std::pair<Value, Value> orthogonalized(HloBuilder &b, Value a) {
  Sizes sizes = sizesOf(b, a);
  Sizes square2 = {sizes[0], sizes[2], sizes[2]};
  Size rounds = roundsOf(b, sizes[2]);
  auto rotate = [&](HloBuilder &b, Value round, ValueRange state) {
    Value partner = partners(b, round, sizes[2], rounds);
    Value others = take(b, state[0], partner, 2);
    Value lengths =
        reduceSum(b, square(b, frontend::abs(b, state[0])), {1}, false);
    Value between =
        reduceSum(b, mul(b, conjugate(b, state[0]), others), {1}, false);
    Rotations r = makeRotations(b, partner, lengths, between);
    return SmallVector<Value>{rotateColumns(b, state[0], others, r),
                              rotateColumns(b, state[1], r)};
  };
  auto sweep = [&](HloBuilder &b, Value, ValueRange state) {
    return columnLoop(b, rounds, state, rotate);
  };
  auto goesOn = [&](HloBuilder &b, ValueRange state) {
    return notOrthogonal(b, state[0], square2);
  };
  auto result =
      columnLoop(b, maxSweeps, {a, identityMatrices(b, square2, elementOf(a))},
                 sweep, goesOn);
  return {result[0], result[1]};
}

SingularValues frontend::singularValues(HloBuilder &b, Value x, bool full) {
  Type element = elementOf(x);
  int64_t rows = typeOf(x).getDimSize(1), columns = typeOf(x).getDimSize(2);
  // Fewer columns are less work.
  bool wide = ShapedType::isStatic(rows) && ShapedType::isStatic(columns) &&
              rows < columns;
  Value a = convert(b, x, wideType(b, x));
  if (wide)
    a = adjoint(b, a);
  Sizes sizes = sizesOf(b, a);
  Size k = minimum(b, sizes[1], sizes[2]);
  auto [rotated, turned] = orthogonalized(b, a);
  Value norms =
      sqrt(b, reduceSum(b, square(b, frontend::abs(b, rotated)), {1}, false));
  auto [sorted, places] = sortPairs(b, norms, 1, /*descending=*/true);
  Value s = slice(b, sorted, 1, 0, k);
  Value left = slice(b, takeColumns(b, rotated, places), 2, 0, k);
  Value v = takeColumns(b, turned, places);
  if (!full)
    v = slice(b, v, 2, 0, k);
  // Columns that are zero but for rounding have no direction.
  Sizes shape = sizesOf(b, left);
  Value most =
      broadcastInDim(b, reduceMax(b, s, {1}, true), sizesOf(b, s), {0, 1});
  Value tiny = compare(b, Direction::LE, s, mul(b, most, 1e-14));
  Value safe = select(b, tiny, fullLike(b, s, 1), s);
  safe = asElement(b, safe, elementOf(a));
  Value u = div(b, left, broadcastInDim(b, safe, shape, {0, 2}));
  u = select(b, broadcastInDim(b, tiny, shape, {0, 2}), fullLike(b, u, 0), u);
  u = completed(b, u, full ? sizes[1] : k);
  if (wide)
    std::swap(u, v);
  return {narrowed(b, u, element), narrowed(b, s, element),
          narrowed(b, v, element)};
}
