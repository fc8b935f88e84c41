#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

SmallVector<int64_t> frontend::allDims(Value value) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rankOf(value)));
}

static SmallVector<int64_t> normalized(Value x, Dims dims) {
  auto result = llvm::map_to_vector(
      dims, [&](int64_t dim) { return wrapDim(dim, rankOf(x)); });
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

/// Puts reduced dimensions back with size 1.
static Value keep(HloBuilder &b, Value value, ArrayRef<int64_t> dims,
                  bool keepDims) {
  return keepDims ? unsqueeze(b, value, dims) : value;
}

template <typename OpT>
static Value reduce(HloBuilder &b, Value x, Dims given, Value init,
                    bool keepDims) {
  // A scalar takes dimension 0 or -1, and nothing is reduced.
  if (rankOf(x) == 0)
    return x;
  SmallVector<int64_t> dims = normalized(x, given);
  if (dims.empty())
    return x;
  auto op = stablehlo::ReduceOp::create(
      b, ValueRange{x}, ValueRange{init}, dims,
      [](OpBuilder &inner, Location loc, ValueRange args) {
        Value result =
            OpT::create(inner, loc, args[0].getType(), args[0], args[1]);
        stablehlo::ReturnOp::create(inner, loc, result);
      });
  return keep(b, op->getResult(0), dims, keepDims);
}

/// Sums and products of narrow floats are made in f32.
template <typename OpT>
static Value accumulate(HloBuilder &b, Value x, Dims dims, double init,
                        bool keepDims) {
  Type element = elementOf(x), compute = computeType(element);
  Value result = reduce<OpT>(b, convert(b, x, compute), dims,
                             scalar(b, compute, init), keepDims);
  return convert(b, result, element);
}

Value frontend::reduceSum(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return accumulate<stablehlo::AddOp>(b, x, dims, 0, keepDims);
}

Value frontend::reduceProd(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return accumulate<stablehlo::MulOp>(b, x, dims, 1, keepDims);
}

Value frontend::reduceMax(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return reduce<stablehlo::MaxOp>(b, x, dims, lowestScalar(b, elementOf(x)),
                                  keepDims);
}

Value frontend::reduceMin(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return reduce<stablehlo::MinOp>(b, x, dims, highestScalar(b, elementOf(x)),
                                  keepDims);
}

Value frontend::reduceAny(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return reduce<stablehlo::OrOp>(b, x, dims, scalar(b, b.getI1Type(), 0),
                                 keepDims);
}

Value frontend::reduceAll(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return reduce<stablehlo::AndOp>(b, x, dims, scalar(b, b.getI1Type(), 1),
                                  keepDims);
}

Value frontend::reducedCount(HloBuilder &b, Value x, Dims dims, Type element) {
  Size count = 1;
  for (int64_t dim : normalized(x, dims))
    if (rankOf(x))
      count = mul(b, count, sizeOf(b, x, dim));
  if (count.isStatic())
    return scalar(b, element, double(count.getStatic()));
  return convert(b, count.getScalar(), element);
}

Value frontend::reduceMean(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  Type element = elementOf(x), compute = computeType(element);
  Value wide = convert(b, x, compute);
  Value sum = reduceSum(b, wide, dims, keepDims);
  return convert(b, div(b, sum, reducedCount(b, x, dims, compute)), element);
}

Value frontend::reduceVariance(HloBuilder &b, Value x, Dims dims,
                               double correction, bool keepDims) {
  Type element = elementOf(x), compute = computeType(element);
  Value wide = convert(b, x, compute);
  Value mean = reduceMean(b, wide, dims, /*keepDims=*/true);
  Value gaps = sub(b, wide, mean);
  if (isa<ComplexType>(element)) {
    gaps = abs(b, gaps);
    element = compute = elementOf(gaps);
  }
  Value sum = reduceSum(b, square(b, gaps), dims, keepDims);
  Value count = reducedCount(b, x, dims, compute);
  if (correction != 0)
    count = maximum(b, sub(b, count, correction), 0.0);
  return convert(b, div(b, sum, count), element);
}

Value frontend::reduceLogSumExp(HloBuilder &b, Value x, Dims given,
                                bool keepDims) {
  Type element = elementOf(x), compute = computeType(element);
  SmallVector<int64_t> dims = normalized(x, given);
  x = convert(b, x, compute);
  Value most = reduceMax(b, x, dims, /*keepDims=*/true);
  // An infinite maximum would give inf - inf; shifting by 0 is right there.
  Value infinite = isInf(b, most);
  most = select(b, infinite, fullLike(b, most, 0), most);
  Value sum = reduceSum(b, exp(b, sub(b, x, most)), dims, /*keepDims=*/true);
  Value result = add(b, log(b, sum), most);
  if (!keepDims && rankOf(x))
    result = squeeze(b, result, dims);
  return convert(b, result, element);
}

Value frontend::reduceNorm(HloBuilder &b, Value x, double p, Dims dims,
                           bool keepDims) {
  Type element = elementOf(x), compute = computeType(element);
  Value size = abs(b, convert(b, x, compute));
  compute = elementOf(size);
  Value result;
  if (p == 0)
    result =
        reduceSum(b, convert(b, compare(b, Direction::NE, size, 0.0), compute),
                  dims, keepDims);
  else if (std::isinf(p))
    result = p > 0 ? reduceMax(b, size, dims, keepDims)
                   : reduceMin(b, size, dims, keepDims);
  else if (p == 1)
    result = reduceSum(b, size, dims, keepDims);
  else if (p == 2)
    result = sqrt(b, reduceSum(b, square(b, size), dims, keepDims));
  else
    result = power(b, reduceSum(b, power(b, size, p), dims, keepDims), 1 / p);
  return isa<FloatType>(element) ? convert(b, result, element) : result;
}

stablehlo::BodyBuilder frontend::greaterPairBody(bool greater, bool last) {
  // Static, because BodyBuilder only refers to what it calls.
  static auto make = [](OpBuilder &builder, Location loc, ValueRange args,
                        bool greater, bool last) {
    HloBuilder b(loc, builder);
    Value x = args[0], xPlace = args[1], y = args[2], yPlace = args[3];
    auto direction = greater ? Direction::GT : Direction::LT;
    Value better = compare(b, direction, x, y);
    Value same = compare(b, Direction::EQ, x, y);
    if (isa<FloatType>(elementOf(x))) {
      // NaN is better than any number and the same as another NaN.
      Value xNaN = compare(b, Direction::NE, x, x);
      Value yNaN = compare(b, Direction::NE, y, y);
      better = bitOr(b, better, bitAnd(b, xNaN, logicalNot(b, yNaN)));
      same = bitOr(b, same, bitAnd(b, xNaN, yNaN));
    }
    Value first =
        compare(b, last ? Direction::GT : Direction::LT, xPlace, yPlace);
    Value takeX = bitOr(b, better, bitAnd(b, same, first));
    Value value = select(b, takeX, x, y);
    Value place = select(b, takeX, xPlace, yPlace);
    stablehlo::ReturnOp::create(b, ValueRange{value, place});
  };
  static auto greatest = [](OpBuilder &b, Location loc, ValueRange args) {
    make(b, loc, args, true, false);
  };
  static auto least = [](OpBuilder &b, Location loc, ValueRange args) {
    make(b, loc, args, false, false);
  };
  static auto lastGreatest = [](OpBuilder &b, Location loc, ValueRange args) {
    make(b, loc, args, true, true);
  };
  static auto lastLeast = [](OpBuilder &b, Location loc, ValueRange args) {
    make(b, loc, args, false, true);
  };
  if (last)
    return greater ? stablehlo::BodyBuilder(lastGreatest)
                   : stablehlo::BodyBuilder(lastLeast);
  return greater ? stablehlo::BodyBuilder(greatest)
                 : stablehlo::BodyBuilder(least);
}

std::pair<Value, Value> frontend::reducePairs(HloBuilder &b, Value x,
                                              Value companion, int64_t dim,
                                              bool greatest, bool last) {
  Type element = elementOf(x);
  Value init = greatest ? lowestScalar(b, element) : highestScalar(b, element);
  Value place = last ? lowestScalar(b, elementOf(companion))
                     : highestScalar(b, elementOf(companion));
  auto op = stablehlo::ReduceOp::create(
      b, ValueRange{x, companion}, ValueRange{init, place},
      ArrayRef<int64_t>{wrapDim(dim, rankOf(x))},
      greaterPairBody(greatest, last));
  return {op->getResult(0), op->getResult(1)};
}

Value frontend::argExtremum(HloBuilder &b, Value x, int64_t dim, bool greatest,
                            bool keepDims, bool last) {
  if (rankOf(x) == 0)
    return scalarInt(b, b.getI64Type(), 0);
  dim = wrapDim(dim, rankOf(x));
  if (elementOf(x).isInteger(1))
    x = convert(b, x, b.getI8Type());
  Value places = iota(b, sizesOf(b, x), dim, b.getI64Type());
  Value result = reducePairs(b, x, places, dim, greatest, last).second;
  return keep(b, result, {dim}, keepDims);
}

Value frontend::softmax(HloBuilder &b, Value x, int64_t dim) {
  Type element = elementOf(x), compute = computeType(element);
  if (rankOf(x) == 0)
    return fullLike(b, x, 1);
  x = convert(b, x, compute);
  Value most = reduceMax(b, x, {dim}, /*keepDims=*/true);
  Value powers = exp(b, sub(b, x, most));
  Value sum = reduceSum(b, powers, {dim}, /*keepDims=*/true);
  return convert(b, div(b, powers, sum), element);
}

Value frontend::logSoftmax(HloBuilder &b, Value x, int64_t dim) {
  Type element = elementOf(x), compute = computeType(element);
  if (rankOf(x) == 0)
    return fullLike(b, x, 0);
  x = convert(b, x, compute);
  Value most = reduceMax(b, x, {dim}, /*keepDims=*/true);
  Value shifted = sub(b, x, most);
  Value sum = reduceSum(b, exp(b, shifted), {dim}, /*keepDims=*/true);
  return convert(b, sub(b, shifted, log(b, sum)), element);
}
