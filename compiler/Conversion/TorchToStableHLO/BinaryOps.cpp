// Operators on two or three tensors, element by element.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Special.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// The argument as a tensor of the element type, be it a tensor or a number.
static Value operandAs(OpLowering &x, StringRef name, Type element) {
  Value argument = getArgument(x.op, name);
  if (argument && isa<BaseTensorType>(argument.getType()))
    return x.tensor(name, element);
  return x.scalar(name, element);
}

/// How the argument counts in promotion.
static Promoted promotedArgument(OpLowering &x, StringRef name) {
  Value argument = getArgument(x.op, name);
  if (argument && isa<BaseTensorType>(argument.getType()))
    return promotedOf(x.tensor(name));
  return {x.scalarKind(name), Promoted::Number};
}

/// The type that both arguments are compared or combined in.
static Type commonType(OpLowering &x, StringRef first = "self",
                       StringRef second = "other") {
  return promote({promotedArgument(x, first), promotedArgument(x, second)});
}

/// A function of `self` and `other` in the result's element type.
template <Value (*function)(HloBuilder &, Value, Value)>
static void binaryOp(OpLowering &x) {
  Type element = x.resultElement();
  Value self = operandAs(x, "self", element);
  Value other = operandAs(x, "other", element);
  x.give(function(x.b, self, other));
}

/// The same with narrow floats computed in f32.
template <Value (*function)(HloBuilder &, Value, Value)>
static void wideBinaryOp(OpLowering &x) {
  Type element = computeType(x.resultElement());
  Value self = operandAs(x, "self", element);
  Value other = operandAs(x, "other", element);
  x.give(function(x.b, self, other));
}

static Value scaled(OpLowering &x, Value value) {
  if (x.isOne("alpha"))
    return value;
  return mul(x.b, value, x.scalar("alpha", elementOf(value)));
}

static Value sum(HloBuilder &b, Value left, Value right) {
  // Booleans add as "or".
  return elementOf(left).isInteger(1) ? bitOr(b, left, right)
                                      : add(b, left, right);
}

static Value times(HloBuilder &b, Value left, Value right) {
  return elementOf(left).isInteger(1) ? bitAnd(b, left, right)
                                      : mul(b, left, right);
}

static void addOp(OpLowering &x) {
  Type element = x.resultElement();
  Value other = scaled(x, operandAs(x, "other", element));
  x.give(sum(x.b, operandAs(x, "self", element), other));
}

static void subOp(OpLowering &x) {
  Type element = x.resultElement();
  Value other = scaled(x, operandAs(x, "other", element));
  x.give(sub(x.b, operandAs(x, "self", element), other));
}

static void rsubOp(OpLowering &x) {
  Type element = x.resultElement();
  Value self = scaled(x, operandAs(x, "self", element));
  x.give(sub(x.b, operandAs(x, "other", element), self));
}

static void divModeOp(OpLowering &x) {
  StringRef mode = x.text("rounding_mode");
  Type element = x.resultElement();
  if (!mode.empty())
    element = computeType(element);
  Value self = operandAs(x, "self", element);
  Value other = operandAs(x, "other", element);
  if (mode == "floor")
    return x.give(floorDiv(x.b, self, other));
  if (mode == "trunc")
    return x.give(truncDiv(x.b, self, other));
  x.give(div(x.b, self, other));
}

static Value cRemainder(HloBuilder &b, Value left, Value right) {
  if (isa<mlir::FloatType>(elementOf(left)))
    return remainder(b, left, right);
  // Integer division by zero must not trap.
  return sub(b, left, mul(b, truncDiv(b, left, right), right));
}

/// Powers that have an op of their own.
static Value constantPower(HloBuilder &b, Value base, double exponent) {
  if (exponent == 2)
    return square(b, base);
  if (exponent == 3)
    return mul(b, square(b, base), base);
  if (exponent == 1)
    return base;
  if (exponent == 0)
    return fullLike(b, base, 1);
  if (!isa<mlir::FloatType>(elementOf(base)))
    return Value();
  if (exponent == 0.5)
    return sqrt(b, base);
  if (exponent == -0.5)
    return rsqrt(b, base);
  if (exponent == -1)
    return reciprocal(b, base);
  return Value();
}

static void powOp(OpLowering &x) {
  Type element = computeType(x.resultElement());
  Value base = operandAs(x, "self", element);
  if (auto exponent = matchDouble(getArgument(x.op, "exponent")))
    if (Value result = constantPower(x.b, base, *exponent))
      return x.give(result);
  x.give(power(x.b, base, operandAs(x, "exponent", element)));
}

template <Direction direction> static void compareOp(OpLowering &x) {
  Type element = commonType(x);
  x.give(compare(x.b, direction, operandAs(x, "self", element),
                 operandAs(x, "other", element)));
}

/// NaN loses against a number.
template <Value (*function)(HloBuilder &, Value, Value)>
static void numberWins(OpLowering &x) {
  Type element = x.resultElement();
  Value self = x.tensor("self", element), other = x.tensor("other", element);
  Value best = function(x.b, self, other);
  if (isa<mlir::FloatType>(element)) {
    best = select(x.b, isNaN(x.b, self), other, best);
    best = select(x.b, isNaN(x.b, other), self, best);
  }
  x.give(best);
}

template <Value (*function)(HloBuilder &, Value, Value)>
static void logicalOp(OpLowering &x) {
  Type boolean = x.b.getI1Type();
  x.give(function(x.b, x.tensor("self", boolean), x.tensor("other", boolean)));
}

static void whereOp(OpLowering &x) {
  Type element = x.resultElement();
  Value condition = x.tensor("condition", x.b.getI1Type());
  x.give(select(x.b, condition, operandAs(x, "self", element),
                operandAs(x, "other", element)));
}

static void maskedFillOp(OpLowering &x) {
  Value self = x.tensor("self"), mask = x.tensor("mask", x.b.getI1Type());
  Value value = operandAs(x, "value", elementOf(self));
  x.give(select(x.b, mask, value, self));
}

template <Value (*function)(HloBuilder &, Value, Value)>
static void addcOp(OpLowering &x) {
  Type element = computeType(x.resultElement());
  Value product =
      function(x.b, x.tensor("tensor1", element), x.tensor("tensor2", element));
  if (!x.isOne("value"))
    product = mul(x.b, product, x.scalar("value", element));
  x.give(add(x.b, x.tensor("self", element), product));
}

static void lerpOp(OpLowering &x) {
  Type element = computeType(x.resultElement());
  Value self = x.tensor("self", element), end = x.tensor("end", element);
  Value weight = operandAs(x, "weight", element);
  // From the nearer end, so that weights 0 and 1 are exact.
  Value span = sub(x.b, end, self);
  Value fromStart = add(x.b, self, mul(x.b, span, weight));
  Value one = frontend::scalar(x.b, element, 1);
  Value fromEnd = sub(x.b, end, mul(x.b, span, sub(x.b, one, weight)));
  Value near = compare(x.b, Direction::LT, abs(x.b, weight), 0.5);
  x.give(select(x.b, near, fromStart, fromEnd));
}

static void clampOp(OpLowering &x) {
  Type element = x.resultElement();
  Value self = x.tensor("self", element), low, high;
  if (x.has("min"))
    low = operandAs(x, "min", element);
  if (x.has("max"))
    high = operandAs(x, "max", element);
  // PyTorch's order: when min exceeds max, max wins.
  if (low)
    self = maximum(x.b, self, low);
  x.give(high ? minimum(x.b, self, high) : self);
}

static Value hypotenuse(HloBuilder &b, Value left, Value right) {
  Value x = abs(b, left), y = abs(b, right);
  Value most = maximum(b, x, y), least = minimum(b, x, y);
  Value zero = compare(b, Direction::EQ, most, 0.0);
  Value ratio = select(b, bitOr(b, zero, isInf(b, most)), fullLike(b, most, 0),
                       div(b, least, most));
  return mul(b, most, sqrt(b, add(b, square(b, ratio), 1.0)));
}

static Value copySign(HloBuilder &b, Value magnitude, Value sign) {
  auto v = broadcastTogether(b, {magnitude, sign});
  // -0 has a sign as well: 1 / -0 is -inf.
  Value negative =
      bitOr(b, compare(b, Direction::LT, v[1], 0.0),
            bitAnd(b, compare(b, Direction::EQ, v[1], 0.0),
                   compare(b, Direction::LT, reciprocal(b, v[1]), 0.0)));
  Value size = abs(b, v[0]);
  return select(b, negative, neg(b, size), size);
}

static Value xLogY(HloBuilder &b, Value left, Value right) {
  auto v = broadcastTogether(b, {left, right});
  Value zero = bitAnd(b, compare(b, Direction::EQ, v[0], 0.0),
                      logicalNot(b, isNaN(b, v[1])));
  return select(b, zero, fullLike(b, v[0], 0), mul(b, v[0], log(b, v[1])));
}

static Value logAddExp(HloBuilder &b, Value left, Value right) {
  auto v = broadcastTogether(b, {left, right});
  Value most = maximum(b, v[0], v[1]), least = minimum(b, v[0], v[1]);
  Value result = add(b, most, log1p(b, exp(b, sub(b, least, most))));
  Value same = bitAnd(b, compare(b, Direction::EQ, v[0], v[1]), isInf(b, v[0]));
  return select(b, same, v[0], result);
}

static Value logAddExp2(HloBuilder &b, Value left, Value right) {
  constexpr double ln2 = 0.6931471805599453;
  return mul(b, logAddExp(b, mul(b, left, ln2), mul(b, right, ln2)), 1 / ln2);
}

static void heavisideOp(OpLowering &x) {
  Type element = x.resultElement();
  Value self = x.tensor("self", element), at = x.tensor("values", element);
  Value zero = fullLike(x.b, self, 0), one = fullLike(x.b, self, 1);
  Value step = select(x.b, compare(x.b, Direction::GT, self, 0.0), one, zero);
  Value nan = isNaN(x.b, self);
  step = select(x.b, nan, self, step);
  x.give(select(x.b, compare(x.b, Direction::EQ, self, 0.0), at, step));
}

static void iscloseOp(OpLowering &x) {
  Type element = promoteTensors(x.tensor("self"), x.tensor("other"));
  if (!isa<mlir::FloatType>(element))
    element = x.b.getF64Type();
  Value self = x.tensor("self", element), other = x.tensor("other", element);
  double rtol = x.number("rtol", 1e-5), atol = x.number("atol", 1e-8);
  Value gap = abs(x.b, sub(x.b, self, other));
  Value bound = add(x.b, mul(x.b, abs(x.b, other), rtol), atol);
  Value finite = logicalNot(x.b, isInf(x.b, gap));
  Value near = bitAnd(x.b, finite, compare(x.b, Direction::LE, gap, bound));
  Value close = bitOr(x.b, near, compare(x.b, Direction::EQ, self, other));
  if (x.flag("equal_nan"))
    close = bitOr(x.b, close, bitAnd(x.b, isNaN(x.b, self), isNaN(x.b, other)));
  x.give(close);
}

/// Euclid's algorithm on all elements at once.
static void gcdOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Type element = x.resultElement();
  auto v = broadcastTogether(
      b, {x.tensor("self", element), x.tensor("other", element)});
  // Fibonacci's numbers of 64 bits take the most steps.
  auto result = columnLoop(
      b, 100, {frontend::abs(b, v[0]), frontend::abs(b, v[1])},
      [](HloBuilder &b, Value, ValueRange state) {
        Value zero = compare(b, Direction::EQ, state[1], 0.0);
        Value safe = select(b, zero, fullLike(b, state[1], 1), state[1]);
        Value rest = cRemainder(b, state[0], safe);
        return SmallVector<Value>{select(b, zero, state[0], state[1]),
                                  select(b, zero, state[1], rest)};
      },
      [](HloBuilder &b, ValueRange state) {
        Value more = compare(b, Direction::NE, state[1], 0.0);
        return reduceAny(b, more, allDims(more), /*keepDims=*/false);
      });
  x.give(result[0]);
}

static Value zeta(HloBuilder &b, Value left, Value right) {
  auto v = broadcastTogether(b, {left, right});
  return special(b, "zeta", v[0], v[1]);
}

static Value nextAfter(HloBuilder &b, Value left, Value right) {
  auto v = broadcastTogether(b, {left, right});
  return special(b, "next_after", v[0], v[1]);
}

static const LoweringEntry entries[] = {
    {"aten.add.Tensor", addOp},
    {"aten.add.Scalar", addOp},
    {"aten.sub.Tensor", subOp},
    {"aten.sub.Scalar", subOp},
    {"aten.rsub.Tensor", rsubOp},
    {"aten.rsub.Scalar", rsubOp},
    {"aten.mul.Tensor", binaryOp<times>},
    {"aten.mul.Scalar", binaryOp<times>},
    {"aten.div.Tensor", divModeOp},
    {"aten.div.Scalar", divModeOp},
    {"aten.div.Tensor_mode", divModeOp},
    {"aten.div.Scalar_mode", divModeOp},
    {"aten.true_divide.Tensor", divModeOp},
    {"aten.floor_divide", wideBinaryOp<floorDiv>},
    {"aten.floor_divide.Scalar", wideBinaryOp<floorDiv>},
    {"aten.remainder.Tensor", wideBinaryOp<floorMod>},
    {"aten.remainder.Scalar", wideBinaryOp<floorMod>},
    {"aten.remainder.Scalar_Tensor", wideBinaryOp<floorMod>},
    {"aten.fmod.Tensor", wideBinaryOp<cRemainder>},
    {"aten.fmod.Scalar", wideBinaryOp<cRemainder>},
    {"aten.pow.Tensor_Tensor", powOp},
    {"aten.pow.Tensor_Scalar", powOp},
    {"aten.pow.Scalar", powOp},
    {"aten.maximum", binaryOp<maximum>},
    {"aten.minimum", binaryOp<minimum>},
    {"aten.max.other", binaryOp<maximum>},
    {"aten.min.other", binaryOp<minimum>},
    {"aten.fmax", numberWins<maximum>},
    {"aten.fmin", numberWins<minimum>},
    {"aten.atan2", wideBinaryOp<atan2>},
    {"aten.hypot", wideBinaryOp<hypotenuse>},
    {"aten.copysign.Tensor", binaryOp<copySign>},
    {"aten.copysign.Scalar", binaryOp<copySign>},
    {"aten.xlogy.Tensor", wideBinaryOp<xLogY>},
    {"aten.xlogy.Scalar_Other", wideBinaryOp<xLogY>},
    {"aten.xlogy.Scalar_Self", wideBinaryOp<xLogY>},
    {"aten.logaddexp", wideBinaryOp<logAddExp>},
    {"aten.logaddexp2", wideBinaryOp<logAddExp2>},
    {"aten.bitwise_and.Tensor", binaryOp<bitAnd>},
    {"aten.bitwise_and.Scalar", binaryOp<bitAnd>},
    {"aten.bitwise_and.Scalar_Tensor", binaryOp<bitAnd>},
    {"aten.bitwise_or.Tensor", binaryOp<bitOr>},
    {"aten.bitwise_or.Scalar", binaryOp<bitOr>},
    {"aten.bitwise_or.Scalar_Tensor", binaryOp<bitOr>},
    {"aten.bitwise_xor.Tensor", binaryOp<bitXor>},
    {"aten.bitwise_xor.Scalar", binaryOp<bitXor>},
    {"aten.bitwise_xor.Scalar_Tensor", binaryOp<bitXor>},
    {"aten.__and__.Tensor", binaryOp<bitAnd>},
    {"aten.__and__.Scalar", binaryOp<bitAnd>},
    {"aten.__or__.Tensor", binaryOp<bitOr>},
    {"aten.__or__.Scalar", binaryOp<bitOr>},
    {"aten.__xor__.Tensor", binaryOp<bitXor>},
    {"aten.__xor__.Scalar", binaryOp<bitXor>},
    {"aten.bitwise_left_shift.Tensor", binaryOp<shiftLeft>},
    {"aten.bitwise_left_shift.Tensor_Scalar", binaryOp<shiftLeft>},
    {"aten.bitwise_left_shift.Scalar_Tensor", binaryOp<shiftLeft>},
    {"aten.bitwise_right_shift.Tensor", binaryOp<shiftRight>},
    {"aten.bitwise_right_shift.Tensor_Scalar", binaryOp<shiftRight>},
    {"aten.bitwise_right_shift.Scalar_Tensor", binaryOp<shiftRight>},
    {"aten.__lshift__.Scalar", binaryOp<shiftLeft>},
    {"aten.__lshift__.Tensor", binaryOp<shiftLeft>},
    {"aten.__rshift__.Scalar", binaryOp<shiftRight>},
    {"aten.__rshift__.Tensor", binaryOp<shiftRight>},
    {"aten.logical_and", logicalOp<bitAnd>},
    {"aten.logical_or", logicalOp<bitOr>},
    {"aten.logical_xor", logicalOp<bitXor>},
    {"aten.eq.Tensor", compareOp<Direction::EQ>},
    {"aten.eq.Scalar", compareOp<Direction::EQ>},
    {"aten.ne.Tensor", compareOp<Direction::NE>},
    {"aten.ne.Scalar", compareOp<Direction::NE>},
    {"aten.lt.Tensor", compareOp<Direction::LT>},
    {"aten.lt.Scalar", compareOp<Direction::LT>},
    {"aten.le.Tensor", compareOp<Direction::LE>},
    {"aten.le.Scalar", compareOp<Direction::LE>},
    {"aten.gt.Tensor", compareOp<Direction::GT>},
    {"aten.gt.Scalar", compareOp<Direction::GT>},
    {"aten.ge.Tensor", compareOp<Direction::GE>},
    {"aten.ge.Scalar", compareOp<Direction::GE>},
    {"aten.where.self", whereOp},
    {"aten.where.ScalarOther", whereOp},
    {"aten.where.ScalarSelf", whereOp},
    {"aten.where.Scalar", whereOp},
    {"aten.masked_fill.Scalar", maskedFillOp},
    {"aten.masked_fill.Tensor", maskedFillOp},
    {"aten.addcmul", addcOp<mul>},
    {"aten.addcdiv", addcOp<div>},
    {"aten.lerp.Scalar", lerpOp},
    {"aten.lerp.Tensor", lerpOp},
    {"aten.clamp", clampOp},
    {"aten.clamp.Tensor", clampOp},
    {"aten.clip", clampOp},
    {"aten.clip.Tensor", clampOp},
    {"aten.clamp_min", clampOp},
    {"aten.clamp_min.Tensor", clampOp},
    {"aten.clamp_max", clampOp},
    {"aten.clamp_max.Tensor", clampOp},
    {"aten.heaviside", heavisideOp},
    {"aten.isclose", iscloseOp},
    {"aten.gcd", gcdOp},
    {"aten.nextafter", binaryOp<nextAfter>},
    {"aten.special_zeta", wideBinaryOp<zeta>},
    {"aten.special_zeta.other_scalar", wideBinaryOp<zeta>},
    {"aten.special_zeta.self_scalar", wideBinaryOp<zeta>},
};

void torch::addBinaryLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
