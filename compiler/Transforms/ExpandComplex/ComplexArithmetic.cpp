#include "compiler/Transforms/ExpandComplex/ComplexArithmetic.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOValues.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;
using Direction = ComparisonDirection;

Value ComplexArithmetic::number(Value like, double value) {
  auto type = cast<RankedTensorType>(like.getType());
  return buildSplatLike(b, b.getLoc(),
                        b.getFloatAttr(type.getElementType(), value), like,
                        type);
}

Value ComplexArithmetic::add(Value x, Value y) {
  return AddOp::create(b, x.getType(), x, y);
}
Value ComplexArithmetic::subtract(Value x, Value y) {
  return SubtractOp::create(b, x.getType(), x, y);
}
Value ComplexArithmetic::multiply(Value x, Value y) {
  return MulOp::create(b, x.getType(), x, y);
}
Value ComplexArithmetic::divide(Value x, Value y) {
  return DivOp::create(b, x.getType(), x, y);
}
Value ComplexArithmetic::select(Value pred, Value x, Value y) {
  return SelectOp::create(b, x.getType(), pred, x, y);
}
Value ComplexArithmetic::compare(Value x, Value y, Direction direction) {
  return CompareOp::create(b, x, y, direction);
}

template <typename OpT> static Value call(ImplicitLocOpBuilder &b, Value x) {
  return OpT::create(b, x.getType(), x);
}

/// Functions with an accuracy, which is the default one.
template <typename OpT> static Value of(ImplicitLocOpBuilder &b, Value x) {
  return OpT::create(b, x.getType(), x, ResultAccuracyAttr());
}

Pair ComplexArithmetic::multiply(Pair x, Pair y) {
  return {subtract(multiply(x.re, y.re), multiply(x.im, y.im)),
          add(multiply(x.re, y.im), multiply(x.im, y.re))};
}

Pair ComplexArithmetic::select(Value pred, Pair x, Pair y) {
  return {select(pred, x.re, y.re), select(pred, x.im, y.im)};
}

Pair ComplexArithmetic::divide(Pair x, Pair y) {
  Value isReal = compare(call<AbsOp>(b, y.re), call<AbsOp>(b, y.im),
                         Direction::GE);
  // With the larger part of y as `big`, the quotient of the other by it is at
  // most 1.
  Value big = select(isReal, y.re, y.im), small = select(isReal, y.im, y.re);
  Value zero = number(big, 0);
  Value ratio = divide(small, big);
  ratio = select(compare(small, zero, Direction::EQ), small, ratio);
  Value scale = add(big, multiply(small, ratio));
  Value first = select(isReal, x.re, x.im), second = select(isReal, x.im, x.re);
  Value re = divide(add(first, multiply(second, ratio)), scale);
  Value im = divide(subtract(second, multiply(first, ratio)), scale);
  return {re, select(isReal, im, call<NegOp>(b, im))};
}

Value ComplexArithmetic::abs(Pair x) {
  Value re = call<AbsOp>(b, x.re), im = call<AbsOp>(b, x.im);
  Value most = MaxOp::create(b, re.getType(), re, im);
  Value least = MinOp::create(b, re.getType(), re, im);
  Value ratio = divide(least, most);
  Value one = number(re, 1);
  Value root = of<SqrtOp>(b, add(one, multiply(ratio, ratio)));
  Value length = multiply(most, root);
  // Zeros and equal infinities have no ratio.
  length = select(compare(least, number(re, 0), Direction::EQ), most, length);
  Value infinity = number(re, std::numeric_limits<double>::infinity());
  Value isInfinite =
      OrOp::create(b, compare(re, infinity, Direction::EQ),
                   compare(im, infinity, Direction::EQ));
  return select(isInfinite, infinity, length);
}

Pair ComplexArithmetic::sign(Pair x) {
  Value length = abs(x);
  Value isZero = compare(length, number(length, 0), Direction::EQ);
  return select(isZero, x, {divide(x.re, length), divide(x.im, length)});
}

Pair ComplexArithmetic::exp(Pair x) {
  Value scale = of<ExpOp>(b, x.re);
  Value isReal = compare(x.im, number(x.im, 0), Direction::EQ);
  Value re = multiply(scale, of<CosineOp>(b, x.im));
  Value im = multiply(scale, of<SineOp>(b, x.im));
  // An infinite scale times an angle of zero is no NaN.
  return {select(isReal, scale, re), select(isReal, x.im, im)};
}

Pair ComplexArithmetic::expm1(Pair x) {
  // e^a cos b - 1 = (e^a - 1) cos b - 2 sin^2(b / 2), without cancellation.
  Value half = of<SineOp>(b, multiply(x.im, number(x.im, 0.5)));
  Value re = subtract(multiply(of<Expm1Op>(b, x.re), of<CosineOp>(b, x.im)),
                      multiply(number(half, 2), multiply(half, half)));
  return {re, exp(x).im};
}

Pair ComplexArithmetic::log(Pair x) {
  return {of<LogOp>(b, abs(x)), Atan2Op::create(b, x.re.getType(), x.im, x.re)};
}

Pair ComplexArithmetic::log1p(Pair x) {
  Value one = number(x.re, 1);
  Value shifted = add(x.re, one);
  // log |1 + x| is log1p(2 a + a^2 + b^2) / 2 where that is small.
  Value square = add(multiply(x.re, add(x.re, number(x.re, 2))),
                     multiply(x.im, x.im));
  Value near = multiply(of<Log1pOp>(b, square), number(x.re, 0.5));
  Pair far = log({shifted, x.im});
  Value isNear = compare(call<AbsOp>(b, square), number(x.re, 0.5),
                         Direction::LT);
  return {select(isNear, near, far.re), far.im};
}

Pair ComplexArithmetic::sqrt(Pair x) {
  Value half = number(x.re, 0.5), zero = number(x.re, 0);
  // Halves before the sum, so that it does not overflow.
  Value sum = add(multiply(call<AbsOp>(b, x.re), half), multiply(abs(x), half));
  Value root = of<SqrtOp>(b, sum);
  Value other = divide(multiply(x.im, half), root);
  Value isZero = compare(root, zero, Direction::EQ);
  other = select(isZero, x.im, other);
  Value isRight = compare(x.re, zero, Direction::GE);
  Value isBelow = compare(x.im, zero, Direction::LT);
  Value signedRoot = select(isBelow, call<NegOp>(b, root), root);
  return {select(isRight, root, call<AbsOp>(b, other)),
          select(isRight, other, signedRoot)};
}

Pair ComplexArithmetic::rsqrt(Pair x) {
  return divide({number(x.re, 1), number(x.re, 0)}, sqrt(x));
}

Pair ComplexArithmetic::power(Pair x, Pair y) {
  Value zero = number(x.re, 0), one = number(x.re, 1);
  auto isZero = [&](Pair v) -> Value {
    return AndOp::create(b, compare(v.re, zero, Direction::EQ),
                         compare(v.im, zero, Direction::EQ));
  };
  Pair result = exp(multiply(y, log(x)));
  result = select(isZero(x), {zero, zero}, result);
  return select(isZero(y), {one, zero}, result);
}

Value ComplexArithmetic::sinh(Value x) {
  Value e = of<Expm1Op>(b, call<AbsOp>(b, x)), one = number(x, 1);
  Value twice = add(e, divide(e, add(e, one)));
  // An infinite e has no quotient; its half is the result.
  Value infinity = number(x, std::numeric_limits<double>::infinity());
  twice = select(compare(e, infinity, Direction::EQ), infinity, twice);
  Value result = multiply(twice, number(x, 0.5));
  Value isNegative = compare(x, number(x, 0), Direction::LT);
  return select(isNegative, call<NegOp>(b, result), result);
}

Value ComplexArithmetic::cosh(Value x) {
  Value sum = add(of<ExpOp>(b, x), of<ExpOp>(b, call<NegOp>(b, x)));
  return multiply(sum, number(x, 0.5));
}

Pair ComplexArithmetic::sine(Pair x) {
  return {multiply(of<SineOp>(b, x.re), cosh(x.im)),
          multiply(of<CosineOp>(b, x.re), sinh(x.im))};
}

Pair ComplexArithmetic::cosine(Pair x) {
  Value im = multiply(of<SineOp>(b, x.re), sinh(x.im));
  return {multiply(of<CosineOp>(b, x.re), cosh(x.im)), call<NegOp>(b, im)};
}

Pair ComplexArithmetic::tanh(Pair x) {
  // With t = tanh a and u = tan b: (t + i u) / (1 + i t u), in terms that stay
  // finite where tan b does not: sinh a, cos b and sin b.
  Value s = sinh(x.re), sine = of<SineOp>(b, x.im);
  Value cosine = of<CosineOp>(b, x.im);
  Value scale = add(multiply(s, s), multiply(cosine, cosine));
  Value re = divide(multiply(s, cosh(x.re)), scale);
  Value im = divide(multiply(sine, cosine), scale);
  // Past 20 the real part is 1 and the other one vanishes.
  Value isFar = compare(call<AbsOp>(b, x.re), number(x.re, 20), Direction::GT);
  Value unit = call<SignOp>(b, x.re);
  return select(isFar, {unit, number(x.re, 0)}, {re, im});
}

Pair ComplexArithmetic::tan(Pair x) {
  Pair turned = tanh({call<NegOp>(b, x.im), x.re});
  return {turned.im, call<NegOp>(b, turned.re)};
}

Pair ComplexArithmetic::logistic(Pair x) {
  Pair e = exp({call<NegOp>(b, x.re), call<NegOp>(b, x.im)});
  Value one = number(x.re, 1);
  return divide({one, number(x.re, 0)}, {add(e.re, one), e.im});
}
