// Exponentials, logarithms and powers. Coefficients are Chebyshev fits of the
// named functions; the errors stated are relative, before rounding.
#include "compiler/Target/CPU/Math/MathBuilder.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kLog2ELow = 2.0355273740931033e-17;
constexpr double kLog10E = 0.43429448190325182;
constexpr double kLog10ELow = 1.0983196502167651e-17;
// ln 2 in two parts; the first has trailing zeros, so that its product with an
// exponent is exact.
constexpr double kLn2High64 = 0.69314718060195446;
constexpr double kLn2Low64 = -4.2009150726810846e-11;
constexpr double kLn2High32 = 0.693145751953125;
constexpr double kLn2Low32 = 1.4286068203094173e-06;
constexpr double kTwoThirds = 0.6666666666666666;
constexpr double kTwoThirdsLow = 3.7007434154171886e-17;
constexpr double kLog10Of2High = 0.30102999566588551;
constexpr double kLog10Of2Low = -1.9043128467164274e-12;

// (e^r - 1 - r) / r^2 for |r| <= ln(2)/2: 1.4e-18 and 6.5e-8.
constexpr double kExp64[] = {
    0.5,
    0.16666666666666671,
    0.041666666666666671,
    0.0083333333333260838,
    0.0013888888888883711,
    0.00019841269875002279,
    2.4801587325677461e-05,
    2.7557255170000888e-06,
    2.7557273478718582e-07,
    2.5105312729622103e-08,
    2.0914755325893202e-09};
constexpr double kExp32[] = {0.5, 0.166665767, 0.0416665542, 0.00836323288,
                             0.00139262508};
// (2^r - 1) / r for |r| <= 1/2: 2.1e-21 and 1.7e-10.
constexpr double kExp2Of64[] = {
    0.69314718055994529,     0.24022650695910072,    0.055504108664821583,
    0.0096181291076284838,   0.0013333558146428445,  0.00015403530393362451,
    1.525273380405099e-05,   1.3215486816311955e-06, 1.0178086021329605e-07,
    7.0548942479662858e-09,  4.4455302451740072e-10, 2.573378928044613e-11,
    1.3717064479250784e-12};
constexpr double kExp2Of32[] = {0.693147181,   0.240226509,   0.0555041088,
                                0.0096180561,  0.00133335019, 0.00015461677,
                                1.52975025e-05};
// (log((1+s)/(1-s)) - 2s) / s^3 in s^2: 2.1e-18 and 1.2e-9.
constexpr double kLog64[] = {
    0.66666666666666663, 0.40000000000000885, 0.28571428570799784,
    0.22222222392581045, 0.18181795547521137, 0.15386244737621665,
    0.13268638369266825, 0.13088034850927555};
constexpr double kLog32[] = {0.666666666, 0.400001222, 0.285507786,
                             0.233316145};

/// x = n ln 2 + r; returns e^r - 1 and n.
struct Reduced {
  Value tail;
  Value integer;
};
Reduced reduceExp(MathBuilder &b, Value x) {
  auto n = b.round(x, b.constant(kLog2E));
  Value r = b.fma(n.value, b.constant(b.isF64() ? -kLn2High64 : -kLn2High32),
                  x);
  r = b.fma(n.value, b.constant(b.isF64() ? -kLn2Low64 : -kLn2Low32), r);
  Value p = b.polynomial(r, b.isF64() ? ArrayRef<double>(kExp64)
                                      : ArrayRef<double>(kExp32));
  return {b.fma(b.mul(r, r), p, r), n.integer};
}

Value clampExponent(MathBuilder &b, Value x) {
  return b.isF64() ? b.clamp(x, -750.0, 710.0) : b.clamp(x, -105.0, 89.5);
}

/// x = 2^e m with m around 1; s = (m - 1) / (m + 1).
struct Split {
  Value exponent;
  Value f;
  Value s;
  Value square;
};
Split splitLog(MathBuilder &b, Value x) {
  bool wide = b.isF64();
  // Subnormal numbers are scaled up first.
  Value tiny = b.less(x, b.constant(wide ? 0x1p-1022 : 0x1p-126));
  x = b.select(tiny, b.mul(x, b.constant(wide ? 0x1p54 : 0x1p25)), x);
  Value raw = b.toBits(x);
  // Moving sqrt(1/2) to a power of two makes the exponent that of the m in
  // [sqrt(1/2), sqrt(2)).
  int64_t half = wide ? 0x3FE6A09E667F3BCD : 0x3F3504F3;
  int64_t one = wide ? 0x3FF0000000000000 : 0x3F800000;
  Value moved = b.addBits(raw, b.bits(one - half));
  int64_t width = wide ? 52 : 23;
  Value biased = b.shiftRight(moved, width);
  // An integer below 2^mantissa becomes a float by or-ing it into 2^mantissa.
  double magic = wide ? 0x1p52 : 0x1p23;
  Value e = b.sub(b.fromBits(b.orBits(biased, b.toBits(b.constant(magic)))),
                  b.constant(magic + (wide ? 1023 : 127)));
  Value exponent = b.select(tiny, b.sub(e, b.constant(wide ? 54 : 25)), e);
  int64_t mask = wide ? 0x000FFFFFFFFFFFFF : 0x007FFFFF;
  Value m = b.fromBits(b.addBits(b.andBits(moved, b.bits(mask)), b.bits(half)));
  Value f = b.sub(m, b.constant(1.0));
  Value s = b.div(f, b.add(f, b.constant(2.0)));
  Value square = b.mul(s, s);
  return {exponent, f, s, square};
}

/// The results of a logarithm where it is not an ordinary number.
Value finishLog(MathBuilder &b, Value x, Value result) {
  double infinity = std::numeric_limits<double>::infinity();
  Value zero = b.constant(0.0);
  result = b.select(b.equal(x, zero), b.constant(-infinity), result);
  result = b.select(b.equal(x, b.constant(infinity)), x, result);
  Value invalid = b.compare(arith::CmpFPredicate::ULT, x, zero);
  Value nan = b.constant(std::numeric_limits<double>::quiet_NaN());
  return b.select(invalid, nan, result);
}

/// log(m) - f, for |f| < 0.42.
Value logTail(MathBuilder &b, const Split &split) {
  // log(m) = f - (f^2/2 - s (f^2/2 + tail))
  Value halfSquare = b.mul(b.constant(0.5), b.mul(split.f, split.f));
  Value series = b.polynomial(split.square,
                              b.isF64() ? ArrayRef<double>(kLog64)
                                        : ArrayRef<double>(kLog32));
  Value sum = b.fma(split.square, series, halfSquare);
  return b.fma(split.s, sum, b.neg(halfSquare));
}

} // namespace

Value ferrule::cpu::buildExp(MathBuilder &b, Value x) {
  Value vanishes = b.less(x, b.constant(b.isF64() ? -746.0 : -104.0));
  Reduced reduced = reduceExp(b, clampExponent(b, x));
  // As MathBuilder::scale, but times zero where the power is zero, as in
  // masked softmaxes: on many processors results that underflow cost a hundred
  // cycles, zeros none.
  Value half = arith::ShRSIOp::create(b.getBuilder(), b.getLoc(),
                                      reduced.integer, b.bits(1));
  Value rest = b.powerOfTwo(b.subBits(reduced.integer, half));
  Value power = b.mul(b.add(reduced.tail, b.constant(1.0)),
                      b.powerOfTwo(half));
  return b.mul(power, b.select(vanishes, b.constant(0.0), rest));
}

Value ferrule::cpu::buildExp2(MathBuilder &b, Value x) {
  x = b.isF64() ? b.clamp(x, -1080.0, 1025.0) : b.clamp(x, -152.0, 129.0);
  auto n = b.round(x, b.constant(1.0));
  Value r = b.sub(x, n.value);
  Value p = b.polynomial(r, b.isF64() ? ArrayRef<double>(kExp2Of64)
                                      : ArrayRef<double>(kExp2Of32));
  return b.scale(b.fma(r, p, b.constant(1.0)), n.integer);
}

Value ferrule::cpu::buildExpM1(MathBuilder &b, Value x) {
  // Far from zero e^x - 1 loses nothing.
  Value clamped = clampExponent(b, x);
  Reduced reduced = reduceExp(b, clamped);
  Value one = b.constant(1.0);
  Value power = b.scale(b.add(reduced.tail, one), reduced.integer);
  Value far = b.sub(power, one);
  Value near = b.clamp(x, -30.0, 30.0);
  Reduced small = reduceExp(b, near);
  Value scale = b.powerOfTwo(small.integer);
  Value exact = b.fma(scale, small.tail, b.sub(scale, one));
  Value result =
      b.select(b.less(b.abs(x), b.constant(25.0)), exact, far);
  return b.select(b.equal(x, b.constant(0.0)), x, result);
}

Value ferrule::cpu::buildLog(MathBuilder &b, Value x) {
  Split split = splitLog(b, x);
  Value low = b.fma(split.exponent,
                    b.constant(b.isF64() ? kLn2Low64 : kLn2Low32),
                    logTail(b, split));
  Value high = b.constant(b.isF64() ? kLn2High64 : kLn2High32);
  return finishLog(b, x,
                   b.fma(split.exponent, high, b.add(low, split.f)));
}

/// exponent * high(log 2) + log(m) / log(base), log(m) in two parts.
static Value buildLogOfBase(MathBuilder &b, Value x, double factor,
                            double factorLow, double high, double low) {
  Split split = splitLog(b, x);
  // f + tail as a sum of two numbers, |f| >= |tail|.
  Value tail = logTail(b, split);
  Value sum = b.add(split.f, tail);
  Value rest = b.sub(tail, b.sub(sum, split.f));
  Value c = b.constant(factor);
  Value product = b.mul(sum, c);
  Value error = b.fma(sum, c, b.neg(product));
  Value small = b.add(b.fma(sum, b.constant(factorLow), error),
                      b.mul(rest, c));
  small = b.fma(split.exponent, b.constant(low), small);
  Value large = b.mul(split.exponent, b.constant(high));
  // large is zero or larger than product.
  Value total = b.add(large, product);
  Value lost = b.add(b.sub(large, total), product);
  return finishLog(b, x, b.add(total, b.add(lost, small)));
}

Value ferrule::cpu::buildLog2(MathBuilder &b, Value x) {
  return buildLogOfBase(b, x, kLog2E, kLog2ELow, 1.0, 0.0);
}

Value ferrule::cpu::buildLog10(MathBuilder &b, Value x) {
  return buildLogOfBase(b, x, kLog10E, kLog10ELow, kLog10Of2High,
                        kLog10Of2Low);
}

Value ferrule::cpu::buildLog1p(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value u = b.add(x, one);
  // What the sum lost, as a part of u.
  Value lost = b.div(b.sub(x, b.sub(u, one)), u);
  Value result = b.add(buildLog(b, u), lost);
  Value infinity = b.constant(std::numeric_limits<double>::infinity());
  Value edge = b.select(b.equal(u, b.constant(0.0)), b.neg(infinity), x);
  // x = -1 and infinity have no correction; a tiny x is its own result.
  Value special = b.select(b.equal(x, infinity), b.constant(1.0),
                           b.constant(0.0));
  special = b.select(b.equal(u, b.constant(0.0)), b.constant(1.0), special);
  special = b.select(b.equal(u, one), b.constant(1.0), special);
  return b.select(b.equal(special, one), edge, result);
}

/// |x|^y for f64: the logarithm is kept in two numbers, good for 2^-64.
static Value buildPowOfMagnitude(MathBuilder &b, Value magnitude, Value y) {
  if (b.isOfSingle())
    return buildExp(b, b.mul(y, buildLog(b, magnitude)));
  Split split = splitLog(b, magnitude);
  // s as s + sLow: the remainder of the division, divided again.
  Value two = b.constant(2.0);
  Value sum = b.add(split.f, two);
  Value sumLow = b.sub(split.f, b.sub(sum, two));
  Value remainder = b.fma(b.neg(split.s), sum, split.f);
  remainder = b.fma(b.neg(split.s), sumLow, remainder);
  Value sLow = b.div(remainder, sum);
  // log(m) = 2 s + 2/3 s^3 + ...: the first two terms in two numbers each.
  Value squareLow = b.fma(split.s, split.s, b.neg(split.square));
  squareLow = b.fma(b.mul(two, split.s), sLow, squareLow);
  Value cube = b.mul(split.square, split.s);
  Value cubeLow = b.fma(split.square, split.s, b.neg(cube));
  cubeLow = b.fma(split.square, sLow, b.fma(squareLow, split.s, cubeLow));
  ArrayRef<double> rest = ArrayRef<double>(kLog64).drop_front();
  Value c = b.constant(kTwoThirds);
  Value third = b.mul(cube, c);
  Value thirdLow = b.fma(cube, c, b.neg(third));
  thirdLow = b.fma(cube, b.constant(kTwoThirdsLow), thirdLow);
  thirdLow = b.fma(cubeLow, c, thirdLow);
  thirdLow = b.fma(b.mul(cube, split.square),
                   b.polynomial(split.square, rest), thirdLow);
  Value high = b.mul(two, split.s);
  Value total = b.add(high, third);
  Value low = b.add(b.sub(third, b.sub(total, high)),
                    b.fma(two, sLow, thirdLow));
  // The logarithm: exponent * ln 2 + total + low.
  Value large = b.mul(split.exponent, b.constant(kLn2High64));
  Value log = b.add(large, total);
  Value logLow = b.add(b.sub(large, log), total);
  Value zeroExponent = b.equal(split.exponent, b.constant(0.0));
  logLow = b.select(zeroExponent, b.constant(0.0), logLow);
  logLow = b.add(logLow, b.fma(split.exponent, b.constant(kLn2Low64), low));
  // What the power is corrected by must be less than a last place.
  Value whole = b.add(log, logLow);
  logLow = b.add(b.sub(log, whole), logLow);
  log = whole;
  // y * log in two numbers.
  Value product = b.mul(y, log);
  Value error = b.fma(y, log, b.neg(product));
  error = b.fma(y, logLow, error);
  Value inside = b.less(b.abs(product), b.constant(800.0));
  error = b.select(inside, error, b.constant(0.0));
  Value power = buildExp(b, product);
  Value corrected = b.fma(power, error, power);
  Value infinity = b.constant(std::numeric_limits<double>::infinity());
  return b.select(b.less(power, infinity), corrected, power);
}

Value ferrule::cpu::buildPow(MathBuilder &b, Value x, Value y) {
  double infinite = std::numeric_limits<double>::infinity();
  Value zero = b.constant(0.0);
  Value one = b.constant(1.0);
  Value infinity = b.constant(infinite);
  Value magnitude = b.abs(x);
  Value result = buildPowOfMagnitude(b, magnitude, y);
  // Zero, infinite and unit magnitudes, and infinite exponents.
  Value yNegative = b.less(y, zero);
  Value ofZero = b.select(yNegative, infinity, zero);
  Value ofInfinity = b.select(yNegative, zero, infinity);
  result = b.select(b.equal(magnitude, zero), ofZero, result);
  result = b.select(b.equal(magnitude, infinity), ofInfinity, result);
  Value grows = b.select(b.greater(magnitude, one), ofInfinity, ofZero);
  grows = b.select(b.equal(magnitude, one), one, grows);
  result = b.select(b.equal(b.abs(y), infinity), grows, result);
  // The sign of a negative base needs an integral exponent.
  OpBuilder &builder = b.getBuilder();
  Value truncated = math::TruncOp::create(builder, b.getLoc(), y);
  Value half = b.mul(y, b.constant(0.5));
  Value halfTruncated = math::TruncOp::create(builder, b.getLoc(), half);
  Value nan = b.constant(std::numeric_limits<double>::quiet_NaN());
  Value even = b.equal(half, halfTruncated);
  Value ofNegative = b.select(even, result, b.neg(result));
  Value fraction = b.select(b.equal(magnitude, zero), result, nan);
  fraction = b.select(b.equal(magnitude, infinity), result, fraction);
  ofNegative = b.select(b.equal(y, truncated), ofNegative, fraction);
  Value negative = b.less(b.copySign(one, x), zero);
  result = b.select(negative, ofNegative, result);
  result = b.select(b.isNan(x), x, result);
  result = b.select(b.isNan(y), y, result);
  result = b.select(b.equal(y, zero), one, result);
  return b.select(b.equal(x, one), one, result);
}

Value ferrule::cpu::buildCbrt(MathBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  Value third = b.constant(1.0 / 3.0);
  Value root = buildExp(b, b.mul(buildLog(b, magnitude), third));
  // One step of Newton's method: root -= (root - x / root^2) / 3.
  Value excess = b.sub(root, b.div(magnitude, b.mul(root, root)));
  root = b.fma(b.neg(excess), third, root);
  Value ordinary = b.less(b.constant(0.0), magnitude);
  Value finite = b.less(
      magnitude, b.constant(std::numeric_limits<double>::infinity()));
  root = b.select(finite, root, magnitude);
  return b.select(ordinary, b.copySign(root, x), x);
}
