// Hyperbolic functions and their inverses.
#include "compiler/Target/CPU/Math/MathBuilder.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

constexpr double kLn2 = 0.69314718055994529;
// (tanh x - x) / x^3 in x^2 for x^2 <= 0.4, for f32: 4.8e-8.
constexpr double kTanh32[] = {-0.333333284, 0.133327188, -0.0538432632,
                              0.0209613291, -0.0060451651};

/// Replaces x where it is zero or not a number, which keeps signs of zero.
Value keepSpecial(MathBuilder &b, Value x, Value value) {
  value = b.select(b.equal(x, b.constant(0.0)), x, value);
  return b.select(b.isNan(x), x, value);
}

} // namespace

Value ferrule::cpu::buildTanh(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value two = b.constant(2.0);
  Value magnitude = b.abs(x);
  if (b.isF64()) {
    // tanh x = t / (t + 2), t = e^2x - 1
    Value limited = b.clamp(magnitude, 0.0, 22.0);
    Value t = buildExpM1(b, b.mul(two, limited));
    Value value = b.div(t, b.add(t, two));
    return keepSpecial(b, x, b.copySign(value, x));
  }
  Value square = b.mul(x, x);
  Value near = b.fma(b.mul(square, x), b.polynomial(square, kTanh32), x);
  Value power = buildExp(b, b.mul(two, b.clamp(magnitude, 0.0, 10.0)));
  Value far = b.sub(one, b.div(two, b.add(power, one)));
  // The sum has lost the sign of zero.
  return b.copySign(
      b.select(b.less(magnitude, b.constant(0.625)), near, far), x);
}

Value ferrule::cpu::buildSinh(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value half = b.constant(0.5);
  Value magnitude = b.abs(x);
  Value t = buildExpM1(b, b.clamp(magnitude, 0.0, 700.0));
  Value near = b.mul(half, b.add(t, b.div(t, b.add(t, one))));
  // e^x may overflow where sinh x does not.
  Value root = buildExp(b, b.mul(half, magnitude));
  Value far = b.mul(b.mul(half, root), root);
  Value value = b.select(b.less(magnitude, b.constant(700.0)), near, far);
  return keepSpecial(b, x, b.copySign(value, x));
}

Value ferrule::cpu::buildCosh(MathBuilder &b, Value x) {
  Value half = b.constant(0.5);
  Value magnitude = b.abs(x);
  Value root = buildExp(b, b.mul(half, magnitude));
  Value far = b.mul(b.mul(half, root), root);
  Value power = buildExp(b, b.clamp(magnitude, 0.0, 700.0));
  Value near = b.mul(half, b.add(power, b.div(b.constant(1.0), power)));
  Value value = b.select(b.less(magnitude, b.constant(700.0)), near, far);
  return b.select(b.isNan(x), x, value);
}

Value ferrule::cpu::buildAsinh(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value magnitude = b.abs(x);
  Value limited = b.clamp(magnitude, 0.0, 1e9);
  Value square = b.mul(limited, limited);
  Value root = b.sqrt(b.add(square, one));
  Value near = buildLog1p(
      b, b.add(limited, b.div(square, b.add(root, one))));
  Value far = b.add(buildLog(b, magnitude), b.constant(kLn2));
  Value value = b.select(b.less(magnitude, b.constant(1e9)), near, far);
  return keepSpecial(b, x, b.copySign(value, x));
}

Value ferrule::cpu::buildAcosh(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value limited = b.clamp(x, -1.0, 1e9);
  Value t = b.sub(limited, one);
  Value root = b.sqrt(b.fma(t, t, b.mul(b.constant(2.0), t)));
  Value near = buildLog1p(b, b.add(t, root));
  Value far = b.add(buildLog(b, x), b.constant(kLn2));
  Value value = b.select(b.greater(x, b.constant(1e9)), far, near);
  Value nan = b.constant(std::numeric_limits<double>::quiet_NaN());
  return b.select(b.compare(arith::CmpFPredicate::ULT, x, one), nan, value);
}

Value ferrule::cpu::buildAtanh(MathBuilder &b, Value x) {
  Value one = b.constant(1.0);
  Value magnitude = b.abs(x);
  Value ratio = b.div(b.add(magnitude, magnitude), b.sub(one, magnitude));
  Value value = b.mul(b.constant(0.5), buildLog1p(b, ratio));
  return keepSpecial(b, x, b.copySign(value, x));
}
