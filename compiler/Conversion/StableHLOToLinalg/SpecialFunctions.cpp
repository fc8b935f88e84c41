// lgamma, digamma, polygamma, zeta, erf_inv, bessel_i1e, next_after: scalar
// code from public formulas. All but next_after are computed in f64 whatever
// the type, so that f32 and narrower are right to the last bit or nearly so.
#include "compiler/Conversion/StableHLOToLinalg/SpecialFunctions.h"
#include "compiler/Conversion/StableHLOToLinalg/ScalarFormula.h"

using namespace mlir;

namespace ferrule::lowering {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
static constexpr double pi = 3.14159265358979323846;

static Value isInteger(Formula x) { return x == x.floor(); }
static Value both(Formula x, Value p, Value q) {
  return arith::AndIOp::create(*x.b, p, q);
}

/// Lanczos' approximation (g = 7, n = 9) with the reflection formula
/// log|gamma(x)| = log(pi / |sin(pi x)|) - log gamma(1 - x).
static Formula lgammaOf(Formula x) {
  static constexpr double g = 7.0;
  static constexpr double coefficients[] = {
      676.520368121885098567009190444019, -1259.13921672240287047156078755283,
      771.3234287776530788486528258894,   -176.61502916214059906584551354,
      12.507343278686904814458936853,     -0.13857109526572011689554707,
      9.984369578019570859563e-6,         1.50563273514931155834e-7};
  Value reflects = x < 0.5;
  Formula z = select(reflects, -x, x - 1.0);
  Formula sum = x.constant(0.99999999999980993227684700473478);
  for (auto [i, c] : llvm::enumerate(coefficients))
    sum = sum + c / (z + double(i + 1));
  Formula t = z + (g + 0.5);
  Formula logT = std::log(g + 0.5) + (z / (g + 0.5)).log1p();
  Formula y = 0.5 * std::log(2.0 * pi) + (z + 0.5 - t / logT) * logT +
              sum.log();
  Formula magnitude = x.abs();
  Formula fraction = magnitude - magnitude.floor();
  Formula reduced = select(fraction < 0.5, fraction, 1.0 - fraction);
  Formula logSin = (pi * reduced).sin().log();
  Formula reflected = std::log(pi) - logSin - y;
  Formula result = select(reflects, reflected, y);
  result = select(both(x, x <= 0.0, isInteger(x)), infinity, result);
  return select(magnitude == infinity, infinity, result);
}

/// Recurrence psi(x) = psi(x + 1) - 1/x up to 10, then the asymptotic series;
/// psi(x) = psi(1 - x) - pi / tan(pi x) for x < 1/2.
static Formula digammaOf(Formula x) {
  Value reflects = x < 0.5;
  Formula z = select(reflects, 1.0 - x, x);
  Formula shift = x.constant(0.0);
  for (int i = 0; i < 10; ++i) {
    Value small = z < 10.0;
    shift = select(small, shift - 1.0 / z, shift);
    z = select(small, z + 1.0, z);
  }
  // B_2k / (2k)
  static constexpr double series[] = {
      1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
      1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  Formula inverse = 1.0 / z, square = inverse * inverse;
  Formula y = z.log() - 0.5 * inverse - square * polynomial(square, series) +
              shift;
  // The sine and cosine of pi times the distance to the nearest integer.
  Formula distance = x - (x + 0.5).floor();
  Formula cotangent = (pi * distance).cos() / (pi * distance).sin();
  Formula result = select(reflects, y - pi * cotangent, y);
  return select(both(x, x <= 0.0, isInteger(x)), notANumber, result);
}

/// Hurwitz: sum of (q + k)^-s by Euler and Maclaurin from the tenth term on.
static Formula zetaOf(Formula s, Formula q) {
  constexpr int terms = 10;
  // (2k)! / B_2k
  static constexpr double coefficients[] = {
      12.0,
      -720.0,
      30240.0,
      -1209600.0,
      47900160.0,
      -1.8924375803183791606e9,
      7.47242496e10,
      -2.950130727918164224e12,
      1.1646782814350067249e14,
      -4.5979787224074726105e15,
      1.8152105401943546773e17,
      -7.1661652561756670113e18};
  Formula sum = q.pow(-s), a = q;
  for (int k = 1; k < terms; ++k) {
    a = a + 1.0;
    sum = sum + a.pow(-s);
  }
  a = a + 1.0;
  Formula b = a.pow(-s);
  // The integral from a, half of the term there, and the corrections.
  sum = sum + b * a / (s - 1.0) + 0.5 * b;
  Formula factor = s * b / a;
  Formula k = s.constant(0.0);
  for (double c : coefficients) {
    sum = sum + factor / c;
    factor = factor * (s + k + 1.0) * (s + k + 2.0) / (a * a);
    k = k + 2.0;
  }
  Value notIntegerPower =
      both(s, q <= 0.0, arith::XOrIOp::create(
                            *s.b, isInteger(s),
                            arith::ConstantIntOp::create(*s.b, 1, 1)));
  Formula result = select(notIntegerPower, notANumber, sum);
  result = select(both(s, q <= 0.0, isInteger(q)), infinity, result);
  result = select(s < 1.0, notANumber, result);
  return select(s == 1.0, infinity, result);
}

/// (-1)^(n+1) n! zeta(n + 1, x)
static Formula polygammaOf(Formula n, Formula x) {
  Formula half = (n + 1.0) * 0.5;
  Formula sign = select(isInteger(half), n.constant(1.0), n.constant(-1.0));
  Formula value = sign * lgammaOf(n + 1.0).exp() * zetaOf(n + 1.0, x);
  Formula result = select(n == 0.0, digammaOf(x), value);
  Value invalid = arith::OrIOp::create(
      *n.b, n < 0.0,
      arith::XOrIOp::create(*n.b, isInteger(n),
                            arith::ConstantIntOp::create(*n.b, 1, 1)));
  return select(invalid, notANumber, result);
}

/// M. Giles, "Approximating the erfinv function" (2010), refined by two steps
/// of Halley's method on erf (erfc near 1, where 1 - |y| is exact).
static Formula erfInvOf(Formula y) {
  Formula target = y.abs();
  Formula w = -((1.0 - target) * (1.0 + target)).log();
  Formula central = polynomial(
      w - 2.5, {1.50140941, 0.246640727, -0.00417768164, -0.00125372503,
                0.00021858087, -4.39150654e-06, -3.5233877e-06, 3.43273939e-07,
                2.81022636e-08});
  Formula tail = polynomial(
      w.sqrt() - 3.0, {2.83297682, 1.00167406, 0.00943887047, -0.0076224613,
                       0.00573950773, -0.00367342844, 0.00134934322,
                       0.000100950558, -0.000200214257});
  Formula x = select(w < 5.0, central, tail) * target;
  for (int step = 0; step < 2; ++step) {
    Formula error = select(target < 0.5, x.erf() - target,
                           (1.0 - target) - x.erfc());
    Formula newton = error / ((2.0 / std::sqrt(pi)) * (-(x * x)).exp());
    x = x - newton / (1.0 + x * newton);
  }
  x = select(target == 1.0, infinity, x);
  x = select(target == 0.0, 0.0, x);
  return x.copySign(y);
}

/// exp(-|x|) I1(x): the power series in nested form up to 30, where all terms
/// have one sign; beyond it Hankel's asymptotic series.
static Formula besselI1eOf(Formula x) {
  Formula z = x.abs();
  Value isLarge = z > 30.0;
  Formula bounded = select(isLarge, z.constant(30.0), z);
  Formula t = bounded * bounded * 0.25;
  Formula series = z.constant(1.0);
  for (int k = 70; k >= 1; --k)
    series = 1.0 + t * series * (1.0 / (double(k) * (k + 1)));
  Formula small = 0.5 * bounded * series * (-bounded).exp();
  Formula inverse = 1.0 / (8.0 * z);
  Formula term = z.constant(1.0), sum = term;
  for (int k = 1; k <= 16; ++k) {
    double odd = 2 * k - 1;
    term = term * inverse * (-(4.0 - odd * odd) / k);
    sum = sum + term;
  }
  Formula large = sum / (2.0 * pi * z).sqrt();
  return select(isLarge, large, small).copySign(x);
}

bool isSpecialFunction(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases("bessel_i1e", "digamma", "erf_inv", "lgamma", true)
      .Cases("polygamma", "zeta", "next_after", true)
      .Default(false);
}

static Formula emitInDouble(StringRef name, ArrayRef<Formula> in) {
  if (name == "bessel_i1e")
    return besselI1eOf(in[0]);
  if (name == "digamma")
    return digammaOf(in[0]);
  if (name == "erf_inv")
    return erfInvOf(in[0]);
  if (name == "lgamma")
    return lgammaOf(in[0]);
  if (name == "polygamma")
    return polygammaOf(in[0], in[1]);
  return zetaOf(in[0], in[1]);
}

/// The neighbouring number of x towards y, on the bits.
static Value emitNextAfter(OpBuilder &b, Location loc, Value x, Value y) {
  auto type = cast<FloatType>(x.getType());
  unsigned width = type.getWidth();
  Type bits = b.getIntegerType(width);
  auto integer = [&](const APInt &v) { return intConstant(b, loc, bits, v); };
  auto compareInts = [&](arith::CmpIPredicate p, Value l, Value r) {
    return arith::CmpIOp::create(b, loc, p, l, r);
  };
  Value xBits = arith::BitcastOp::create(b, loc, bits, x);
  Value yBits = arith::BitcastOp::create(b, loc, bits, y);
  APInt signMask = APInt::getSignMask(width);
  Value xAbs =
      arith::AndIOp::create(b, loc, xBits, integer(~signMask));
  Value yAbs =
      arith::AndIOp::create(b, loc, yBits, integer(~signMask));
  Value xSign = arith::AndIOp::create(b, loc, xBits, integer(signMask));
  Value ySign = arith::AndIOp::create(b, loc, yBits, integer(signMask));
  Value one = integer(APInt(width, 1)), zero = integer(APInt(width, 0));
  // Away from y's side or beyond it: the magnitude shrinks.
  Value differ = compareInts(arith::CmpIPredicate::ne, xSign, ySign);
  Value beyond = compareInts(arith::CmpIPredicate::ugt, xAbs, yAbs);
  Value shrinks = arith::OrIOp::create(b, loc, differ, beyond);
  Value step = arith::SelectOp::create(
      b, loc, shrinks, integer(APInt::getAllOnes(width)), one);
  Value moved = arith::AddIOp::create(b, loc, xBits, step);
  // From zero: the smallest number with y's sign.
  Value fromZero = arith::OrIOp::create(b, loc, ySign, one);
  Value isZero = compareInts(arith::CmpIPredicate::eq, xAbs, zero);
  Value result = arith::SelectOp::create(b, loc, isZero, fromZero, moved);
  Value equal =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
  result = arith::SelectOp::create(b, loc, equal, yBits, result);
  Value value = arith::BitcastOp::create(b, loc, type, result);
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, y);
  Value nan = arith::AddFOp::create(b, loc, x, y);
  return arith::SelectOp::create(b, loc, isNaN, nan, value);
}

Value emitSpecialFunction(ScalarContext &c, StringRef name) {
  if (name == "next_after")
    return emitNextAfter(c.b, c.loc, c.in[0], c.in[1]);
  ImplicitLocOpBuilder b(c.loc, c.b);
  SmallVector<Formula> in;
  Type f64 = c.b.getF64Type();
  for (Value value : c.in)
    in.push_back({&b, emitConvert(b, c.loc, value, c.operandType, f64)});
  Formula result = emitInDouble(name, in);
  return emitConvert(b, c.loc, result.value, f64, c.operandType);
}

} // namespace ferrule::lowering
