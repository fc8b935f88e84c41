// Trigonometric functions and their inverses, in f64. Coefficients are
// Chebyshev fits; the errors stated are relative, before rounding.
#include "compiler/Target/CPU/Math/MathBuilder.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

constexpr double kPi = 3.1415926535897931;
constexpr double kPiLow = 1.2246467991473532e-16;
constexpr double kHalfPi = 1.5707963267948966;
constexpr double kHalfPiLow = 6.123233995736766e-17;
constexpr double kQuarterPi = 0.78539816339744828;
constexpr double kQuarterPiLow = 3.061616997868383e-17;

// (sin x - x) / x^3 in x^2 for |x| <= pi/4: 1.2e-20.
constexpr double kSin[] = {
    -0.16666666666666666,    0.0083333333333333315,  -0.00019841269841265017,
    2.7557319219301919e-06,  -2.5052106219521895e-08, 1.6058529572267877e-10,
    -7.5865765881710725e-13};
// (cos x - 1 + x^2/2) / x^4 in x^2: 6.5e-22.
constexpr double kCos[] = {
    0.041666666666666664,    -0.0013888888888888887, 2.4801587301584618e-05,
    -2.7557319221382114e-07, 2.0876755783894038e-09, -1.1470459749675607e-11,
    4.7458048897606743e-14};
// (atan x - x) / x^3 in x^2 for |x| <= tan(pi/8): 4.3e-20.
constexpr double kAtan[] = {
    -0.33333333333333331, 0.19999999999999993,  -0.14285714285711512,
    0.11111111110754082,  -0.090909090669713144, 0.076923067346423027,
    -0.066666419899289175, 0.058819248144534424, -0.052580373028164366,
    0.04719367881728647,  -0.041043265590528302, 0.030633162241949809,
    -0.013915657148793118};
// (asin x - x) / x^3 in x^2 for |x| <= 1/2: 1.0e-18.
constexpr double kAsin[] = {
    0.16666666666666666,   0.075000000000001218, 0.044642857142543263,
    0.030381944476347046,  0.02237215740373685,  0.01735281769074104,
    0.013963758735074137,  0.01156672237119713,  0.0096196292036874725,
    0.0093323271561656651, 0.002995311657156326, 0.019678367430161998,
    -0.019421498763363361, 0.029727286869498975};

/// sin and cos of x = n pi/2 + r, and n.
struct Quadrant {
  Value sin;
  Value cos;
  Value integer;
};
Quadrant reduce(MathBuilder &b, Value x) {
  auto [r2, low, integer] = reduceAngle(b, x);
  Value square = b.mul(r2, r2);
  Value cube = b.mul(square, r2);
  Value sin = b.fma(cube, b.polynomial(square, kSin), low);
  sin = b.add(r2, sin);
  Value quartic = b.mul(square, square);
  // 1 - square/2 with what the difference loses.
  Value half = b.mul(square, b.constant(0.5));
  Value base = b.sub(b.constant(1.0), half);
  Value lost = b.sub(b.sub(b.constant(1.0), base), half);
  Value tail = b.fma(quartic, b.polynomial(square, kCos), lost);
  tail = b.fma(b.neg(r2), low, tail);
  return {sin, b.add(base, tail), integer};
}

Value select(MathBuilder &b, Value even, Value odd, Value integer) {
  return b.select(b.isNonZero(b.andBits(integer, b.bits(1))), odd, even);
}

Value negateIf(MathBuilder &b, Value value, Value bit) {
  return b.select(b.isNonZero(bit), b.neg(value), value);
}

/// atan of a number in [0, 1].
Value atanOfUnit(MathBuilder &b, Value t) {
  Value steep = b.greater(t, b.constant(0.41421356237309503));
  Value one = b.constant(1.0);
  Value moved = b.div(b.sub(t, one), b.add(t, one));
  Value x = b.select(steep, moved, t);
  Value square = b.mul(x, x);
  Value tail = b.mul(b.mul(square, x), b.polynomial(square, kAtan));
  Value low =
      b.select(steep, b.constant(kQuarterPiLow), b.constant(0.0));
  Value high = b.select(steep, b.constant(kQuarterPi), b.constant(0.0));
  return b.add(high, b.add(x, b.add(tail, low)));
}

/// asin for |x| <= 1/2, given its square.
Value asinOfSmall(MathBuilder &b, Value x, Value square) {
  return b.fma(b.mul(x, square), b.polynomial(square, kAsin), x);
}

} // namespace

Value ferrule::cpu::buildSin(MathBuilder &b, Value x) {
  Quadrant q = reduce(b, x);
  Value value = select(b, q.sin, q.cos, q.integer);
  value = negateIf(b, value, b.andBits(q.integer, b.bits(2)));
  // Keeps the sign of zero, and denormals.
  return b.select(b.less(b.abs(x), b.constant(0x1p-28)), x, value);
}

Value ferrule::cpu::buildCos(MathBuilder &b, Value x) {
  Quadrant q = reduce(b, x);
  Value value = select(b, q.cos, q.sin, q.integer);
  Value next = b.addBits(q.integer, b.bits(1));
  return negateIf(b, value, b.andBits(next, b.bits(2)));
}

Value ferrule::cpu::buildTan(MathBuilder &b, Value x) {
  Quadrant q = reduce(b, x);
  Value numerator = select(b, q.sin, b.neg(q.cos), q.integer);
  Value denominator = select(b, q.cos, q.sin, q.integer);
  Value value = b.div(numerator, denominator);
  return b.select(b.less(b.abs(x), b.constant(0x1p-28)), x, value);
}

Value ferrule::cpu::buildAsin(MathBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  Value large = b.greater(magnitude, b.constant(0.5));
  // asin x = pi/2 - 2 asin sqrt((1 - x) / 2)
  Value rest = b.mul(b.sub(b.constant(1.0), magnitude), b.constant(0.5));
  Value square = b.select(large, rest, b.mul(x, x));
  Value argument = b.select(large, b.sqrt(rest), magnitude);
  Value value = asinOfSmall(b, argument, square);
  Value reflected =
      b.sub(b.constant(kHalfPi),
            b.sub(b.mul(b.constant(2.0), value), b.constant(kHalfPiLow)));
  return b.copySign(b.select(large, reflected, value), x);
}

Value ferrule::cpu::buildAcos(MathBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  Value large = b.greater(magnitude, b.constant(0.5));
  Value rest = b.mul(b.sub(b.constant(1.0), magnitude), b.constant(0.5));
  Value square = b.select(large, rest, b.mul(x, x));
  Value argument = b.select(large, b.sqrt(rest), magnitude);
  Value value = asinOfSmall(b, argument, square);
  Value twice = b.mul(b.constant(2.0), value);
  Value negative = b.less(x, b.constant(0.0));
  Value ofLarge = b.select(
      negative, b.sub(b.constant(kPi), b.sub(twice, b.constant(kPiLow))),
      twice);
  Value ofSmall =
      b.sub(b.constant(kHalfPi),
            b.sub(b.copySign(value, x), b.constant(kHalfPiLow)));
  return b.select(large, ofLarge, ofSmall);
}

Value ferrule::cpu::buildAtan(MathBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  Value one = b.constant(1.0);
  Value large = b.greater(magnitude, one);
  Value t = b.select(large, b.div(one, magnitude), magnitude);
  Value value = atanOfUnit(b, t);
  Value reflected = b.sub(b.constant(kHalfPi),
                          b.sub(value, b.constant(kHalfPiLow)));
  return b.copySign(b.select(large, reflected, value), x);
}

Value ferrule::cpu::buildAtan2(MathBuilder &b, Value y, Value x) {
  Value zero = b.constant(0.0);
  Value one = b.constant(1.0);
  Value infinity = b.constant(std::numeric_limits<double>::infinity());
  Value ay = b.abs(y);
  Value ax = b.abs(x);
  Value steep = b.greater(ay, ax);
  Value large = b.select(steep, ay, ax);
  Value small = b.select(steep, ax, ay);
  Value t = b.div(small, large);
  t = b.select(b.equal(large, zero), zero, t);
  t = b.select(b.equal(small, infinity), one, t);
  Value value = atanOfUnit(b, t);
  value = b.select(steep,
                   b.sub(b.constant(kHalfPi),
                         b.sub(value, b.constant(kHalfPiLow))),
                   value);
  Value left = b.less(b.copySign(one, x), zero);
  value = b.select(
      left, b.sub(b.constant(kPi), b.sub(value, b.constant(kPiLow))), value);
  value = b.copySign(value, y);
  value = b.select(b.isNan(x), x, value);
  return b.select(b.isNan(y), y, value);
}
