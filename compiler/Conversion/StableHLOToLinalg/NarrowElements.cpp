// Elements of fewer than eight bits and floats of at most eight: a byte each,
// which holds an integer extended by its sign, or the bits of a float.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace ferrule::lowering {

bool isSmallFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() <= 8;
}

bool isNarrowInteger(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() > 1 && integer.getWidth() < 8;
}

Value toOwnWidth(OpBuilder &b, Location loc, Value byte, Type element) {
  if (!isNarrowInteger(element))
    return byte;
  Type own = b.getIntegerType(cast<IntegerType>(element).getWidth());
  return arith::TruncIOp::create(b, loc, own, byte);
}

Value toStored(OpBuilder &b, Location loc, Value value, Type element) {
  if (!isNarrowInteger(element) || value.getType().isInteger(8))
    return value;
  if (element.isUnsignedInteger())
    return arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
  return arith::ExtSIOp::create(b, loc, b.getI8Type(), value);
}

APInt storedBits(Type element, const APInt &bits) {
  if (isSmallFloat(element))
    return bits.zext(8);
  if (!isNarrowInteger(element))
    return bits;
  return element.isUnsignedInteger() ? bits.zext(8) : bits.sext(8);
}

namespace {

/// A float format of at most eight bits beside f32.
struct SmallFormat {
  ImplicitLocOpBuilder b;
  const llvm::fltSemantics &semantics;
  unsigned width, mantissa;
  int bias;
  bool isSigned;
  Type i32, f32;

  SmallFormat(OpBuilder &builder, Location loc, FloatType type)
      : b(loc, builder), semantics(type.getFloatSemantics()),
        width(type.getWidth()),
        mantissa(llvm::APFloat::semanticsPrecision(semantics) - 1),
        bias(1 - llvm::APFloat::semanticsMinExponent(semantics)),
        isSigned(llvm::APFloat::semanticsHasSignedRepr(semantics)),
        i32(builder.getI32Type()), f32(builder.getF32Type()) {}

  uint32_t bitsOf(const llvm::APFloat &value) const {
    return value.bitcastToAPInt().getZExtValue();
  }
  bool hasInfinity() const { return llvm::APFloat::semanticsHasInf(semantics); }
  bool hasNaN() const { return llvm::APFloat::semanticsHasNaN(semantics); }
  bool hasNegativeZero() const {
    return bitsOf(llvm::APFloat::getZero(semantics, true)) != 0;
  }
  uint32_t nanBits() const { return bitsOf(llvm::APFloat::getNaN(semantics)); }
  uint32_t signBit() const { return 1u << (width - 1); }

  Value constant(uint32_t v) {
    return intConstant(b, b.getLoc(), i32, APInt(32, v));
  }
  Value bitsConstant(uint32_t v) {
    return asFloat(constant(v));
  }
  Value asFloat(Value v) { return arith::BitcastOp::create(b, f32, v); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value bitAnd(Value x, uint32_t y) {
    return arith::AndIOp::create(b, x, constant(y));
  }
  Value shiftLeft(Value x, unsigned n) {
    return arith::ShLIOp::create(b, x, constant(n));
  }
  Value shiftRight(Value x, unsigned n) {
    return arith::ShRUIOp::create(b, x, constant(n));
  }
  Value compare(arith::CmpIPredicate p, Value x, uint32_t y) {
    return arith::CmpIOp::create(b, p, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }

  /// Half to even on the last `drop` bits, which go away.
  Value roundAway(Value bits, unsigned drop) {
    Value odd = bitAnd(shiftRight(bits, drop), 1);
    Value bias = constant((1u << (drop - 1)) - 1);
    return shiftRight(add(add(bits, bias), odd), drop);
  }

  Value decodeExponent(Value bits);
  Value encodeExponent(Value bits);
  Value decode(Value byte);
  Value encode(Value value);
};

/// f8E8M0FNU: 2^(bits - 127); 2^-127 is no normal number of f32.
Value SmallFormat::decodeExponent(Value bits) {
  using P = arith::CmpIPredicate;
  Value result = select(compare(P::eq, bits, 0), constant(0x00400000),
                        shiftLeft(bits, 23));
  return asFloat(
      select(compare(P::eq, bits, 0xFF), constant(0x7FC00000), result));
}

Value SmallFormat::encodeExponent(Value bits) {
  using P = arith::CmpIPredicate;
  // Half goes up, whatever the exponent; 2^-127 has a form of its own.
  Value rounded = shiftRight(add(bits, constant(0x00400000)), 23);
  rounded = select(compare(P::ule, bits, 0x00400000), constant(0), rounded);
  // Zero, negative numbers and what is too large have no form.
  Value valid = arith::AndIOp::create(b, compare(P::sgt, bits, 0),
                                      compare(P::ult, rounded, 0xFF));
  return select(valid, rounded, constant(0xFF));
}

Value SmallFormat::decode(Value byte) {
  using P = arith::CmpIPredicate;
  Value bits = arith::ExtUIOp::create(b, i32, byte);
  if (!isSigned)
    return decodeExponent(bits);
  Value magnitude = bitAnd(bits, signBit() - 1);
  // Below 2^mantissa numbers have no leading bit: an integer times the unit.
  float unit = std::ldexp(1.0f, 1 - bias - int(mantissa));
  Value small = arith::MulFOp::create(
      b, arith::SIToFPOp::create(b, f32, magnitude),
      getConstant(b, b.getLoc(), f32, unit));
  Value normal = add(shiftLeft(magnitude, 23 - mantissa),
                     constant(uint32_t(127 - bias) << 23));
  Value result =
      select(compare(P::ult, magnitude, 1u << mantissa),
             Value(arith::BitcastOp::create(b, i32, small)), normal);
  if (hasInfinity()) {
    uint32_t infinity = bitsOf(llvm::APFloat::getInf(semantics));
    result = select(compare(P::eq, magnitude, infinity), constant(0x7F800000),
                    result);
    result = select(compare(P::ugt, magnitude, infinity), constant(0x7FC00000),
                    result);
  } else if (hasNaN() && hasNegativeZero()) {
    result = select(compare(P::eq, magnitude, nanBits() & (signBit() - 1)),
                    constant(0x7FC00000), result);
  }
  Value sign = shiftLeft(bitAnd(bits, signBit()), 32 - width);
  result = arith::OrIOp::create(b, result, sign);
  // Where there is no negative zero its place is the NaN's.
  if (!hasNegativeZero())
    result = select(compare(P::eq, bits, nanBits()), constant(0x7FC00000),
                    result);
  return asFloat(result);
}

Value SmallFormat::encode(Value value) {
  using P = arith::CmpIPredicate;
  Value bits = arith::BitcastOp::create(b, i32, value);
  auto asByte = [&](Value v) {
    return arith::TruncIOp::create(b, b.getI8Type(), v);
  };
  if (!isSigned)
    return asByte(encodeExponent(bits));
  Value magnitude = bitAnd(bits, 0x7FFFFFFF);
  Value sign = shiftRight(bitAnd(bits, 0x80000000), 32 - width);
  Value normal = arith::SubIOp::create(
      b, roundAway(magnitude, 23 - mantissa),
      constant(uint32_t(127 - bias) << mantissa));
  // The sum's last bit is the small format's unit, so the adder rounds.
  float unit = std::ldexp(1.0f, 1 - bias - int(mantissa) + 23);
  Value anchor = getConstant(b, b.getLoc(), f32, unit);
  Value sum = arith::AddFOp::create(b, asFloat(magnitude), anchor);
  Value small = arith::SubIOp::create(
      b, arith::BitcastOp::create(b, i32, sum),
      Value(arith::BitcastOp::create(b, i32, anchor)));
  Value result = select(
      compare(P::ult, magnitude, uint32_t(127 + 1 - bias) << 23), small,
      normal);
  uint32_t largest = bitsOf(llvm::APFloat::getLargest(semantics));
  Value tooLarge = arith::OrIOp::create(
      b, compare(P::ugt, magnitude, 0x7F7FFFFF),
      compare(P::ugt, result, largest));
  uint32_t mask = signBit() - 1;
  uint32_t overflow = hasInfinity() ? bitsOf(llvm::APFloat::getInf(semantics))
                      : hasNaN() && hasNegativeZero() ? nanBits() & mask
                                                      : largest;
  result = select(tooLarge, constant(overflow), result);
  Value isNaN = compare(P::ugt, magnitude, 0x7F800000);
  if (hasNegativeZero()) {
    uint32_t nan = hasNaN() ? nanBits() & mask : 0;
    result = select(isNaN, constant(nan), result);
    // Formats without a NaN have their negative zero for it.
    if (!hasNaN())
      sign = select(isNaN, constant(signBit()), sign);
    return asByte(arith::OrIOp::create(b, result, sign));
  }
  sign = select(compare(P::eq, result, 0), constant(0), sign);
  result = arith::OrIOp::create(b, result, sign);
  Value bad = arith::OrIOp::create(b, isNaN, tooLarge);
  return asByte(select(bad, constant(nanBits()), result));
}

} // namespace

Value decodeSmallFloat(OpBuilder &b, Location loc, Value byte,
                       FloatType type) {
  return SmallFormat(b, loc, type).decode(byte);
}

Value encodeSmallFloat(OpBuilder &b, Location loc, Value value,
                       FloatType type) {
  return SmallFormat(b, loc, type).encode(value);
}

Value truncateToOdd(OpBuilder &builder, Location loc, Value value) {
  ImplicitLocOpBuilder b(loc, builder);
  Type f64 = b.getF64Type(), i32 = b.getI32Type();
  Value nearest = arith::TruncFOp::create(b, b.getF32Type(), value);
  Value back = arith::ExtFOp::create(b, f64, nearest);
  Value bits = arith::BitcastOp::create(b, i32, nearest);
  auto absolute = [&](Value v) { return math::AbsFOp::create(b, v); };
  using P = arith::CmpFPredicate;
  Value away = arith::CmpFOp::create(b, P::OGT, absolute(back),
                                     absolute(value));
  Value one = getConstant(b, loc, i32, 1);
  Value towardsZero = arith::SelectOp::create(
      b, away, arith::SubIOp::create(b, bits, one), bits);
  Value odd = arith::OrIOp::create(b, towardsZero, one);
  Value inexact = arith::CmpFOp::create(b, P::ONE, back, value);
  bits = arith::SelectOp::create(b, inexact, odd, bits);
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

} // namespace ferrule::lowering
