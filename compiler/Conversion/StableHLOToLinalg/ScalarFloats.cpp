// Float and complex arithmetic, and elementwise calls by name.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Conversion/StableHLOToLinalg/SpecialFunctions.h"

using namespace mlir;

namespace ferrule::lowering {

template <typename OpT> static Value unary(ScalarContext &c) {
  return OpT::create(c.b, c.loc, c.in[0]);
}
template <typename OpT> static Value binary(ScalarContext &c) {
  return OpT::create(c.b, c.loc, c.in[0], c.in[1]);
}

/// 1 / (1 + e^-x), for x < 0 as e^x / (1 + e^x): no power overflows.
static Value emitLogistic(ScalarContext &c) {
  Value one = c.constant(c.operandType, 1.0);
  if (isa<ComplexType>(c.operandType)) {
    Value e = complex::ExpOp::create(
        c.b, c.loc, complex::NegOp::create(c.b, c.loc, c.in[0]));
    return complex::DivOp::create(c.b, c.loc, one,
                                  complex::AddOp::create(c.b, c.loc, one, e));
  }
  Value magnitude = math::AbsFOp::create(c.b, c.loc, c.in[0]);
  Value e = math::ExpOp::create(c.b, c.loc,
                                arith::NegFOp::create(c.b, c.loc, magnitude));
  Value negative =
      arith::CmpFOp::create(c.b, c.loc, arith::CmpFPredicate::OLT, c.in[0],
                            c.constant(c.operandType, 0.0));
  Value part = arith::SelectOp::create(c.b, c.loc, negative, e, one);
  return arith::DivFOp::create(c.b, c.loc, part,
                               arith::AddFOp::create(c.b, c.loc, one, e));
}

/// Zeros and NaNs are their own sign.
static Value emitFloatSign(ScalarContext &c) {
  Value one = c.constant(c.operandType, 1.0);
  Value zero = c.constant(c.operandType, 0.0);
  Value signedOne = math::CopySignOp::create(c.b, c.loc, one, c.in[0]);
  Value isOrdinary = arith::CmpFOp::create(
      c.b, c.loc, arith::CmpFPredicate::ONE, c.in[0], zero);
  return arith::SelectOp::create(c.b, c.loc, isOrdinary, signedOne, c.in[0]);
}

static Value emitIsFinite(ScalarContext &c) {
  Value magnitude = math::AbsFOp::create(c.b, c.loc, c.in[0]);
  Value infinity =
      c.constant(c.operandType, std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(c.b, c.loc, arith::CmpFPredicate::OLT, magnitude,
                               infinity);
}

static Value emitFloatFunction(ScalarContext &c) {
  return TypeSwitch<Operation *, Value>(c.op)
      .Case<stablehlo::CbrtOp>([&](auto) { return unary<math::CbrtOp>(c); })
      .Case<stablehlo::CosineOp>([&](auto) { return unary<math::CosOp>(c); })
      .Case<stablehlo::ExpOp>([&](auto) { return unary<math::ExpOp>(c); })
      .Case<stablehlo::Expm1Op>([&](auto) { return unary<math::ExpM1Op>(c); })
      .Case<stablehlo::LogOp>([&](auto) { return unary<math::LogOp>(c); })
      .Case<stablehlo::Log1pOp>([&](auto) { return unary<math::Log1pOp>(c); })
      .Case<stablehlo::LogisticOp>([&](auto) { return emitLogistic(c); })
      .Case<stablehlo::RsqrtOp>([&](auto) { return unary<math::RsqrtOp>(c); })
      .Case<stablehlo::SineOp>([&](auto) { return unary<math::SinOp>(c); })
      .Case<stablehlo::SqrtOp>([&](auto) { return unary<math::SqrtOp>(c); })
      .Case<stablehlo::TanOp>([&](auto) { return unary<math::TanOp>(c); })
      .Case<stablehlo::TanhOp>([&](auto) { return unary<math::TanhOp>(c); })
      .Case<stablehlo::PowOp>([&](auto) { return binary<math::PowFOp>(c); })
      .Case<stablehlo::Atan2Op>([&](auto) { return binary<math::Atan2Op>(c); })
      .Default([](Operation *) { return Value(); });
}

Value emitFloatOp(ScalarContext &c) {
  if (Value function = emitFloatFunction(c))
    return function;
  return TypeSwitch<Operation *, Value>(c.op)
      .Case<stablehlo::AddOp>([&](auto) { return binary<arith::AddFOp>(c); })
      .Case<stablehlo::SubtractOp>(
          [&](auto) { return binary<arith::SubFOp>(c); })
      .Case<stablehlo::MulOp>([&](auto) { return binary<arith::MulFOp>(c); })
      .Case<stablehlo::DivOp>([&](auto) { return binary<arith::DivFOp>(c); })
      .Case<stablehlo::RemOp>([&](auto) { return binary<arith::RemFOp>(c); })
      .Case<stablehlo::MaxOp>(
          [&](auto) { return binary<arith::MaximumFOp>(c); })
      .Case<stablehlo::MinOp>(
          [&](auto) { return binary<arith::MinimumFOp>(c); })
      .Case<stablehlo::AbsOp>([&](auto) { return unary<math::AbsFOp>(c); })
      .Case<stablehlo::CeilOp>([&](auto) { return unary<math::CeilOp>(c); })
      .Case<stablehlo::FloorOp>([&](auto) { return unary<math::FloorOp>(c); })
      .Case<stablehlo::RoundOp>([&](auto) { return unary<math::RoundOp>(c); })
      .Case<stablehlo::RoundNearestEvenOp>(
          [&](auto) { return unary<math::RoundEvenOp>(c); })
      .Case<stablehlo::NegOp>([&](auto) { return unary<arith::NegFOp>(c); })
      .Case<stablehlo::SignOp>([&](auto) { return emitFloatSign(c); })
      .Case<stablehlo::IsFiniteOp>([&](auto) { return emitIsFinite(c); })
      .Case<stablehlo::RealOp>([&](auto) { return c.in[0]; })
      .Case<stablehlo::ImagOp>(
          [&](auto) { return c.constant(c.resultType, 0.0); })
      .Default([](Operation *) { return Value(); });
}

//===-- Complex numbers ---------------------------------------------------===//

/// Complex numbers are ordered by real, then imaginary part.
static Value emitComplexExtremum(ScalarContext &c, bool isMax) {
  auto predicate =
      isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  auto compare = [&](arith::CmpFPredicate p, Value x, Value y) {
    return arith::CmpFOp::create(c.b, c.loc, p, x, y);
  };
  Value xr = complex::ReOp::create(c.b, c.loc, c.in[0]);
  Value yr = complex::ReOp::create(c.b, c.loc, c.in[1]);
  Value xi = complex::ImOp::create(c.b, c.loc, c.in[0]);
  Value yi = complex::ImOp::create(c.b, c.loc, c.in[1]);
  Value byImag = arith::AndIOp::create(
      c.b, c.loc, compare(arith::CmpFPredicate::OEQ, xr, yr),
      compare(predicate, xi, yi));
  Value takeX =
      arith::OrIOp::create(c.b, c.loc, compare(predicate, xr, yr), byImag);
  return arith::SelectOp::create(c.b, c.loc, takeX, c.in[0], c.in[1]);
}

/// tan(z) = -i tanh(i z).
static Value emitComplexTangent(ScalarContext &c) {
  Value re = complex::ReOp::create(c.b, c.loc, c.in[0]);
  Value im = complex::ImOp::create(c.b, c.loc, c.in[0]);
  Value turned = complex::CreateOp::create(
      c.b, c.loc, c.operandType, arith::NegFOp::create(c.b, c.loc, im), re);
  Value result = complex::TanhOp::create(c.b, c.loc, turned);
  Value back = complex::ReOp::create(c.b, c.loc, result);
  return complex::CreateOp::create(c.b, c.loc, c.operandType,
                                   complex::ImOp::create(c.b, c.loc, result),
                                   arith::NegFOp::create(c.b, c.loc, back));
}

static Value emitComplexFunctionOf(ScalarContext &c) {
  return TypeSwitch<Operation *, Value>(c.op)
      .Case<stablehlo::CbrtOp>([&](auto) {
        Value third = c.constant(c.operandType, 1.0 / 3.0);
        return complex::PowOp::create(c.b, c.loc, c.in[0], third);
      })
      .Case<stablehlo::ExpOp>([&](auto) { return unary<complex::ExpOp>(c); })
      .Case<stablehlo::CosineOp, stablehlo::Expm1Op, stablehlo::Log1pOp,
            stablehlo::SineOp, stablehlo::SqrtOp>(
          [&](auto) { return emitComplexFormula(c); })
      .Case<stablehlo::LogOp>([&](auto) { return unary<complex::LogOp>(c); })
      .Case<stablehlo::LogisticOp>([&](auto) { return emitLogistic(c); })
      .Case<stablehlo::RsqrtOp>(
          [&](auto) { return unary<complex::RsqrtOp>(c); })
      .Case<stablehlo::TanOp>([&](auto) { return emitComplexTangent(c); })
      .Case<stablehlo::TanhOp>([&](auto) { return unary<complex::TanhOp>(c); })
      .Case<stablehlo::PowOp>([&](auto) { return binary<complex::PowOp>(c); })
      .Case<stablehlo::Atan2Op>(
          [&](auto) { return binary<complex::Atan2Op>(c); })
      .Default([](Operation *) { return Value(); });
}

/// Numbers of f32 are computed in f64: the formulas have differences that
/// cancel.
static Value emitComplexFunction(ScalarContext &c) {
  auto type = cast<ComplexType>(c.operandType);
  if (!type.getElementType().isF32())
    return emitComplexFunctionOf(c);
  auto wide = ComplexType::get(c.b.getF64Type());
  SmallVector<Value> operands;
  for (Value operand : c.in)
    operands.push_back(emitConvert(c.b, c.loc, operand, type, wide));
  ScalarContext inner{c.b, c.loc, c.op, wide, wide, operands};
  Value result = emitComplexFunctionOf(inner);
  return result ? emitConvert(c.b, c.loc, result, wide, type) : Value();
}

Value emitComplexOp(ScalarContext &c) {
  if (Value function = emitComplexFunction(c))
    return function;
  return TypeSwitch<Operation *, Value>(c.op)
      .Case<stablehlo::AddOp>([&](auto) { return binary<complex::AddOp>(c); })
      .Case<stablehlo::SubtractOp>(
          [&](auto) { return binary<complex::SubOp>(c); })
      .Case<stablehlo::MulOp>([&](auto) { return binary<complex::MulOp>(c); })
      .Case<stablehlo::DivOp>([&](auto) { return binary<complex::DivOp>(c); })
      .Case<stablehlo::MaxOp>(
          [&](auto) { return emitComplexExtremum(c, true); })
      .Case<stablehlo::MinOp>(
          [&](auto) { return emitComplexExtremum(c, false); })
      .Case<stablehlo::AbsOp>([&](auto) { return unary<complex::AbsOp>(c); })
      .Case<stablehlo::NegOp>([&](auto) { return unary<complex::NegOp>(c); })
      .Case<stablehlo::SignOp>([&](auto) { return unary<complex::SignOp>(c); })
      .Case<stablehlo::RealOp>([&](auto) { return unary<complex::ReOp>(c); })
      .Case<stablehlo::ImagOp>([&](auto) { return unary<complex::ImOp>(c); })
      .Default([](Operation *) { return Value(); });
}

//===-- Calls -------------------------------------------------------------===//

using CallEmitter = Value (*)(ScalarContext &);

static Value emitMulHigh(ScalarContext &c) {
  if (c.operandType.isUnsignedInteger())
    return arith::MulUIExtendedOp::create(c.b, c.loc, c.in[0], c.in[1])
        .getHigh();
  return arith::MulSIExtendedOp::create(c.b, c.loc, c.in[0], c.in[1]).getHigh();
}

/// Infinities: of either sign, or of one.
static Value emitIsInfinity(ScalarContext &c, double wanted, bool absolute) {
  Value x = absolute ? unary<math::AbsFOp>(c) : c.in[0];
  return arith::CmpFOp::create(c.b, c.loc, arith::CmpFPredicate::OEQ, x,
                               c.constant(c.operandType, wanted));
}
static constexpr double infinity = std::numeric_limits<double>::infinity();

/// The table of compiler/Conversion/CHLOToStableHLO/README.md.
static CallEmitter findCall(StringRef name) {
  return StringSwitch<CallEmitter>(name)
      .Case("acos", unary<math::AcosOp>)
      .Case("acosh", unary<math::AcoshOp>)
      .Case("asin", unary<math::AsinOp>)
      .Case("asinh", unary<math::AsinhOp>)
      .Case("atan", unary<math::AtanOp>)
      .Case("atanh", unary<math::AtanhOp>)
      .Case("cosh", unary<math::CoshOp>)
      .Case("erf", unary<math::ErfOp>)
      .Case("erfc", unary<math::ErfcOp>)
      .Case("exp2", unary<math::Exp2Op>)
      .Case("is_inf",
            [](ScalarContext &c) { return emitIsInfinity(c, infinity, true); })
      .Case("is_pos_inf",
            [](ScalarContext &c) { return emitIsInfinity(c, infinity, false); })
      .Case(
          "is_neg_inf",
          [](ScalarContext &c) { return emitIsInfinity(c, -infinity, false); })
      .Case("log10", unary<math::Log10Op>)
      .Case("log2", unary<math::Log2Op>)
      .Case("mulhi", emitMulHigh)
      .Case("sinh", unary<math::SinhOp>)
      .Case("tan", unary<math::TanOp>)
      .Case("trunc", unary<math::TruncOp>)
      .Default(nullptr);
}

bool isNamedElementwiseCall(StringRef name) {
  return name.consume_front("ferrule.") &&
         (findCall(name) || isSpecialFunction(name));
}

Value emitNamedCall(ScalarContext &c, StringRef name) {
  name.consume_front("ferrule.");
  bool wantsInteger = name == "mulhi";
  if (isa<IntegerType>(c.operandType) != wantsInteger ||
      isa<ComplexType>(c.operandType))
    return {};
  if (isSpecialFunction(name))
    return emitSpecialFunction(c, name);
  return findCall(name)(c);
}

} // namespace ferrule::lowering
