// lgamma, digamma, zeta and polygamma as scalar code in f64. Coefficients are
// Chebyshev fits (compiler/Target/CPU/Math/fit_coefficients.py); the errors
// stated are absolute, before rounding.
#include "compiler/Conversion/StableHLOToLinalg/ScalarFormula.h"
#include "compiler/Conversion/StableHLOToLinalg/SpecialFunctions.h"

using namespace mlir;

namespace ferrule::lowering {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
static constexpr double pi = 3.14159265358979323846;

static Value isInteger(Formula x) { return x == x.floor(); }
static Value both(Formula x, Value p, Value q) {
  return arith::AndIOp::create(*x.b, p, q);
}
static Value isNot(Formula x, Value p) {
  return arith::XOrIOp::create(*x.b, p,
                               arith::ConstantIntOp::create(*x.b, 1, 1));
}

/// log gamma of a number in (0, 10): from the fits around 1 and 2, whose
/// zeros are exact, and log gamma(x) = log gamma(x - 1) + log(x - 1).
static Formula lgammaOfSmall(Formula x) {
  // log gamma(2 + z) / z for |z| <= 1/2: 6.0e-19.
  static constexpr double aroundTwo[] = {
      0.42278433509846713, 0.32246703342411326, -0.067352301053198102,
      0.02058080842778038, -0.0073855510286719986, 0.0028905103310342671,
      -0.0011927539118428156, 0.00050966951541154583, -0.00022315475400520507,
      9.9457673558194984e-05, -4.4926313379155697e-05, 2.0505590755833454e-05,
      -9.4387150992115318e-06, 4.3847044045983602e-06, -2.0439048107029907e-06,
      9.2005278949681006e-07, -4.3252393445604814e-07, 2.7874080521135899e-07,
      -1.3219945666117874e-07};
  // log gamma(1 + z) / z for |z| <= 1/2: 7.6e-19.
  static constexpr double aroundOne[] = {
      -0.57721566490153287, 0.8224670334241132, -0.40068563438653071,
      0.27058080842778387, -0.20738555102888459, 0.16955717699761294,
      -0.14404989674414409, 0.12550966950072631, -0.11133426738296036,
      0.10009945898417442, -0.090953961478170559, 0.08335378642428555,
      -0.076933847977494307, 0.071434240859130124, -0.066646966007038497,
      0.062479819941508537, -0.059073275414740396, 0.055798122160668526,
      -0.050595705849986627, 0.048020858519722875, -0.059467630506988924,
      0.056971969494995923, 0.0049453383282442179, -0.0053997122962356958,
      -0.17396451715070047, 0.16865561268171081, 0.19472176853583203,
      -0.18947756655876552, -0.24025245552681862, 0.23319212668660541};
  Value tiny = x < 0.5;
  Formula z = select(tiny, x + 1.0, x);
  Formula product = select(tiny, 1.0 / x, x.constant(1.0));
  for (int i = 0; i < 8; ++i) {
    Value large = z > 2.5;
    Formula less = z - 1.0;
    product = select(large, product * less, product);
    z = select(large, less, z);
  }
  // Below 1/2 the sum x + 1 would lose the digits of x.
  Formula one = select(tiny, x, z - 1.0), two = z - 2.0;
  Formula y = select(z < 1.5, one * polynomial(one, aroundOne),
                     two * polynomial(two, aroundTwo));
  // 1 / x overflows for the least numbers.
  Formula logProduct = select(tiny, -x.log(), product.log());
  return y + logProduct;
}

/// Stirling's series from 10 on.
static Formula lgammaOfLarge(Formula x) {
  // B_2k / (2k (2k - 1))
  static constexpr double series[] = {
      1.0 / 12,   -1.0 / 360,       1.0 / 1260, -1.0 / 1680,
      1.0 / 1188, -691.0 / 360360,  1.0 / 156,  -3617.0 / 122400};
  Formula inverse = 1.0 / x;
  // log(2 pi) / 2 - 1/2
  Formula rest = 0.41893853320467274 +
                 inverse * polynomial(inverse * inverse, series);
  return (x - 0.5) * (x.log() - 1.0) + rest;
}

/// log|gamma(x)|, for x < 0 as log(pi / |sin(pi x)|) - log gamma(1 - x).
Formula lgammaOf(Formula x) {
  Value reflects = x < 0.0;
  Formula z = select(reflects, 1.0 - x, x);
  Value large = z > 10.0;
  Formula y = select(large, lgammaOfLarge(z),
                     lgammaOfSmall(select(large, z.constant(1.0), z)));
  Formula magnitude = x.abs();
  Formula fraction = magnitude - magnitude.floor();
  Formula reduced = select(fraction < 0.5, fraction, 1.0 - fraction);
  Formula sine = (pi * reduced).sin() * (1.0 / pi);
  Formula result = select(reflects, -sine.log() - y, y);
  result = select(both(x, x <= 0.0, isInteger(x)), infinity, result);
  return select(magnitude == infinity, infinity, result);
}

/// psi of a positive number: a fit on [1, 2] with its root taken out; above it
/// psi(x) = psi(x - 1) + 1 / (x - 1), from 10 on the asymptotic series.
static Formula digammaOfPositive(Formula x) {
  static constexpr double root = 1.4616321449683622;
  static constexpr double rootLow = 9.549995429965697e-17;
  // psi(1.5 + z) / (1.5 + z - root) for |z| <= 1/2: 5.8e-19.
  static constexpr double fit[] = {
      0.95105587603183284, -0.42362742128146047, 0.24054248424078736,
      -0.14840492305391761, 0.094988724452830006, -0.061922133271657062,
      0.040760833944626568, -0.026975796844275361, 0.017907248195969127,
      -0.011908215172584002, 0.0079270240679612369, -0.0052800178208987402,
      0.0035180800751066694, -0.0023446500823513208, 0.0015635679757533885,
      -0.001042261556504223, 0.00068997178011668409, -0.00045996251446125762,
      0.0003268068044141764, -0.00021786821455014509, 9.1733832891747918e-05,
      -6.1155426175075095e-05, 0.00012230983055406747, -8.153978973309418e-05};
  // B_2k / (2k)
  static constexpr double series[] = {
      1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
      1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  Value large = x > 10.0, below = x < 1.0;
  Formula z = select(large, x.constant(1.5), x);
  Formula shift = select(below, -1.0 / z, x.constant(0.0));
  z = select(below, z + 1.0, z);
  for (int i = 0; i < 9; ++i) {
    Value above = z > 2.0;
    Formula less = z - 1.0;
    shift = select(above, shift + 1.0 / less, shift);
    z = select(above, less, z);
  }
  Formula small =
      (z - root - rootLow) * polynomial(z - 1.5, fit) + shift;
  Formula inverse = 1.0 / x, square = inverse * inverse;
  Formula asymptotic =
      x.log() - (0.5 * inverse + square * polynomial(square, series));
  return select(large, asymptotic, small);
}

/// psi(x) = psi(1 - x) - pi / tan(pi x) for x < 0.
Formula digammaOf(Formula x) {
  Value reflects = x < 0.0;
  Formula y = digammaOfPositive(select(reflects, 1.0 - x, x));
  // The tangent of at most pi/4: near its poles it would enlarge the error of
  // the product with pi.
  Formula distance = x - (x + 0.5).floor(), size = distance.abs();
  Value flat = size < 0.25;
  Formula tangent = (pi * select(flat, size, 0.5 - size)).tan();
  Formula cotangent =
      select(flat, 1.0 / tangent, tangent).copySign(distance);
  Formula result = select(reflects, y - pi * cotangent, y);
  return select(both(x, x <= 0.0, isInteger(x)), notANumber, result);
}

/// Hurwitz: sum of (q + k)^-s for q > 0 by Euler and Maclaurin from the tenth
/// term on.
static Formula zetaOfPositive(Formula s, Formula q) {
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
  return sum;
}

/// For q < 0 and an integral s the terms that are negative are a sum of their
/// own: with g the part of -q behind the point,
/// zeta(s, 1 - g) + (-1)^s (zeta(s, g) - zeta(s, 1 - q)).
Formula zetaOf(Formula s, Formula q) {
  Value negative = q < 0.0;
  Formula g = -q - (-q).floor();
  Formula one = q.constant(1.0);
  Formula positive = zetaOfPositive(s, select(negative, 1.0 - g, q));
  Formula others = zetaOfPositive(s, select(negative, g, one)) -
                   zetaOfPositive(s, select(negative, 1.0 - q, one));
  Formula signedOthers = select(isInteger(s * 0.5), others, -others);
  Formula result = select(negative, positive + signedOthers, positive);
  result = select(both(s, q <= 0.0, isNot(s, isInteger(s))), notANumber,
                  result);
  result = select(both(s, q <= 0.0, isInteger(q)), infinity, result);
  result = select(s < 1.0, notANumber, result);
  return select(s == 1.0, infinity, result);
}

/// (-1)^(n+1) n! zeta(n + 1, x)
Formula polygammaOf(Formula n, Formula x) {
  Formula half = (n + 1.0) * 0.5;
  Formula sign = select(isInteger(half), n.constant(1.0), n.constant(-1.0));
  Formula value = sign * lgammaOf(n + 1.0).exp() * zetaOf(n + 1.0, x);
  Formula result = select(n == 0.0, digammaOf(x), value);
  Value invalid = arith::OrIOp::create(
      *n.b, n < 0.0, isNot(n, isInteger(n)));
  return select(invalid, notANumber, result);
}

} // namespace ferrule::lowering
