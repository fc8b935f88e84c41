#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Special.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::relu(HloBuilder &b, Value x) { return maximum(b, x, 0.0); }

Value frontend::leakyRelu(HloBuilder &b, Value x, double slope) {
  Value positive = compare(b, Direction::GE, x, 0.0);
  return select(b, positive, x, mul(b, x, slope));
}

Value frontend::prelu(HloBuilder &b, Value x, Value slope) {
  Value positive = compare(b, Direction::GE, x, 0.0);
  return select(b, positive, x, mul(b, x, slope));
}

Value frontend::erf(HloBuilder &b, Value x) { return special(b, "erf", x); }

Value frontend::gelu(HloBuilder &b, Value x, bool tanhApproximation) {
  Type element = elementOf(x);
  x = convert(b, x, computeType(element));
  Value cdf;
  if (tanhApproximation) {
    // sqrt(2 / pi) * (x + 0.044715 x^3)
    Value cube = mul(b, square(b, x), x);
    Value inner = mul(b, add(b, x, mul(b, cube, 0.044715)), 0.7978845608028654);
    cdf = mul(b, add(b, tanh(b, inner), 1.0), 0.5);
  } else {
    Value scaled = mul(b, x, 0.70710678118654752);
    cdf = mul(b, add(b, erf(b, scaled), 1.0), 0.5);
  }
  return convert(b, mul(b, x, cdf), element);
}

Value frontend::silu(HloBuilder &b, Value x, double beta) {
  return mul(b, x, sigmoid(b, beta == 1 ? x : mul(b, x, beta)));
}

Value frontend::hardSigmoid(HloBuilder &b, Value x, double slope,
                            double offset) {
  return clamp(b, add(b, mul(b, x, slope), offset), 0, 1);
}

Value frontend::hardSwish(HloBuilder &b, Value x) {
  return mul(b, mul(b, x, clamp(b, add(b, x, 3.0), 0, 6)), 1.0 / 6);
}

Value frontend::elu(HloBuilder &b, Value x, double alpha, double scale,
                    double inputScale) {
  Value positive = compare(b, Direction::GT, x, 0.0);
  // Only the negative half goes through the exponential: no overflow.
  Value low = minimum(b, x, 0.0);
  if (inputScale != 1)
    low = mul(b, low, inputScale);
  low = mul(b, expm1(b, low), alpha * scale);
  return select(b, positive, scale == 1 ? x : mul(b, x, scale), low);
}

Value frontend::celu(HloBuilder &b, Value x, double alpha) {
  return elu(b, x, alpha, 1, 1 / alpha);
}

Value frontend::selu(HloBuilder &b, Value x) {
  return elu(b, x, 1.6732632423543772, 1.0507009873554805);
}

Value frontend::softplus(HloBuilder &b, Value x, double beta,
                         double threshold) {
  Value scaled = beta == 1 ? x : mul(b, x, beta);
  // log(1 + e^x) = max(x, 0) + log1p(e^-|x|), which cannot overflow.
  Value small = log1p(b, exp(b, neg(b, abs(b, scaled))));
  Value result = add(b, maximum(b, scaled, 0.0), small);
  if (beta != 1)
    result = div(b, result, beta);
  return select(b, compare(b, Direction::GT, scaled, threshold), x, result);
}

Value frontend::logSigmoid(HloBuilder &b, Value x) {
  Value small = log1p(b, exp(b, neg(b, abs(b, x))));
  return sub(b, minimum(b, x, 0.0), small);
}

Value frontend::softsign(HloBuilder &b, Value x) {
  return div(b, x, add(b, abs(b, x), 1.0));
}

Value frontend::mish(HloBuilder &b, Value x) {
  return mul(b, x, tanh(b, softplus(b, x)));
}

Value frontend::softShrink(HloBuilder &b, Value x, double lambda, double bias) {
  Value zero = fullLike(b, x, 0);
  Value above = compare(b, Direction::GT, x, lambda);
  Value below = compare(b, Direction::LT, x, -lambda);
  return select(b, above, sub(b, x, bias),
                select(b, below, add(b, x, bias), zero));
}

Value frontend::hardShrink(HloBuilder &b, Value x, double lambda) {
  // NaN stays: it is not inside the interval.
  Value inside = bitAnd(b, compare(b, Direction::GE, x, -lambda),
                        compare(b, Direction::LE, x, lambda));
  return select(b, inside, fullLike(b, x, 0), x);
}

Value frontend::thresholded(HloBuilder &b, Value x, double threshold,
                            double otherwise) {
  Value below = compare(b, Direction::LE, x, threshold);
  return select(b, below, fullLike(b, x, otherwise), x);
}
