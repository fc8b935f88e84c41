// Functions of complex numbers for which the textbook formula loses digits.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Conversion/StableHLOToLinalg/ScalarFormula.h"

using namespace mlir;

namespace ferrule::lowering {

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
struct Parts {
  Formula re, im;
};
} // namespace

/// With t = sqrt((|z| + |a|) / 2): t + i b / 2t for a >= 0, |b| / 2t +- i t
/// else. No difference, so no lost digits; scaled against overflow.
static Parts complexSqrt(Formula a, Formula b) {
  Formula x = a.abs(), y = b.abs();
  Formula size = select(x < y, y, x);
  Value large = size > 0x1p500, small = size < 0x1p-500;
  Formula one = a.constant(1.0);
  Formula scale = select(large, 0x1p-600, select(small, 0x1p600, one));
  Formula back = select(large, 0x1p300, select(small, 0x1p-300, one));
  x = x * scale;
  y = y * scale;
  Formula t = ((x + (x * x + y * y).sqrt()) * 0.5).sqrt();
  Formula other = select(t == 0.0, 0.0, y / (t + t)) * back;
  t = t * back;
  Value left = a < 0.0;
  Formula re = select(left, other, t), im = select(left, t, other);
  // An infinite imaginary part wins, then an infinite real part.
  Value infiniteRe = a.abs() == infinity, infiniteIm = b.abs() == infinity;
  Formula zero = a.constant(0.0), endless = a.constant(infinity);
  re = select(infiniteRe, select(left, zero, endless), re);
  im = select(infiniteRe, select(left, endless, zero), im);
  re = select(infiniteIm, endless, re);
  im = select(infiniteIm, endless, im);
  return {re, im.copySign(b)};
}

/// log|a + ib|, of numbers of any size.
static Formula logOfSize(Formula a, Formula b) {
  Formula x = a.abs(), y = b.abs();
  Formula large = select(x < y, y, x), small = select(x < y, x, y);
  Value plain = large == infinity;
  Formula ratio = select(plain, 0.0, small / large);
  // Of zero it is that of its first number.
  ratio = select(large == 0.0, 0.0, ratio);
  return large.log() + 0.5 * (ratio * ratio).log1p();
}

/// log|1 + z| = log1p(a (2 + a) + b^2) / 2 where that is no small difference.
static Parts complexLog1p(Formula a, Formula b) {
  Formula square = a * (a + 2.0) + b * b;
  Formula shifted = a + 1.0;
  Value near = arith::AndIOp::create(*a.b, square > -0.5, square < 1.0);
  Formula re = select(near, 0.5 * square.log1p(), logOfSize(shifted, b));
  return {re, b.apply<math::Atan2Op>(shifted)};
}

/// e^z - 1 = expm1(a) cos(b) - 2 sin(b/2)^2 + i e^a sin(b).
static Parts complexExpm1(Formula a, Formula b) {
  Formula half = (b * 0.5).sin();
  Formula re = a.apply<math::ExpM1Op>() * b.cos() - 2.0 * half * half;
  // A real number stays one, though its power is infinite.
  Formula im = select(b == 0.0, b, a.exp() * b.sin());
  return {re, im};
}

/// sin(a) cosh(b) + i cos(a) sinh(b). A zero stays one beside an infinity.
static Parts complexSine(Formula a, Formula b) {
  Formula re = select(a == 0.0, a, a.sin() * b.apply<math::CoshOp>());
  return {re, a.cos() * b.apply<math::SinhOp>()};
}

/// cos(a) cosh(b) - i sin(a) sinh(b).
static Parts complexCosine(Formula a, Formula b) {
  Formula side = a.constant(1.0).copySign(b);
  Formula im = select(a == 0.0, a * side, a.sin() * b.apply<math::SinhOp>());
  return {a.cos() * b.apply<math::CoshOp>(), -im};
}

Value emitComplexFormula(ScalarContext &c) {
  ImplicitLocOpBuilder b(c.loc, c.b);
  Formula re{&b, complex::ReOp::create(b, c.in[0])};
  Formula im{&b, complex::ImOp::create(b, c.in[0])};
  Parts result;
  if (isa<stablehlo::SqrtOp>(c.op))
    result = complexSqrt(re, im);
  else if (isa<stablehlo::Log1pOp>(c.op))
    result = complexLog1p(re, im);
  else if (isa<stablehlo::SineOp>(c.op))
    result = complexSine(re, im);
  else if (isa<stablehlo::CosineOp>(c.op))
    result = complexCosine(re, im);
  else
    result = complexExpm1(re, im);
  return complex::CreateOp::create(b, c.operandType, result.re.value,
                                   result.im.value);
}

} // namespace ferrule::lowering
