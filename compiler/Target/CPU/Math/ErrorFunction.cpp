// The error function and its complement.
#include "compiler/Target/CPU/Math/MathBuilder.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

// erf(x) / x in x^2 for x^2 <= 1: 1.3e-19 and 1.2e-9.
constexpr double kErf64[] = {
    1.1283791670955126,     -0.37612638903183748,   0.11283791670954879,
    -0.026866170645076792,  0.0052239776248180145,  -0.000854832698083379,
    0.0001205533111164271,  -1.4925595266831182e-05, 1.6461000484121368e-06,
    -1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09,
    5.9571761477489113e-11};
constexpr double kErf32[] = {1.12837917,     -0.376126267, 0.112835947,
                             -0.026854212,   0.00518908742, -0.000801686429,
                             7.87587506e-05};
// log(erfc x) for x in [1, 4], for f32: 3.5e-7 absolute, where erfc < 0.16.
constexpr double kLogErfc32[] = {-0.000736986726, -1.12598781,
                                 -0.63901475,     -0.103372203,
                                 0.0226428218,    -0.00344159772,
                                 0.000318150469,  -1.33388704e-05};
// (1 + 2x) e^(x^2) erfc(x) in (x - 4) / (x + 4) for x in [1, 28]: 7.9e-21.
constexpr double kErfcx64[] = {
    1.2329951186255526,      -0.1396211168405625,    0.015379652102620048,
    0.068097054254691522,    -0.10103906603632581,   0.093732834998397824,
    -0.066330365811618344,   0.037167515536586329,   -0.016197734066528243,
    0.0050319699868841229,   -0.00075777321317024718, -0.0001992567466643779,
    0.00015062126354449271,  -2.4399021141311786e-05, -1.122055951056166e-05,
    5.7092360156997545e-06,  2.9036854852184948e-07, -8.2445145902577182e-07,
    7.9789031801435503e-08,  1.0855248858773861e-07, -2.2451713081342324e-08,
    -1.2515390095235448e-08, 3.6325453970561378e-09, 4.6452968074165905e-10};

/// erf for |x| <= 1.
Value erfOfSmall(MathBuilder &b, Value x) {
  Value square = b.mul(x, x);
  return b.mul(x, b.polynomial(square, b.isF64() ? ArrayRef<double>(kErf64)
                                                 : ArrayRef<double>(kErf32)));
}

/// erfc for x in [1, 28], f64.
Value erfcOfLarge(MathBuilder &b, Value x) {
  Value four = b.constant(4.0);
  Value t = b.div(b.sub(x, four), b.add(x, four));
  Value scaled = b.polynomial(t, kErfcx64);
  scaled = b.div(scaled, b.fma(b.constant(2.0), x, b.constant(1.0)));
  // x^2 in two numbers: e^-(s + e) = e^-s (1 - e).
  Value square = b.mul(x, x);
  Value error = b.fma(x, x, b.neg(square));
  Value power = buildExp(b, b.neg(square));
  return b.mul(b.fma(b.neg(power), error, power), scaled);
}

} // namespace

Value ferrule::cpu::buildErf(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value magnitude = b.abs(x);
  Value far;
  if (b.isF64()) {
    far = b.sub(one, erfcOfLarge(b, b.clamp(magnitude, 1.0, 6.0)));
  } else {
    Value limited = b.clamp(magnitude, 1.0, 4.0);
    far = b.sub(one, buildExp(b, b.polynomial(limited, kLogErfc32)));
  }
  return b.select(b.less(magnitude, one), erfOfSmall(b, x),
                  b.select(b.isNan(x), x, b.copySign(far, x)));
}

Value ferrule::cpu::buildErfc(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value magnitude = b.abs(x);
  Value tail = erfcOfLarge(b, b.clamp(magnitude, 1.0, 28.0));
  Value far = b.select(b.less(x, b.constant(0.0)),
                       b.sub(b.constant(2.0), tail), tail);
  // Between 1/2 and 1 the difference loses a bit or two at most.
  Value near = b.sub(one, erfOfSmall(b, x));
  Value value = b.select(b.less(magnitude, one), near, far);
  return b.select(b.isNan(x), x, value);
}
