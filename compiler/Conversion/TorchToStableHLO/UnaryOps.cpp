// Operators on one tensor, element by element.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Special.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

using Function = Value (*)(HloBuilder &, Value);

/// In the result's element type.
template <Function function> static void unaryOp(OpLowering &x) {
  x.give(function(x.b, x.tensor("self", x.resultElement())));
}

/// In the result's element type, narrow floats in f32: PyTorch rounds once.
template <Function function> static void mathOp(OpLowering &x) {
  Value self = x.tensor("self", computeType(x.resultElement()));
  x.give(function(x.b, self));
}

/// On floats only; integers are their own result.
template <Function function> static void roundingOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (!isa<mlir::FloatType>(elementOf(self)))
    return x.give(self);
  x.give(function(x.b, self));
}

template <Function function> static void testOp(OpLowering &x) {
  x.give(function(x.b, x.tensor("self")));
}

#define FERRULE_SPECIAL(name, op)                                              \
  static Value name(HloBuilder &b, Value x) { return special(b, op, x); }
FERRULE_SPECIAL(asin, "asin")
FERRULE_SPECIAL(acos, "acos")
FERRULE_SPECIAL(atan, "atan")
FERRULE_SPECIAL(sinh, "sinh")
FERRULE_SPECIAL(cosh, "cosh")
FERRULE_SPECIAL(asinh, "asinh")
FERRULE_SPECIAL(acosh, "acosh")
FERRULE_SPECIAL(atanh, "atanh")
FERRULE_SPECIAL(erfc, "erfc")
FERRULE_SPECIAL(erfInv, "erf_inv")
FERRULE_SPECIAL(lgamma, "lgamma")
#undef FERRULE_SPECIAL

/// PyTorch gives the limit from the zero's own side, the op NaN.
static Value digamma(HloBuilder &b, Value x) {
  Value zero = compare(b, Direction::EQ, x, 0.0);
  return select(b, zero, div(b, fullLike(b, x, -1), x),
                special(b, "digamma", x));
}
static Value tan(HloBuilder &b, Value x) {
  return unary<stablehlo::TanOp>(b, x);
}
static Value exp2(HloBuilder &b, Value x) {
  return power(b, fullLike(b, x, 2), x);
}
static Value log2(HloBuilder &b, Value x) {
  return mul(b, log(b, x), 1.4426950408889634);
}
static Value log10(HloBuilder &b, Value x) {
  return mul(b, log(b, x), 0.43429448190325182);
}
static Value absolute(HloBuilder &b, Value x) { return frontend::abs(b, x); }
static Value fraction(HloBuilder &b, Value x) {
  return sub(b, x, frontend::trunc(b, x));
}
static Value sign(HloBuilder &b, Value x) {
  Type element = elementOf(x);
  if (element.isInteger(1))
    return x;
  if (element.isUnsignedInteger())
    return minimum(b, x, 1.0);
  Value result = unary<stablehlo::SignOp>(b, x);
  // PyTorch gives 0 for NaN, the op NaN.
  if (isa<mlir::FloatType>(element))
    result = select(b, isNaN(b, x), fullLike(b, x, 0), result);
  return result;
}
static Value degreesToRadians(HloBuilder &b, Value x) {
  return mul(b, x, 0.017453292519943295);
}
static Value radiansToDegrees(HloBuilder &b, Value x) {
  return mul(b, x, 57.295779513082323);
}
static Value sinc(HloBuilder &b, Value x) {
  Value scaled = mul(b, x, 3.14159265358979323846);
  Value zero = compare(b, Direction::EQ, x, 0.0);
  return select(b, zero, fullLike(b, x, 1), div(b, sin(b, scaled), scaled));
}
static Value same(HloBuilder &, Value x) { return x; }

static Value isFinite(HloBuilder &b, Value x) {
  if (!isa<mlir::FloatType>(elementOf(x)))
    return full(b, sizesOf(b, x), b.getI1Type(), 1);
  return stablehlo::IsFiniteOp::create(
      b, RankedTensorType::get(typeOf(x).getShape(), b.getI1Type()), x);
}
static Value isPositiveInf(HloBuilder &b, Value x) {
  if (!isa<mlir::FloatType>(elementOf(x)))
    return full(b, sizesOf(b, x), b.getI1Type(), 0);
  return compare(b, Direction::EQ, x, INFINITY);
}
static Value isNegativeInf(HloBuilder &b, Value x) {
  if (!isa<mlir::FloatType>(elementOf(x)))
    return full(b, sizesOf(b, x), b.getI1Type(), 0);
  return compare(b, Direction::EQ, x, -INFINITY);
}
static Value signBit(HloBuilder &b, Value x) {
  if (!isa<mlir::FloatType>(elementOf(x)))
    return compare(b, Direction::LT, x, 0.0);
  // The sign of -0 shows in its reciprocal.
  Value zero = compare(b, Direction::EQ, x, 0.0);
  Value shown = select(b, zero, reciprocal(b, x), x);
  return compare(b, Direction::LT, shown, 0.0);
}

static void logicalNotOp(OpLowering &x) {
  x.give(logicalNot(x.b, x.tensor("self", x.b.getI1Type())));
}

static void roundDecimalsOp(OpLowering &x) {
  Value self = x.tensor("self", computeType(x.resultElement()));
  int64_t decimals = x.integer("decimals");
  if (decimals == 0)
    return x.give(roundEven(x.b, self));
  double factor = std::pow(10.0, double(std::abs(decimals)));
  Value scaled = decimals > 0 ? mul(x.b, self, factor) : div(x.b, self, factor);
  Value rounded = roundEven(x.b, scaled);
  x.give(decimals > 0 ? div(x.b, rounded, factor) : mul(x.b, rounded, factor));
}

static void nanToNumOp(OpLowering &x) {
  Value self = x.tensor("self");
  Type element = elementOf(self);
  if (!isa<mlir::FloatType>(element))
    return x.give(self);
  auto number = [&](StringRef name, Value missing) {
    return x.has(name) ? x.scalar(name, element) : missing;
  };
  Value most = largestFiniteScalar(x.b, element);
  Value nan = number("nan", frontend::scalar(x.b, element, 0));
  Value positive = number("posinf", most);
  Value negative = number("neginf", neg(x.b, most));
  Value result = select(x.b, isNaN(x.b, self), nan, self);
  result = select(x.b, isPositiveInf(x.b, self), positive, result);
  x.give(select(x.b, isNegativeInf(x.b, self), negative, result));
}

static void logitOp(OpLowering &x) {
  Value self = x.tensor("self", computeType(x.resultElement()));
  if (x.has("eps")) {
    double eps = x.number("eps");
    self = frontend::clamp(x.b, self, eps, 1 - eps);
  }
  Value rest = sub(x.b, fullLike(x.b, self, 1), self);
  x.give(log(x.b, div(x.b, self, rest)));
}

static void polygammaOp(OpLowering &x) {
  Value self = x.tensor("self", computeType(x.resultElement()));
  Value order = fullLike(x.b, self, double(x.integer("n")));
  x.give(special(x.b, "polygamma", order, self));
}

static const LoweringEntry entries[] = {
    {"aten.abs", testOp<absolute>},
    {"aten.neg", unaryOp<neg>},
    {"aten.positive", unaryOp<same>},
    {"aten.sign", unaryOp<sign>},
    {"aten.sgn", unaryOp<sign>},
    {"aten.reciprocal", mathOp<reciprocal>},
    {"aten.square", unaryOp<square>},
    {"aten.exp", mathOp<exp>},
    {"aten.exp2", mathOp<exp2>},
    {"aten.special_exp2", mathOp<exp2>},
    {"aten.expm1", mathOp<expm1>},
    {"aten.special_expm1", mathOp<expm1>},
    {"aten.log", mathOp<log>},
    {"aten.log2", mathOp<log2>},
    {"aten.log10", mathOp<log10>},
    {"aten.log1p", mathOp<log1p>},
    {"aten.sqrt", mathOp<sqrt>},
    {"aten.rsqrt", mathOp<rsqrt>},
    {"aten.sin", mathOp<sin>},
    {"aten.cos", mathOp<cos>},
    {"aten.tan", mathOp<tan>},
    {"aten.asin", mathOp<asin>},
    {"aten.acos", mathOp<acos>},
    {"aten.atan", mathOp<atan>},
    {"aten.sinh", mathOp<sinh>},
    {"aten.cosh", mathOp<cosh>},
    {"aten.tanh", mathOp<tanh>},
    {"aten.asinh", mathOp<asinh>},
    {"aten.acosh", mathOp<acosh>},
    {"aten.atanh", mathOp<atanh>},
    {"aten.erf", mathOp<erf>},
    {"aten.special_erf", mathOp<erf>},
    {"aten.erfc", mathOp<erfc>},
    {"aten.special_erfc", mathOp<erfc>},
    {"aten.erfinv", mathOp<erfInv>},
    {"aten.special_erfinv", mathOp<erfInv>},
    {"aten.lgamma", mathOp<lgamma>},
    {"aten.digamma", mathOp<digamma>},
    {"aten.polygamma", polygammaOp},
    {"aten.sinc", mathOp<sinc>},
    {"aten.deg2rad", mathOp<degreesToRadians>},
    {"aten.rad2deg", mathOp<radiansToDegrees>},
    {"aten.floor", roundingOp<frontend::floor>},
    {"aten.ceil", roundingOp<frontend::ceil>},
    {"aten.round", roundingOp<roundEven>},
    {"aten.round.decimals", roundDecimalsOp},
    {"aten.trunc", roundingOp<frontend::trunc>},
    {"aten.fix", roundingOp<frontend::trunc>},
    {"aten.frac", mathOp<fraction>},
    {"aten.isnan", testOp<isNaN>},
    {"aten.isinf", testOp<isInf>},
    {"aten.isfinite", testOp<isFinite>},
    {"aten.isposinf", testOp<isPositiveInf>},
    {"aten.isneginf", testOp<isNegativeInf>},
    {"aten.signbit", testOp<signBit>},
    {"aten.bitwise_not", testOp<logicalNot>},
    {"aten.logical_not", logicalNotOp},
    {"aten.nan_to_num", nanToNumOp},
    {"aten.logit", logitOp},
    {"aten.special_logit", logitOp},
};

void torch::addUnaryLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
