// Integer arithmetic with StableHLO's corner cases: nothing traps, nothing is
// poison.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

/// One integer op; `type` is the signless type of the values.
struct IntegerEmitter {
  ScalarContext &c;
  IntegerType type;
  bool isUnsigned;
  OpBuilder &b;
  Location loc;

  explicit IntegerEmitter(ScalarContext &c)
      : c(c), type(c.b.getIntegerType(
                  cast<IntegerType>(c.operandType).getWidth())),
        isUnsigned(c.operandType.isUnsignedInteger() || type.getWidth() == 1),
        b(c.b), loc(c.loc) {}

  template <typename OpT> Value make() {
    return OpT::create(b, loc, c.in[0], c.in[1]);
  }
  template <typename Signed, typename Unsigned> Value bySign() {
    return isUnsigned ? make<Unsigned>() : make<Signed>();
  }
  Value constant(int64_t value) {
    return intConstant(b, loc, type, APInt(type.getWidth(), value, true, true));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  /// The divisor with 1 for those that would trap: 0, and -1 under the least
  /// integer. (A division by 1 gives the wanted result for the latter.)
  Value safeDivisor(Value isZero) {
    Value one = constant(1), bad = isZero;
    if (!isUnsigned) {
      Value least = intConstant(b, loc, type,
                                APInt::getSignedMinValue(type.getWidth()));
      Value overflows = arith::AndIOp::create(
          b, loc, compare(arith::CmpIPredicate::eq, c.in[0], least),
          compare(arith::CmpIPredicate::eq, c.in[1], constant(-1)));
      bad = arith::OrIOp::create(b, loc, isZero, overflows);
    }
    return select(bad, one, c.in[1]);
  }
  /// x / 0 has all bits set; x % 0 is x.
  Value divide(bool remainder) {
    Value isZero =
        compare(arith::CmpIPredicate::eq, c.in[1], constant(0));
    Value divisor = safeDivisor(isZero);
    if (remainder) {
      Value r = isUnsigned
                    ? Value(arith::RemUIOp::create(b, loc, c.in[0], divisor))
                    : Value(arith::RemSIOp::create(b, loc, c.in[0], divisor));
      return select(isZero, c.in[0], r);
    }
    Value q = isUnsigned
                  ? Value(arith::DivUIOp::create(b, loc, c.in[0], divisor))
                  : Value(arith::DivSIOp::create(b, loc, c.in[0], divisor));
    return select(isZero, constant(-1), q);
  }

  Value shift(Operation *op) {
    Value tooFar = compare(arith::CmpIPredicate::uge, c.in[1],
                           constant(type.getWidth()));
    Value distance = c.in[1];
    if (isa<stablehlo::ShiftRightArithmeticOp>(op)) {
      distance = select(tooFar, constant(type.getWidth() - 1), distance);
      return arith::ShRSIOp::create(b, loc, c.in[0], distance);
    }
    Value zero = constant(0);
    distance = select(tooFar, zero, distance);
    Value shifted =
        isa<stablehlo::ShiftLeftOp>(op)
            ? Value(arith::ShLIOp::create(b, loc, c.in[0], distance))
            : Value(arith::ShRUIOp::create(b, loc, c.in[0], distance));
    return select(tooFar, zero, shifted);
  }

  /// Repeated squaring, unrolled over the exponent's bits: folds to few
  /// multiplications for a constant exponent.
  Value power() {
    Value base = c.in[0], exponent = c.in[1];
    Value result = constant(1), zero = constant(0);
    unsigned bits = type.getWidth() - (isUnsigned ? 0 : 1);
    for (unsigned i = 0; i < bits; ++i) {
      Value bit = arith::AndIOp::create(
          b, loc, exponent,
          intConstant(b, loc, type, APInt::getOneBitSet(type.getWidth(), i)));
      Value isSet = compare(arith::CmpIPredicate::ne, bit, zero);
      Value product = arith::MulIOp::create(b, loc, result, base);
      result = select(isSet, product, result);
      base = arith::MulIOp::create(b, loc, base, base);
    }
    return isUnsigned ? result : negativePower(result);
  }
  /// For a negative exponent: 1 for 1, +-1 for -1, else 0 (0 too).
  Value negativePower(Value result) {
    Value one = constant(1), zero = constant(0), minusOne = constant(-1);
    Value odd = compare(arith::CmpIPredicate::ne,
                        arith::AndIOp::create(b, loc, c.in[1], one), zero);
    Value reciprocal = select(
        compare(arith::CmpIPredicate::eq, c.in[0], one), one,
        select(compare(arith::CmpIPredicate::eq, c.in[0], minusOne),
               select(odd, minusOne, one), zero));
    Value negative = compare(arith::CmpIPredicate::slt, c.in[1], zero);
    return select(negative, reciprocal, result);
  }

  /// Counted in 64 bits, for which programs have an instruction too.
  Value leadingZeros() {
    Type wide = b.getI64Type();
    if (type.getWidth() == 64)
      return math::CountLeadingZerosOp::create(b, loc, c.in[0]);
    Value count = math::CountLeadingZerosOp::create(
        b, loc, arith::ExtUIOp::create(b, loc, wide, c.in[0]));
    Value excess = intConstant(b, loc, wide, APInt(64, 64 - type.getWidth()));
    return arith::TruncIOp::create(
        b, loc, c.in[0].getType(),
        arith::SubIOp::create(b, loc, count, excess));
  }

  Value sign() {
    Value one = constant(1);
    if (isUnsigned)
      return arith::MinUIOp::create(b, loc, c.in[0], one);
    Value atMost = arith::MinSIOp::create(b, loc, c.in[0], one);
    return arith::MaxSIOp::create(b, loc, atMost, constant(-1));
  }
};

} // namespace

static Value emitBitwiseOp(IntegerEmitter &e) {
  ScalarContext &c = e.c;
  return TypeSwitch<Operation *, Value>(c.op)
      .Case<stablehlo::AndOp>([&](auto) { return e.make<arith::AndIOp>(); })
      .Case<stablehlo::OrOp>([&](auto) { return e.make<arith::OrIOp>(); })
      .Case<stablehlo::XorOp>([&](auto) { return e.make<arith::XOrIOp>(); })
      .Case<stablehlo::NotOp>([&](auto) {
        return arith::XOrIOp::create(e.b, e.loc, c.in[0], e.constant(-1));
      })
      .Case<stablehlo::ShiftLeftOp, stablehlo::ShiftRightLogicalOp,
            stablehlo::ShiftRightArithmeticOp>(
          [&](Operation *op) { return e.shift(op); })
      .Case<stablehlo::PopulationCountOp>([&](auto) {
        return math::CtPopOp::create(e.b, e.loc, c.in[0]);
      })
      .Case<stablehlo::ClzOp>([&](auto) {
        return e.leadingZeros();
      })
      .Default([](Operation *) { return Value(); });
}

Value emitIntegerOp(ScalarContext &c) {
  IntegerEmitter e(c);
  if (Value bitwise = emitBitwiseOp(e))
    return bitwise;
  bool isBool = e.type.getWidth() == 1;
  return TypeSwitch<Operation *, Value>(c.op)
      .Case<stablehlo::AddOp>([&](auto) {
        return isBool ? e.make<arith::OrIOp>() : e.make<arith::AddIOp>();
      })
      .Case<stablehlo::SubtractOp>([&](auto) { return e.make<arith::SubIOp>(); })
      .Case<stablehlo::MulOp>([&](auto) {
        return isBool ? e.make<arith::AndIOp>() : e.make<arith::MulIOp>();
      })
      .Case<stablehlo::DivOp>([&](auto) { return e.divide(false); })
      .Case<stablehlo::RemOp>([&](auto) { return e.divide(true); })
      .Case<stablehlo::MaxOp>(
          [&](auto) { return e.bySign<arith::MaxSIOp, arith::MaxUIOp>(); })
      .Case<stablehlo::MinOp>(
          [&](auto) { return e.bySign<arith::MinSIOp, arith::MinUIOp>(); })
      .Case<stablehlo::PowOp>([&](auto) { return e.power(); })
      .Case<stablehlo::SignOp>([&](auto) { return e.sign(); })
      .Case<stablehlo::NegOp>([&](auto) {
        return arith::SubIOp::create(e.b, e.loc, e.constant(0), c.in[0]);
      })
      .Case<stablehlo::AbsOp>([&](auto) -> Value {
        if (e.isUnsigned)
          return c.in[0];
        return math::AbsIOp::create(e.b, e.loc, c.in[0]);
      })
      .Default([](Operation *) { return Value(); });
}

} // namespace ferrule::lowering
