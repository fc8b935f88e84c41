// erf_inv, bessel_i1e, next_after and the choice among all special functions:
// scalar code from public formulas. All but next_after are computed in f64
// whatever the type, so that f32 and narrower are right to the last bit or
// nearly so.
#include "compiler/Conversion/StableHLOToLinalg/SpecialFunctions.h"
#include "compiler/Conversion/StableHLOToLinalg/ScalarFormula.h"

using namespace mlir;

namespace ferrule::lowering {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double pi = 3.14159265358979323846;

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

/// exp(-|x|) I1(x): the power series up to 8, where all terms have one sign;
/// beyond it sqrt(x) times the function, a Chebyshev fit in 16 / x - 1: 1.9e-18.
static Formula besselI1eOf(Formula x) {
  static constexpr double beyond[] = {
      0.38939845902587233, -0.0097495771932357683, -0.00021923576383382282,
      -1.5038547197358572e-05, -1.8349101357991557e-06,
      -3.4838567401229716e-07, -1.0001282610189342e-07,
      -4.3127789201676093e-08, -2.3374467872424478e-08,
      -8.4388009058213693e-09, 6.737493433374833e-09, 1.4088520752025449e-08,
      5.9636457981667073e-09, -7.8169682667678977e-09, -7.8630046975550564e-09,
      3.803814960536081e-09, 6.2029841130004429e-09, -1.9920765512031881e-09,
      -3.7534433873591298e-09, 1.0715528639398075e-09, 1.6577646994563189e-09,
      -4.7987515369340228e-10, -4.6561597954216946e-10, 1.4176508428695361e-10,
      6.1359327783938119e-11, -1.9677083272584384e-11};
  Formula z = x.abs();
  Value isLarge = z > 8.0;
  Formula bounded = select(isLarge, z.constant(8.0), z);
  // 1/2 (x/2)^2k / (k! (k+1)!)
  SmallVector<double> terms = {0.5};
  for (int k = 1; k < 25; ++k)
    terms.push_back(terms.back() / (4.0 * k * (k + 1)));
  Formula series = polynomial(bounded * bounded, terms);
  Formula small = bounded * series * (-bounded).exp();
  Formula large = polynomial(16.0 / z - 1.0, beyond) / z.sqrt();
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
