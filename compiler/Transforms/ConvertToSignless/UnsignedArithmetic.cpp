#include "compiler/Transforms/ConvertToSignless/UnsignedArithmetic.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOValues.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

static unsigned widthOf(Value x) {
  return getElementTypeOrSelf(x).getIntOrFloatBitWidth();
}

Value UnsignedArithmetic::constant(Value like, const APInt &value) {
  auto type = cast<RankedTensorType>(like.getType());
  return buildSplatLike(b, b.getLoc(),
                        b.getIntegerAttr(type.getElementType(), value), like,
                        RankedTensorType::get(type.getShape(),
                                              type.getElementType()));
}

Value UnsignedArithmetic::constant(Value like, uint64_t value) {
  return constant(like, APInt(widthOf(like), value, /*isSigned=*/false,
                              /*implicitTrunc=*/true));
}

Value UnsignedArithmetic::turn(Value x) {
  return XorOp::create(b, x, constant(x, APInt::getSignMask(widthOf(x))));
}

Value UnsignedArithmetic::compare(Value x, Value y,
                                  ComparisonDirection direction) {
  if (direction != ComparisonDirection::EQ &&
      direction != ComparisonDirection::NE) {
    x = turn(x);
    y = turn(y);
  }
  return CompareOp::create(b, x, y, direction);
}

/// Half of x has no sign, and its quotient is half of x's or one less. A
/// divisor with the top bit fits at most once. By 0: all bits, as a signed
/// division gives -1.
Value UnsignedArithmetic::divide(Value x, Value y) {
  Value one = constant(x, 1), zero = constant(x, uint64_t(0));
  Value half = ShiftRightLogicalOp::create(b, x, one);
  Value quotient =
      ShiftLeftOp::create(b, DivOp::create(b, half, y), one);
  Value rest = SubtractOp::create(b, x, MulOp::create(b, quotient, y));
  auto addOne = [&](Value where, Value to) -> Value {
    return SelectOp::create(b, where, AddOp::create(b, to, one), to);
  };
  quotient = addOne(compare(rest, y, ComparisonDirection::GE), quotient);
  Value once = addOne(compare(x, y, ComparisonDirection::GE), zero);
  Value isLarge = CompareOp::create(b, y, zero, ComparisonDirection::LT);
  return SelectOp::create(b, isLarge, once, quotient);
}

Value UnsignedArithmetic::remainder(Value x, Value y) {
  Value whole = MulOp::create(b, divide(x, y), y);
  return SubtractOp::create(b, x, whole);
}

/// x^y is the square of x^(y/2), times x where y is odd.
Value UnsignedArithmetic::power(Value x, Value y) {
  Value one = constant(x, 1), zero = constant(x, uint64_t(0));
  Value half = ShiftRightLogicalOp::create(b, y, one);
  Value root = PowOp::create(b, x, half);
  Value square = MulOp::create(b, root, root);
  Value odd = CompareOp::create(b, AndOp::create(b, y, one), zero,
                                ComparisonDirection::NE);
  return SelectOp::create(b, odd, MulOp::create(b, square, x), square);
}

Value UnsignedArithmetic::extend(Value x, Type element) {
  unsigned width = widthOf(x);
  if (getElementTypeOrSelf(x) == element)
    return x;
  Value result = ConvertOp::create(b, x, element);
  if (element.getIntOrFloatBitWidth() <= width)
    return result;
  APInt mask = APInt::getLowBitsSet(element.getIntOrFloatBitWidth(), width);
  return AndOp::create(b, result, constant(result, mask));
}

Value UnsignedArithmetic::toFloat(Value x, Type element) {
  if (widthOf(x) < 64) {
    Value wide = extend(x, b.getI64Type());
    return ConvertOp::create(b, wide, element);
  }
  // Half of it, the last bit kept for the rounding, then doubled.
  Value one = constant(x, 1), zero = constant(x, uint64_t(0));
  Value half = OrOp::create(b, ShiftRightLogicalOp::create(b, x, one),
                            AndOp::create(b, x, one));
  Value number = ConvertOp::create(b, half, element);
  Value twice = AddOp::create(b, number, number);
  Value isLarge = CompareOp::create(b, x, zero, ComparisonDirection::LT);
  Value small = ConvertOp::create(b, x, element);
  return SelectOp::create(b, isLarge, twice, small);
}

Value UnsignedArithmetic::fromFloat(Value x, IntegerType element) {
  Type i64 = b.getI64Type();
  if (element.getWidth() < 64) {
    Value wide = ConvertOp::create(b, x, i64);
    Value zero = constant(wide, uint64_t(0));
    Value most = constant(wide, (uint64_t(1) << element.getWidth()) - 1);
    wide = MinOp::create(b, MaxOp::create(b, wide, zero), most);
    return ConvertOp::create(b, wide, element);
  }
  // 2^63 and more: what is beyond it, and the top bit.
  Value number = ConvertOp::create(b, x, b.getF64Type());
  auto type = cast<RankedTensorType>(number.getType());
  Value limit = buildSplatLike(b, b.getLoc(), b.getF64FloatAttr(0x1p63),
                               number, type);
  Value small = ConvertOp::create(b, number, i64);
  small = MaxOp::create(b, small, constant(small, uint64_t(0)));
  Value beyond = SubtractOp::create(b, number, limit);
  Value large = turn(ConvertOp::create(b, beyond, i64));
  Value isLarge =
      CompareOp::create(b, number, limit, ComparisonDirection::GE);
  return SelectOp::create(b, isLarge, large, small);
}
