#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

static Value convertOp(HloBuilder &b, Value value, Type element) {
  return stablehlo::ConvertOp::create(
      b, RankedTensorType::get(typeOf(value).getShape(), element), value);
}

Value frontend::convert(HloBuilder &b, Value value, Type element) {
  Type from = elementOf(value);
  if (from == element)
    return value;
  if (element.isInteger(1)) {
    if (isa<ComplexType>(from))
      return compare(b, Direction::NE, value, fullLike(b, value, 0));
    return compare(b, Direction::NE, value, 0.0);
  }
  if (isa<ComplexType>(from) && !isa<ComplexType>(element)) {
    Type part = cast<ComplexType>(from).getElementType();
    Value real = stablehlo::RealOp::create(
        b, RankedTensorType::get(typeOf(value).getShape(), part), value);
    return convert(b, real, element);
  }
  return convertOp(b, value, element);
}

Value frontend::abs(HloBuilder &b, Value x) {
  Type element = elementOf(x);
  if (element.isUnsignedInteger() || element.isInteger(1))
    return x;
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return stablehlo::AbsOp::create(
      b, RankedTensorType::get(typeOf(x).getShape(), element), x);
}

Value frontend::compare(HloBuilder &b, Direction direction, Value x, Value y) {
  auto v = broadcastTogether(b, {x, y});
  Type element = elementOf(x);
  auto type = stablehlo::ComparisonType::SIGNED;
  if (isa<FloatType, ComplexType>(element))
    type = stablehlo::ComparisonType::FLOAT;
  else if (element.isUnsignedInteger() || element.isInteger(1))
    type = stablehlo::ComparisonType::UNSIGNED;
  return stablehlo::CompareOp::create(
      b, mergedType(v, b.getI1Type()), v[0], v[1], direction,
      stablehlo::ComparisonTypeAttr::get(b.getContext(), type));
}

Value frontend::compare(HloBuilder &b, Direction direction, Value x, double y) {
  return compare(b, direction, x, fullLike(b, x, y));
}

Value frontend::select(HloBuilder &b, Value condition, Value x, Value y) {
  // A scalar condition needs no broadcast.
  if (rankOf(condition) == 0) {
    auto v = broadcastTogether(b, {x, y});
    return stablehlo::SelectOp::create(b, mergedType(v, elementOf(x)),
                                       condition, v[0], v[1]);
  }
  auto v = broadcastTogether(b, {condition, x, y});
  return stablehlo::SelectOp::create(b, mergedType(v, elementOf(x)), v[0], v[1],
                                     v[2]);
}

Value frontend::isNaN(HloBuilder &b, Value x) {
  if (!isa<FloatType, ComplexType>(elementOf(x)))
    return full(b, sizesOf(b, x), b.getI1Type(), 0);
  return compare(b, Direction::NE, x, x);
}

Value frontend::isInf(HloBuilder &b, Value x) {
  if (!isa<FloatType>(elementOf(x)))
    return full(b, sizesOf(b, x), b.getI1Type(), 0);
  Value infinity = highestScalar(b, elementOf(x));
  return compare(b, Direction::EQ, abs(b, x), infinity);
}

Value frontend::clamp(HloBuilder &b, Value x, Value low, Value high) {
  if (low && high && rankOf(low) == 0 && rankOf(high) == 0)
    return stablehlo::ClampOp::create(b, x.getType(), low, x, high);
  if (low)
    x = maximum(b, x, low);
  return high ? minimum(b, x, high) : x;
}

Value frontend::clamp(HloBuilder &b, Value x, double low, double high) {
  Type element = elementOf(x);
  return clamp(b, x, scalar(b, element, low), scalar(b, element, high));
}

/// A divisor with zeros replaced, because integer division by zero may trap.
static Value safeDivisor(HloBuilder &b, Value y) {
  if (auto number = constantNumber(y); number && *number != 0)
    return y;
  Value zero = compare(b, Direction::EQ, y, 0.0);
  return select(b, zero, fullLike(b, y, 1), y);
}

Value frontend::trunc(HloBuilder &b, Value x) {
  if (!isa<FloatType>(elementOf(x)))
    return x;
  // floor of the magnitude, with the sign (and the signed zero) of x.
  Value negative = compare(b, Direction::LT, x, 0.0);
  return select(b, negative, ceil(b, x), floor(b, x));
}

Value frontend::truncDiv(HloBuilder &b, Value x, Value y) {
  if (isa<FloatType>(elementOf(x)))
    return trunc(b, div(b, x, y));
  return div(b, x, safeDivisor(b, y));
}

Value frontend::floorMod(HloBuilder &b, Value x, Value y) {
  bool isFloat = isa<FloatType>(elementOf(x));
  if (!isFloat)
    y = safeDivisor(b, y);
  Value rest = remainder(b, x, y);
  if (elementOf(x).isUnsignedInteger())
    return rest;
  // The remainder has the dividend's sign; move it to the divisor's.
  Value wrong =
      bitAnd(b, compare(b, Direction::NE, rest, 0.0),
             compare(b, Direction::NE, compare(b, Direction::LT, rest, 0.0),
                     compare(b, Direction::LT, y, 0.0)));
  return select(b, wrong, add(b, rest, y), rest);
}

Value frontend::floorDiv(HloBuilder &b, Value x, Value y) {
  if (elementOf(x).isUnsignedInteger())
    return div(b, x, safeDivisor(b, y));
  if (isa<FloatType>(elementOf(x))) {
    // (x - mod) / y is near an integer; rounding it avoids that floor of an
    // inexact quotient is one too high. Division by zero keeps inf and NaN.
    Value quotient = roundEven(b, div(b, sub(b, x, floorMod(b, x, y)), y));
    Value plain = div(b, x, y);
    Value finite = stablehlo::IsFiniteOp::create(
        b, RankedTensorType::get(typeOf(plain).getShape(), b.getI1Type()),
        plain);
    return select(b, finite, quotient, plain);
  }
  y = safeDivisor(b, y);
  Value quotient = div(b, x, y);
  Value rest = sub(b, x, mul(b, quotient, y));
  Value below =
      bitAnd(b, compare(b, Direction::NE, rest, 0.0),
             compare(b, Direction::NE, compare(b, Direction::LT, rest, 0.0),
                     compare(b, Direction::LT, y, 0.0)));
  return select(b, below, sub(b, quotient, fullLike(b, quotient, 1)), quotient);
}

Value frontend::square(HloBuilder &b, Value x) { return mul(b, x, x); }

Value frontend::reciprocal(HloBuilder &b, Value x) {
  return div(b, fullLike(b, x, 1), x);
}

Value frontend::shiftRight(HloBuilder &b, Value x, Value y) {
  if (elementOf(x).isUnsignedInteger())
    return binary<stablehlo::ShiftRightLogicalOp>(b, x, y);
  return binary<stablehlo::ShiftRightArithmeticOp>(b, x, y);
}

Type frontend::computeType(Type element) {
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(element.getContext());
  return element;
}
