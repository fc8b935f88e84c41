#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Complex.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::asStack(HloBuilder &b, Value x) {
  Sizes sizes = sizesOf(b, x);
  Size batch = product(b, ArrayRef(sizes).drop_back(2));
  return reshape(b, x, {batch, sizes[sizes.size() - 2], sizes.back()});
}

Value frontend::adjoint(HloBuilder &b, Value x) {
  return conjugate(b, swapDims(b, x, 1, 2));
}

Value frontend::hermitian(HloBuilder &b, Value x, bool upper) {
  Value strict = triangle(b, x, upper, upper ? 1 : -1);
  Value diagonal = asElement(b, realPart(b, x), elementOf(x));
  diagonal =
      select(b, isDiagonal(b, sizesOf(b, x)), diagonal, fullLike(b, x, 0));
  return add(b, add(b, strict, diagonal), adjoint(b, strict));
}

Value frontend::isDiagonal(HloBuilder &b, ArrayRef<Size> sizes) {
  Type i64 = b.getI64Type();
  return compare(b, Direction::EQ, iota(b, sizes, 1, i64),
                 iota(b, sizes, 2, i64));
}

Value frontend::identityMatrices(HloBuilder &b, ArrayRef<Size> sizes,
                                 Type element) {
  return convert(b, isDiagonal(b, sizes), element);
}

Value frontend::diagonalOf(HloBuilder &b, Value x) {
  Size k = minimum(b, sizeOf(b, x, 1), sizeOf(b, x, 2));
  Value square = slice(b, slice(b, x, 1, 0, k), 2, 0, k);
  Value kept = select(b, isDiagonal(b, sizesOf(b, square)), square,
                      fullLike(b, square, 0));
  return reduceSum(b, kept, {2}, false);
}

SmallVector<Value> frontend::columnLoop(
    HloBuilder &b, Size count, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(HloBuilder &, Value, ValueRange)>
        step,
    llvm::function_ref<Value(HloBuilder &, ValueRange)> goesOn) {
  // The body of a loop over no column, or on no matrix, would not verify.
  bool isEmpty = llvm::all_of(inits, [](Value init) {
    return llvm::is_contained(typeOf(init).getShape(), 0);
  });
  if (count.is(0) || isEmpty)
    return SmallVector<Value>(inits);
  Value bound = count.materialize(b);
  SmallVector<Value> state = {scalarInt(b, b.getI64Type(), 0)};
  llvm::append_range(state, inits);
  auto loop = stablehlo::WhileOp::create(
      b, state,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        HloBuilder body(loc, inner);
        body.unknownSizesAgree = b.unknownSizesAgree;
        Value more = compare(body, Direction::LT, args[0], bound);
        if (goesOn)
          more = bitAnd(body, more, goesOn(body, args.drop_front()));
        stablehlo::ReturnOp::create(body, ValueRange{more});
      },
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        HloBuilder body(loc, inner);
        body.unknownSizesAgree = b.unknownSizesAgree;
        SmallVector<Value> next = {add(body, args[0], 1.0)};
        for (auto [value, init] :
             llvm::zip(step(body, args[0], args.drop_front()), inits))
          next.push_back(refineType(body, value, typeOf(init)));
        stablehlo::ReturnOp::create(body, next);
      });
  return SmallVector<Value>(loop->getResults().drop_front());
}

/// Rows of x [B, m, ...] put in the order of `places` [B, m].
static Value takeRows(HloBuilder &b, Value x, Value places) {
  if (rankOf(x) == 2)
    return gatherElements(b, x, places, 1);
  return gatherElements(b, x, broadcastInDim(b, places, sizesOf(b, x), {0, 1}),
                        1);
}

/// Where the rows come from when `first` is swapped with `second`.
static Value swapped(HloBuilder &b, Value row, Value first, Value second) {
  Value isFirst = compare(b, Direction::EQ, row, first);
  Value isSecond = compare(b, Direction::EQ, row, second);
  return select(b, isFirst, second, select(b, isSecond, first, row));
}

/// What LAPACK compares when it looks for a pivot: |re| + |im|.
static Value pivotSize(HloBuilder &b, Value x) {
  Value size = frontend::abs(b, realPart(b, x));
  return isComplex(x) ? add(b, size, frontend::abs(b, imaginaryPart(b, x)))
                      : size;
}

LUFactors frontend::factorLU(HloBuilder &b, Value x) {
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  Sizes sizes = sizesOf(b, x);
  Sizes rows = {sizes[0], sizes[1]};
  Size count = minimum(b, sizes[1], sizes[2]);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    Value a = state[0], pivots = state[1], info = state[2];
    Size at(k);
    Value row = iota(b, rows, 1, i64), atRows = fill(b, k, rows);
    Value size = pivotSize(b, selectIndex(b, a, 2, at));
    size = select(b, compare(b, Direction::GE, row, atRows), size,
                  fullLike(b, size, -1));
    Value best =
        broadcastInDim(b, argExtremum(b, size, 1, true, false), rows, {0});
    a = takeRows(b, a, swapped(b, row, atRows, best));
    Value isK = compare(b, Direction::EQ, iota(b, sizesOf(b, pivots), 1, i64),
                        fill(b, k, sizesOf(b, pivots)));
    Value number = add(b, selectIndex(b, best, 1, 0), 1.0);
    pivots = select(
        b, isK,
        broadcastInDim(b, convert(b, number, i32), sizesOf(b, pivots), {0}),
        pivots);
    Value top = selectIndex(b, a, 1, at), pivot = selectIndex(b, top, 1, at);
    Value isZero = compare(b, Direction::EQ, pivot, fullLike(b, pivot, 0));
    Value first = bitAnd(b, isZero, compare(b, Direction::EQ, info, 0.0));
    info = select(b, first,
                  fill(b, convert(b, add(b, k, 1.0), i32), sizesOf(b, info)),
                  info);
    Value safe = select(b, isZero, fullLike(b, pivot, 1), pivot);
    Value column = selectIndex(b, a, 2, at);
    Value factors = div(b, column, broadcastInDim(b, safe, rows, {0}));
    Value below = compare(b, Direction::GT, row, atRows);
    factors = select(b, below, factors, fullLike(b, factors, 0));
    Value spread = broadcastInDim(b, factors, sizes, {0, 1});
    Value less =
        sub(b, a, mul(b, spread, broadcastInDim(b, top, sizes, {0, 2})));
    Value columns = iota(b, sizes, 2, i64), atAll = fill(b, k, sizes);
    Value isColumn = bitAnd(b, compare(b, Direction::EQ, columns, atAll),
                            broadcastInDim(b, below, sizes, {0, 1}));
    Value right = compare(b, Direction::GT, columns, atAll);
    return SmallVector<Value>{
        select(b, isColumn, spread, select(b, right, less, a)), pivots, info};
  };
  auto result = columnLoop(
      b, count,
      {x, full(b, {sizes[0], count}, i32, 0), full(b, {sizes[0]}, i32, 0)},
      step);
  return {result[0], result[1], result[2]};
}

Value frontend::permutationOf(HloBuilder &b, Value pivots, Size rows) {
  Sizes sizes = {sizeOf(b, pivots, 0), rows};
  Type i64 = b.getI64Type();
  Value row = iota(b, sizes, 1, i64);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    Value pivot = convert(b, selectIndex(b, pivots, 1, Size(k)), i64);
    Value other = broadcastInDim(b, sub(b, pivot, 1.0), sizes, {0});
    Value source = swapped(b, iota(b, sizes, 1, i64), fill(b, k, sizes), other);
    return SmallVector<Value>{takeRows(b, state[0], source)};
  };
  return columnLoop(b, sizeOf(b, pivots, 1), {row}, step)[0];
}

CholeskyFactor frontend::factorCholesky(HloBuilder &b, Value x, bool upper) {
  Value factor =
      stablehlo::CholeskyOp::create(b, x.getType(), x, b.getBoolAttr(!upper));
  factor = triangle(b, factor, upper, 0);
  Value pivots = realPart(b, diagonalOf(b, factor));
  // NaN is not greater than zero.
  Value bad = logicalNot(b, compare(b, Direction::GT, pivots, 0.0));
  Value first = argExtremum(b, convert(b, bad, b.getI8Type()), 1,
                            /*greatest=*/true, /*keepDims=*/false);
  Value number = convert(b, add(b, first, 1.0), b.getI32Type());
  Value info =
      select(b, reduceAny(b, bad, {1}, false), number, fullLike(b, number, 0));
  return {factor, info};
}

/// x with `value` [B, ...] at place k of dimension 1.
static Value putAt(HloBuilder &b, Value x, Value k, Value value) {
  Sizes sizes = sizesOf(b, x);
  Value here = compare(b, Direction::EQ, iota(b, sizes, 1, b.getI64Type()),
                       fill(b, k, sizes));
  SmallVector<int64_t> dims = {0};
  for (int64_t dim = 2; dim < rankOf(x); ++dim)
    dims.push_back(dim);
  return select(b, here, broadcastInDim(b, value, sizes, dims), x);
}

/// [B] spread over [B, p].
static Value spread(HloBuilder &b, Value x, Value like) {
  return broadcastInDim(b, x, sizesOf(b, like), {0});
}

namespace {
/// A row of the band with its right side: places 0 to 2 from the diagonal on.
struct BandRow {
  Value at[3], right;
};
} // namespace

/// Row `other` without its first element, which `pivot` takes away.
static BandRow eliminated(HloBuilder &b, const BandRow &pivot,
                          const BandRow &other) {
  Value isZero =
      compare(b, Direction::EQ, pivot.at[0], fullLike(b, pivot.at[0], 0));
  Value safe = select(b, isZero, fullLike(b, pivot.at[0], 1), pivot.at[0]);
  Value factor = div(b, other.at[0], safe);
  auto less = [&](Value x, Value y) { return sub(b, x, mul(b, factor, y)); };
  Value right =
      sub(b, other.right, mul(b, spread(b, factor, pivot.right), pivot.right));
  Value next = less(other.at[1], pivot.at[1]);
  Value last = less(other.at[2], pivot.at[2]);
  return {{next, last, fullLike(b, last, 0)}, right};
}

TridiagonalSolution frontend::solveTridiagonal(HloBuilder &b, Value lower,
                                               Value diagonal, Value upper,
                                               Value rhs) {
  Size n = sizeOf(b, diagonal, 1);
  // What stands in the next row; behind the last one there are zeros.
  auto shifted = [&](Value x) {
    Sizes sizes = sizesOf(b, x);
    sizes[1] = 1;
    Value none = full(b, sizes, elementOf(x), 0);
    return slice(b, concat(b, {x, none}, 1), 1, 1, add(b, n, 1));
  };
  Value nextLower = shifted(lower), nextDiagonal = shifted(diagonal);
  Value nextRight = shifted(rhs);
  // The last element has no place in the matrix.
  Value last = sub(b, n, 1).materialize(b);
  Sizes line = sizesOf(b, upper);
  Value isLast = compare(b, Direction::EQ, iota(b, line, 1, b.getI64Type()),
                         fill(b, last, line));
  upper = select(b, isLast, fullLike(b, upper, 0), upper);
  Value nextUpper = shifted(upper);
  auto at = [](HloBuilder &b, Value x, Value k) {
    return selectIndex(b, x, 1, Size(k));
  };
  Value none = fullLike(b, selectIndex(b, diagonal, 1, 0), 0);
  auto forward = columnLoop(
      b, n,
      {selectIndex(b, diagonal, 1, 0), selectIndex(b, upper, 1, 0),
       selectIndex(b, rhs, 1, 0), diagonal, upper, fullLike(b, upper, 0), rhs,
       full(b, {sizeOf(b, rhs, 0)}, b.getI32Type(), 0)},
      [&](HloBuilder &b, Value k, ValueRange state) {
        BandRow mine = {{state[0], state[1], none}, state[2]};
        BandRow next = {
            {at(b, nextLower, k), at(b, nextDiagonal, k), at(b, nextUpper, k)},
            at(b, nextRight, k)};
        Value swap = compare(b, Direction::GT, pivotSize(b, next.at[0]),
                             pivotSize(b, mine.at[0]));
        auto choose = [&](const BandRow &x, const BandRow &y) {
          BandRow row;
          for (int i = 0; i < 3; ++i)
            row.at[i] = select(b, swap, x.at[i], y.at[i]);
          row.right = select(b, spread(b, swap, x.right), x.right, y.right);
          return row;
        };
        BandRow pivot = choose(next, mine);
        BandRow rest = eliminated(b, pivot, choose(mine, next));
        Value isZero = compare(b, Direction::EQ, pivot.at[0], none);
        Value first =
            bitAnd(b, isZero, compare(b, Direction::EQ, state[7], 0.0));
        Value number = convert(b, add(b, k, 1.0), b.getI32Type());
        Value info =
            select(b, first, fill(b, number, sizesOf(b, state[7])), state[7]);
        return SmallVector<Value>{rest.at[0],
                                  rest.at[1],
                                  rest.right,
                                  putAt(b, state[3], k, pivot.at[0]),
                                  putAt(b, state[4], k, pivot.at[1]),
                                  putAt(b, state[5], k, pivot.at[2]),
                                  putAt(b, state[6], k, pivot.right),
                                  info};
      });
  Value nothing = fullLike(b, selectIndex(b, rhs, 1, 0), 0);
  auto back = columnLoop(
      b, n, {nothing, nothing, rhs},
      [&](HloBuilder &b, Value step, ValueRange state) {
        Value k = sub(b, last, step);
        Value right = at(b, forward[6], k);
        auto scaled = [&](Value factors, Value x) {
          return mul(b, spread(b, at(b, factors, k), x), x);
        };
        right = sub(b, right, scaled(forward[4], state[0]));
        right = sub(b, right, scaled(forward[5], state[1]));
        Value x = div(b, right, spread(b, at(b, forward[3], k), right));
        return SmallVector<Value>{x, state[0], putAt(b, state[2], k, x)};
      });
  return {back[2], forward[7]};
}
