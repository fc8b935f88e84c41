// convert, compare and reduce_precision of scalars.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

/// Floats to integers saturate; NaN becomes 0.
static Value floatToInteger(OpBuilder &b, Location loc, Value value,
                            IntegerType to) {
  auto floatType = cast<FloatType>(value.getType());
  unsigned width = to.getWidth();
  bool isUnsigned = to.isUnsigned();
  Type target = getStoredElement(to);
  unsigned storedWidth = target.getIntOrFloatBitWidth();
  // The first float above the range; it may round to infinity.
  double bound = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Value upper = getConstant(b, loc, floatType, bound);
  Value lower = getConstant(b, loc, floatType, isUnsigned ? 0.0 : -bound);
  APInt most = isUnsigned ? APInt::getMaxValue(width)
                          : APInt::getSignedMaxValue(width);
  APInt least = isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width);
  most = storedBits(to, most);
  least = storedBits(to, least);
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  };
  Value raw = isUnsigned
                  ? Value(arith::FPToUIOp::create(b, loc, target, value))
                  : Value(arith::FPToSIOp::create(b, loc, target, value));
  Value result = arith::SelectOp::create(
      b, loc, compare(arith::CmpFPredicate::OGE, value, upper),
      intConstant(b, loc, target, most), raw);
  result = arith::SelectOp::create(
      b, loc, compare(arith::CmpFPredicate::OLE, value, lower),
      intConstant(b, loc, target, least), result);
  return arith::SelectOp::create(
      b, loc, compare(arith::CmpFPredicate::UNO, value, value),
      intConstant(b, loc, target, APInt(storedWidth, 0)), result);
}

static Value floatToFloat(OpBuilder &b, Location loc, Value value,
                          FloatType to) {
  auto from = cast<FloatType>(value.getType());
  if (from == to)
    return value;
  if (isSmallFloat(to))
    return encodeSmallFloat(
        b, loc,
        from.getWidth() > 32 ? truncateToOdd(b, loc, value)
                             : floatToFloat(b, loc, value, b.getF32Type()),
        to);
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, loc, to, value);
  // Formats narrower than f32 are reached through it: conversions from f64
  // to them, or between two of them, have no instruction anywhere.
  Type f32 = b.getF32Type();
  if (to.getWidth() < 32 && from.getWidth() < 32)
    value = arith::ExtFOp::create(b, loc, f32, value);
  else if (to.getWidth() < 32 && from.getWidth() > 32)
    value = truncateToOdd(b, loc, value);
  return arith::TruncFOp::create(b, loc, to, value);
}

static Value integerToInteger(OpBuilder &b, Location loc, Value value,
                              IntegerType from, IntegerType to) {
  if (from == to)
    return value;
  if (isNarrowInteger(from))
    from = IntegerType::get(b.getContext(), 8, from.getSignedness());
  if (isNarrowInteger(to)) {
    auto byte = IntegerType::get(b.getContext(), 8, to.getSignedness());
    value = integerToInteger(b, loc, value, from, byte);
    return toStored(b, loc, toOwnWidth(b, loc, value, to), to);
  }
  Type target = getStoredElement(to);
  if (from.getWidth() == to.getWidth())
    return value;
  if (to.getWidth() == 1) {
    Value zero = getConstant(b, loc, value.getType(), 0);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
  }
  if (from.getWidth() > to.getWidth())
    return arith::TruncIOp::create(b, loc, target, value);
  if (from.isUnsigned() || from.getWidth() == 1)
    return arith::ExtUIOp::create(b, loc, target, value);
  return arith::ExtSIOp::create(b, loc, target, value);
}

/// Integers to narrow floats go through a float that holds them better.
static Value integerToFloat(OpBuilder &b, Location loc, Value value,
                            IntegerType from, FloatType to) {
  FloatType wide = to.getWidth() < 32 ? b.getF32Type() : to;
  if (to.getWidth() < 32 && from.getWidth() > 24)
    wide = b.getF64Type();
  Value result =
      from.isUnsigned() || from.getWidth() == 1
          ? Value(arith::UIToFPOp::create(b, loc, wide, value))
          : Value(arith::SIToFPOp::create(b, loc, wide, value));
  return floatToFloat(b, loc, result, to);
}

static Value toComplex(OpBuilder &b, Location loc, Value value, Type from,
                       ComplexType to) {
  Type part = to.getElementType();
  if (auto complexType = dyn_cast<ComplexType>(from)) {
    Type fromPart = complexType.getElementType();
    Value re = complex::ReOp::create(b, loc, value);
    Value im = complex::ImOp::create(b, loc, value);
    return complex::CreateOp::create(b, loc, to,
                                     emitConvert(b, loc, re, fromPart, part),
                                     emitConvert(b, loc, im, fromPart, part));
  }
  return complex::CreateOp::create(b, loc, to,
                                   emitConvert(b, loc, value, from, part),
                                   getConstant(b, loc, part, 0.0));
}

Value emitConvert(OpBuilder &b, Location loc, Value value, Type from,
                  Type to) {
  if (from == to)
    return value;
  if (auto complexType = dyn_cast<ComplexType>(to))
    return toComplex(b, loc, value, from, complexType);
  if (auto complexType = dyn_cast<ComplexType>(from)) {
    Type part = complexType.getElementType();
    Value re = complex::ReOp::create(b, loc, value);
    if (!to.isInteger(1))
      return emitConvert(b, loc, re, part, to);
    Value im = complex::ImOp::create(b, loc, value);
    return arith::OrIOp::create(b, loc, emitConvert(b, loc, re, part, to),
                                emitConvert(b, loc, im, part, to));
  }
  auto toFloat = dyn_cast<FloatType>(to);
  auto toInt = dyn_cast<IntegerType>(to);
  if (isSmallFloat(from)) {
    value = decodeSmallFloat(b, loc, value, cast<FloatType>(from));
    return emitConvert(b, loc, value, b.getF32Type(), to);
  }
  if (auto fromFloat = dyn_cast<FloatType>(from)) {
    if (toFloat)
      return floatToFloat(b, loc, value, toFloat);
    if (!toInt)
      return {};
    if (toInt.getWidth() == 1) {
      Value zero = getConstant(b, loc, from, 0.0);
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, value,
                                   zero);
    }
    if (fromFloat.getWidth() < 32)
      value = floatToFloat(b, loc, value, b.getF32Type());
    return floatToInteger(b, loc, value, toInt);
  }
  auto fromInt = dyn_cast<IntegerType>(from);
  if (fromInt && toFloat)
    return integerToFloat(b, loc, value, fromInt, toFloat);
  if (fromInt && toInt)
    return integerToInteger(b, loc, value, fromInt, toInt);
  return {};
}

Value emitTotalOrderKey(OpBuilder &b, Location loc, Value value) {
  unsigned width = cast<FloatType>(value.getType()).getWidth();
  Type bits = b.getIntegerType(width);
  Value raw = arith::BitcastOp::create(b, loc, bits, value);
  Value sign = arith::ShRSIOp::create(b, loc, raw,
                                      getConstant(b, loc, bits, width - 1));
  // Negative numbers have all bits but the sign flipped.
  Value mask =
      arith::ShRUIOp::create(b, loc, sign, getConstant(b, loc, bits, 1));
  return arith::XOrIOp::create(b, loc, raw, mask);
}

static Value compareIntegers(ScalarContext &c,
                             stablehlo::ComparisonDirection direction,
                             bool isUnsigned, Value x, Value y) {
  using Direction = stablehlo::ComparisonDirection;
  using P = arith::CmpIPredicate;
  auto pick = [&]() -> P {
    switch (direction) {
    case Direction::EQ: return P::eq;
    case Direction::NE: return P::ne;
    case Direction::GE: return isUnsigned ? P::uge : P::sge;
    case Direction::GT: return isUnsigned ? P::ugt : P::sgt;
    case Direction::LE: return isUnsigned ? P::ule : P::sle;
    case Direction::LT: return isUnsigned ? P::ult : P::slt;
    }
    llvm_unreachable("unknown comparison direction");
  };
  return arith::CmpIOp::create(c.b, c.loc, pick(), x, y);
}

static Value compareFloats(ScalarContext &c,
                           stablehlo::ComparisonDirection direction) {
  using Direction = stablehlo::ComparisonDirection;
  using P = arith::CmpFPredicate;
  auto pick = [&]() -> P {
    switch (direction) {
    case Direction::EQ: return P::OEQ;
    case Direction::NE: return P::UNE;
    case Direction::GE: return P::OGE;
    case Direction::GT: return P::OGT;
    case Direction::LE: return P::OLE;
    case Direction::LT: return P::OLT;
    }
    llvm_unreachable("unknown comparison direction");
  };
  // Narrow formats are compared in f32, which holds all of them exactly.
  Value x = c.in[0], y = c.in[1];
  if (cast<FloatType>(c.operandType).getWidth() < 32) {
    x = emitConvert(c.b, c.loc, x, c.operandType, c.b.getF32Type());
    y = emitConvert(c.b, c.loc, y, c.operandType, c.b.getF32Type());
  }
  return arith::CmpFOp::create(c.b, c.loc, pick(), x, y);
}

Value emitCompare(ScalarContext &c) {
  auto op = cast<stablehlo::CompareOp>(c.op);
  auto direction = op.getComparisonDirection();
  auto type = op.getCompareType().value_or(stablehlo::ComparisonType::NOTYPE);
  if (isa<ComplexType>(c.operandType)) {
    if (direction == stablehlo::ComparisonDirection::EQ)
      return complex::EqualOp::create(c.b, c.loc, c.in[0], c.in[1]);
    if (direction == stablehlo::ComparisonDirection::NE)
      return complex::NotEqualOp::create(c.b, c.loc, c.in[0], c.in[1]);
    return {};
  }
  if (isa<FloatType>(c.operandType)) {
    if (type != stablehlo::ComparisonType::TOTALORDER)
      return compareFloats(c, direction);
    auto key = [&](Value value) {
      if (isSmallFloat(c.operandType))
        value = decodeSmallFloat(c.b, c.loc, value,
                                 cast<FloatType>(c.operandType));
      return emitTotalOrderKey(c.b, c.loc, value);
    };
    return compareIntegers(c, direction, /*isUnsigned=*/false, key(c.in[0]),
                           key(c.in[1]));
  }
  if (!isa<IntegerType>(c.operandType))
    return {};
  bool isUnsigned = c.operandType.isUnsignedInteger() ||
                    c.operandType.isInteger(1) ||
                    type == stablehlo::ComparisonType::UNSIGNED;
  return compareIntegers(c, direction, isUnsigned, c.in[0], c.in[1]);
}

namespace {

/// reduce_precision on the bits of a float.
struct PrecisionReducer {
  ScalarContext &c;
  unsigned width;
  Type bits;

  Value constant(const APInt &v) { return intConstant(c.b, c.loc, bits, v); }
  template <typename OpT> Value make(Value x, Value y) {
    return OpT::create(c.b, c.loc, x, y);
  }
  Value compare(arith::CmpIPredicate p, Value x, Value y) {
    return arith::CmpIOp::create(c.b, c.loc, p, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(c.b, c.loc, condition, x, y);
  }

  /// Rounds the last `drop` mantissa bits to nearest even.
  Value roundMantissa(Value raw, unsigned drop) {
    APInt lastKept = APInt::getOneBitSet(width, drop);
    Value shift = constant(APInt(width, drop));
    Value odd = make<arith::AndIOp>(make<arith::ShRUIOp>(raw, shift),
                                    constant(APInt(width, 1)));
    Value bias =
        make<arith::AddIOp>(odd, constant(lastKept.lshr(1) - 1));
    Value rounded = make<arith::AddIOp>(raw, bias);
    return make<arith::AndIOp>(rounded, constant(~(lastKept - 1)));
  }

  /// Values beyond the narrow exponent's range become infinite or zero.
  Value limitExponent(Value rounded, unsigned exponentBits,
                      unsigned mantissa) {
    unsigned fullExponent = width - 1 - mantissa;
    APInt sign = APInt::getSignMask(width);
    APInt exponentMask =
        APInt::getBitsSet(width, mantissa, width - 1);
    uint64_t fullBias = (uint64_t(1) << (fullExponent - 1)) - 1;
    uint64_t bias = (uint64_t(1) << (exponentBits - 1)) - 1;
    Value exponent =
        make<arith::AndIOp>(rounded, constant(exponentMask));
    APInt most = APInt(width, fullBias + bias).shl(mantissa);
    APInt least = APInt(width, fullBias - bias).shl(mantissa);
    Value onlySign = make<arith::AndIOp>(rounded, constant(sign));
    Value infinity = make<arith::OrIOp>(onlySign, constant(exponentMask));
    Value tooLarge =
        compare(arith::CmpIPredicate::ugt, exponent, constant(most));
    Value tooSmall =
        compare(arith::CmpIPredicate::ule, exponent, constant(least));
    return select(tooSmall, onlySign, select(tooLarge, infinity, rounded));
  }
};

} // namespace

Value emitReducePrecision(ScalarContext &c) {
  auto op = cast<stablehlo::ReducePrecisionOp>(c.op);
  auto type = dyn_cast<FloatType>(c.operandType);
  if (!type)
    return {};
  unsigned width = type.getWidth();
  unsigned mantissa = type.getFPMantissaWidth() - 1;
  Type bits = c.b.getIntegerType(width);
  PrecisionReducer r{c, width, bits};
  Value raw = arith::BitcastOp::create(c.b, c.loc, bits, c.in[0]);
  Value result = raw;
  if (op.getMantissaBits() < mantissa)
    result = r.roundMantissa(raw, mantissa - op.getMantissaBits());
  if (op.getExponentBits() < width - 1 - mantissa)
    result = r.limitExponent(result, op.getExponentBits(), mantissa);
  Value value = arith::BitcastOp::create(c.b, c.loc, type, result);
  Value isNaN = arith::CmpFOp::create(c.b, c.loc, arith::CmpFPredicate::UNO,
                                      c.in[0], c.in[0]);
  return arith::SelectOp::create(c.b, c.loc, isNaN, c.in[0], value);
}

} // namespace ferrule::lowering
