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
// (1 + 2x) e^(x^2) erfc(x) in (x - 4) / (x + 4) for x in [0.47, 28]: 5.8e-22.
constexpr double kErfcx64[] = {
    1.2329951186255526, -0.1396211168405625, 0.015379652102620043,
    0.06809705425469155, -0.10103906603632534, 0.093732834998396033,
    -0.066330365811637357, 0.037167515536642715, -0.016197734066136508,
    0.0050319699858757958, -0.00075777321784282169, -0.00019925673543739179,
    0.00015062129789566753, -2.4399102587213841e-05, -1.1220718443942787e-05,
    5.7096278312572001e-06, 2.9082159576334775e-07, -8.2569415496124524e-07,
    7.9069194014990929e-08, 1.1106438619703226e-07, -2.2052778322905124e-08,
    -1.5498175554116428e-08, 4.0576541947371978e-09, 2.1708427578469008e-09,
    -5.6630716539150403e-10, -2.2019985773695151e-10, 4.2589384436441789e-11};

/// erf for |x| <= 1.
Value erfOfSmall(MathBuilder &b, Value x) {
  Value square = b.mul(x, x);
  return b.mul(x, b.polynomial(square, b.isF64() ? ArrayRef<double>(kErf64)
                                                 : ArrayRef<double>(kErf32)));
}

/// erfc for x in [0.47, 28], f64.
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
  Value tail = erfcOfLarge(b, b.clamp(magnitude, 0.47, 28.0));
  Value far = b.select(b.less(x, b.constant(0.0)),
                       b.sub(b.constant(2.0), tail), tail);
  // Here erf is less than 1/2.
  Value near = b.sub(one, erfOfSmall(b, x));
  Value value = b.select(b.less(magnitude, b.constant(0.476)), near, far);
  return b.select(b.isNan(x), x, value);
}
