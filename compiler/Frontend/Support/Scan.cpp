#include "compiler/Frontend/Support/Scan.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// Rows moved up by a known distance, the identity coming in at the start.
static SmallVector<Value> shift(HloBuilder &b, ValueRange values,
                                ValueRange identities, int64_t dim,
                                int64_t distance) {
  SmallVector<Value> result;
  for (auto [value, identity] : llvm::zip(values, identities)) {
    Sizes low(rankOf(value), Size(0)), high(rankOf(value), Size(0));
    low[dim] = distance;
    high[dim] = -distance;
    Value moved = padConstant(b, value, identity, low, high);
    moved.setType(cast<RankedTensorType>(value.getType()));
    result.push_back(moved);
  }
  return result;
}

/// The same by a distance that is a scalar value. Row i reads row i - distance
/// where there is one, so that no size depends on the distance.
static SmallVector<Value> shiftBy(HloBuilder &b, ValueRange values,
                                  ValueRange identities, int64_t dim,
                                  Value distance) {
  SmallVector<Value> result;
  Value rows = iota(b, {sizeOf(b, values[0], dim)}, 0, b.getI64Type());
  Value source = maximum(b, sub(b, rows, distance), 0.0);
  Value inside = compare(b, Direction::GE, rows, distance);
  for (auto [value, identity] : llvm::zip(values, identities)) {
    Value moved = take(b, value, source, dim);
    Value keep = broadcastInDim(b, inside, sizesOf(b, value), {dim});
    result.push_back(select(b, keep, moved, identity));
  }
  return result;
}

SmallVector<Value> frontend::scan(HloBuilder &b, ValueRange values,
                                  ValueRange identities, int64_t dim,
                                  ScanCombine combine) {
  SmallVector<Value> current(values);
  Size size = sizeOf(b, values[0], dim);
  if (size.isStatic()) {
    for (int64_t step = 1; step < size.getStatic(); step *= 2)
      current = combine(b, shift(b, current, identities, dim, step), current);
    return current;
  }
  // while (step < size) { combine with what is `step` before; step *= 2 }
  Value bound = size.getScalar();
  SmallVector<Value> state = {scalarInt(b, b.getI64Type(), 1)};
  llvm::append_range(state, current);
  auto loop = stablehlo::WhileOp::create(
      b, state,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        HloBuilder body(loc, inner);
        Value more = compare(body, Direction::LT, args[0], bound);
        stablehlo::ReturnOp::create(body, ValueRange{more});
      },
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        HloBuilder body(loc, inner);
        body.unknownSizesAgree = true;
        Value step = args[0];
        ValueRange now = args.drop_front();
        SmallVector<Value> next = {mul(body, step, 2.0)};
        llvm::append_range(
            next,
            combine(body, shiftBy(body, now, identities, dim, step), now));
        stablehlo::ReturnOp::create(body, next);
      });
  return SmallVector<Value>(loop->getResults().drop_front());
}

/// A scan of one value by one op. With a known size it is the usual windowed
/// reduction, which the next stage knows as a scan.
template <typename OpT>
static Value scanBy(HloBuilder &b, Value x, int64_t dim, Value identity,
                    bool exclusive, bool reversed) {
  dim = wrapDim(dim, rankOf(x));
  if (rankOf(x) == 0)
    return exclusive ? identity : x;
  if (reversed)
    return reverse(
        b,
        scanBy<OpT>(b, reverse(b, x, {dim}), dim, identity, exclusive, false),
        {dim});
  if (exclusive)
    x = shift(b, {x}, {identity}, dim, 1)[0];
  int64_t size = typeOf(x).getDimSize(dim);
  if (ShapedType::isStatic(size) && size > 0) {
    SmallVector<int64_t> window(rankOf(x), 1), padding(2 * rankOf(x), 0);
    window[dim] = size;
    padding[2 * dim] = size - 1;
    auto op = stablehlo::ReduceWindowOp::create(
        b, ValueRange{x}, ValueRange{identity}, window, ArrayRef<int64_t>{},
        ArrayRef<int64_t>{}, ArrayRef<int64_t>{}, padding,
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          Value result =
              OpT::create(inner, loc, args[0].getType(), args[0], args[1]);
          stablehlo::ReturnOp::create(inner, loc, result);
        });
    return op->getResult(0);
  }
  return scan(b, {x}, {identity}, dim,
              [](HloBuilder &body, ValueRange before, ValueRange now) {
                return SmallVector<Value>{binary<OpT>(body, before[0], now[0])};
              })[0];
}

Value frontend::cumulativeSum(HloBuilder &b, Value x, int64_t dim,
                              bool exclusive, bool reverse) {
  Type element = elementOf(x), compute = computeType(element);
  Value result =
      scanBy<stablehlo::AddOp>(b, convert(b, x, compute), dim,
                               scalar(b, compute, 0), exclusive, reverse);
  return convert(b, result, element);
}

Value frontend::cumulativeProduct(HloBuilder &b, Value x, int64_t dim,
                                  bool exclusive, bool reverse) {
  Type element = elementOf(x), compute = computeType(element);
  Value result =
      scanBy<stablehlo::MulOp>(b, convert(b, x, compute), dim,
                               scalar(b, compute, 1), exclusive, reverse);
  return convert(b, result, element);
}

Value frontend::cumulativeLogSumExp(HloBuilder &b, Value x, int64_t dim) {
  if (rankOf(x) == 0)
    return x;
  Value identity = lowestScalar(b, elementOf(x));
  auto combine = [](HloBuilder &body, ValueRange before, ValueRange now) {
    // log(e^x + e^y) = max + log1p(e^-|x - y|); equal infinities stay.
    Value most = maximum(body, before[0], now[0]);
    Value least = minimum(body, before[0], now[0]);
    Value gap = log1p(body, exp(body, sub(body, least, most)));
    Value same = compare(body, Direction::EQ, most, least);
    Value infinite = bitAnd(body, same, isInf(body, most));
    return SmallVector<Value>{
        select(body, infinite, most, add(body, most, gap))};
  };
  return scan(b, {x}, {identity}, wrapDim(dim, rankOf(x)), combine)[0];
}

std::pair<Value, Value> frontend::cumulativeExtremum(HloBuilder &b, Value x,
                                                     int64_t dim,
                                                     bool greatest) {
  Type i64 = b.getI64Type();
  if (rankOf(x) == 0)
    return {x, scalarInt(b, i64, 0)};
  dim = wrapDim(dim, rankOf(x));
  Value places = iota(b, sizesOf(b, x), dim, i64);
  Value identity =
      greatest ? lowestScalar(b, elementOf(x)) : highestScalar(b, elementOf(x));
  Value none = scalarInt(b, i64, 0);
  auto combine = [&](HloBuilder &body, ValueRange before, ValueRange now) {
    auto direction = greatest ? Direction::GE : Direction::LE;
    Value later = compare(body, direction, now[0], before[0]);
    if (isa<FloatType>(elementOf(now[0]))) {
      Value nowNaN = isNaN(body, now[0]), oldNaN = isNaN(body, before[0]);
      later =
          bitOr(body, nowNaN, bitAnd(body, later, logicalNot(body, oldNaN)));
    }
    return SmallVector<Value>{select(body, later, now[0], before[0]),
                              select(body, later, now[1], before[1])};
  };
  auto result = scan(b, {x, places}, {identity, none}, dim, combine);
  return {result[0], result[1]};
}
