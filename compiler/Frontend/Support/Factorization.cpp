#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/ColumnLoop.h"
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

static RankedTensorType partType(Value x) {
  Type element = elementOf(x);
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return RankedTensorType::get(typeOf(x).getShape(), element);
}
static bool isComplex(Value x) { return isa<ComplexType>(elementOf(x)); }
static Value realPart(HloBuilder &b, Value x) {
  return isComplex(x) ? stablehlo::RealOp::create(b, partType(x), x) : x;
}
static Value imaginaryPart(HloBuilder &b, Value x) {
  return stablehlo::ImagOp::create(b, partType(x), x);
}
static Value withImaginary(HloBuilder &b, Value re, Value im, Type element) {
  if (!isa<ComplexType>(element))
    return re;
  auto type = RankedTensorType::get(typeOf(re).getShape(), element);
  return stablehlo::ComplexOp::create(b, type, re, im);
}

Value frontend::conjugate(HloBuilder &b, Value x) {
  if (!isComplex(x))
    return x;
  return withImaginary(b, realPart(b, x), neg(b, imaginaryPart(b, x)),
                       elementOf(x));
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

LUFactors frontend::factorLU(HloBuilder &b, Value x) {
  Type i64 = b.getI64Type(), i32 = b.getI32Type();
  Sizes sizes = sizesOf(b, x);
  Sizes rows = {sizes[0], sizes[1]};
  Size count = minimum(b, sizes[1], sizes[2]);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    Value a = state[0], pivots = state[1], info = state[2];
    Size at(k);
    Value row = iota(b, rows, 1, i64), atRows = fill(b, k, rows);
    Value size = frontend::abs(b, selectIndex(b, a, 2, at));
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

/// x - factor v (v^H x) for each matrix.
static Value reflect(HloBuilder &b, Value x, Value v, Value factor) {
  Sizes sizes = sizesOf(b, x);
  Value row = contract(b, conjugate(b, v), x, {0}, {0}, {1}, {1});
  Value scaled = mul(b, v, broadcastInDim(b, factor, sizesOf(b, v), {0}));
  return sub(b, x,
             mul(b, broadcastInDim(b, scaled, sizes, {0, 1}),
                 broadcastInDim(b, row, sizes, {0, 2})));
}

Reflectors frontend::factorQR(HloBuilder &b, Value x) {
  Type i64 = b.getI64Type(), element = elementOf(x);
  Sizes sizes = sizesOf(b, x), rows = {sizes[0], sizes[1]};
  Size count = minimum(b, sizes[1], sizes[2]);
  auto step = [&](HloBuilder &b, Value k, ValueRange state) {
    Value a = state[0], taus = state[1];
    Size at(k);
    Value column = selectIndex(b, a, 2, at);
    Value alpha = selectIndex(b, column, 1, at);
    Value row = iota(b, rows, 1, i64), atRows = fill(b, k, rows);
    Value isBelow = compare(b, Direction::GT, row, atRows);
    Value below = select(b, isBelow, column, fullLike(b, column, 0));
    Value tail = reduceSum(b, square(b, frontend::abs(b, below)), {1}, false);
    Value re = realPart(b, alpha);
    Value rest = tail;
    if (isComplex(alpha))
      rest = add(b, tail, square(b, imaginaryPart(b, alpha)));
    Value nothing = compare(b, Direction::EQ, rest, 0.0);
    Value norm = sqrt(b, add(b, rest, square(b, re)));
    Value beta =
        select(b, compare(b, Direction::GE, re, 0.0), neg(b, norm), norm);
    Value safe = select(b, nothing, fullLike(b, beta, 1), beta);
    Value zero = fullLike(b, beta, 0);
    Value tau = withImaginary(
        b, div(b, sub(b, beta, re), safe),
        isComplex(alpha) ? neg(b, div(b, imaginaryPart(b, alpha), safe)) : zero,
        element);
    tau = select(b, nothing, fullLike(b, tau, 0), tau);
    beta = select(b, nothing, re, beta);
    Value wide = withImaginary(b, beta, zero, element);
    Value divisor = sub(b, alpha, wide);
    divisor = select(b, nothing, fullLike(b, divisor, 1), divisor);
    Value v = div(b, below, broadcastInDim(b, divisor, rows, {0}));
    Value isAt = compare(b, Direction::EQ, row, atRows);
    Value unit = select(b, isAt, fullLike(b, v, 1), v);
    Value reflected = reflect(b, a, unit, conjugate(b, tau));
    Value made =
        select(b, isBelow, v,
               select(b, isAt, broadcastInDim(b, wide, rows, {0}), column));
    Value columns = iota(b, sizes, 2, i64), atAll = fill(b, k, sizes);
    a = select(b, compare(b, Direction::GT, columns, atAll), reflected, a);
    a = select(b, compare(b, Direction::EQ, columns, atAll),
               broadcastInDim(b, made, sizes, {0, 1}), a);
    Sizes factorSizes = sizesOf(b, taus);
    Value isK = compare(b, Direction::EQ, iota(b, factorSizes, 1, i64),
                        fill(b, k, factorSizes));
    taus = select(b, isK, broadcastInDim(b, tau, factorSizes, {0}), taus);
    return SmallVector<Value>{a, taus};
  };
  auto result =
      columnLoop(b, count, {x, full(b, {sizes[0], count}, element, 0)}, step);
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
