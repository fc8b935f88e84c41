// A short notation for floating-point code on scalars and vectors.
#ifndef FERRULE_COMPILER_TARGET_CPU_MATH_MATHBUILDER_H
#define FERRULE_COMPILER_TARGET_CPU_MATH_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace ferrule::cpu {

/// Writes code of one floating-point type: f32 or f64, or vectors of these.
class MathBuilder {
public:
  /// `ofSingle`: the operands are numbers of f32, and so will the result be.
  MathBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
              bool ofSingle = false)
      : builder(builder), loc(loc), type(type),
        wide(mlir::getElementTypeOrSelf(type).isF64()), ofSingle(ofSingle) {
    mlir::Type integer = builder.getIntegerType(wide ? 64 : 32);
    integerType = integer;
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      integerType = vector.clone(integer);
  }

  bool isF64() const { return wide; }
  /// Computed in f64 for the sake of f32, where 2^-30 is small enough an error.
  bool isOfSingle() const { return ofSingle; }
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::Type getType() const { return type; }

  mlir::Value constant(double value) {
    llvm::APFloat number(value);
    if (!wide) {
      bool loses;
      number.convert(llvm::APFloat::IEEEsingle(),
                     llvm::APFloat::rmNearestTiesToEven, &loses);
    }
    auto attribute =
        builder.getFloatAttr(mlir::getElementTypeOrSelf(type), number);
    return splat(type, attribute);
  }
  mlir::Value bits(int64_t value) {
    return splat(
        integerType,
        builder.getIntegerAttr(mlir::getElementTypeOrSelf(integerType), value));
  }

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  mlir::Value neg(mlir::Value a) {
    return mlir::arith::NegFOp::create(builder, loc, a);
  }
  mlir::Value abs(mlir::Value a) {
    return mlir::math::AbsFOp::create(builder, loc, a);
  }
  mlir::Value sqrt(mlir::Value a) {
    return mlir::math::SqrtOp::create(builder, loc, a);
  }
  /// a * b + c, rounded once.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return mlir::math::FmaOp::create(builder, loc, a, b, c);
  }
  mlir::Value copySign(mlir::Value a, mlir::Value sign) {
    return mlir::math::CopySignOp::create(builder, loc, a, sign);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(builder, loc, condition, a, b);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpFPredicate::OLT, a, b);
  }
  mlir::Value greater(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpFPredicate::OGT, a, b);
  }
  mlir::Value equal(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpFPredicate::OEQ, a, b);
  }
  mlir::Value isNan(mlir::Value a) {
    return compare(mlir::arith::CmpFPredicate::UNO, a, a);
  }
  /// NaN stays NaN.
  mlir::Value clamp(mlir::Value a, double low, double high) {
    mlir::Value least = constant(low);
    mlir::Value most = constant(high);
    a = select(less(a, least), least, a);
    return select(greater(a, most), most, a);
  }

  mlir::Value toBits(mlir::Value a) {
    return mlir::arith::BitcastOp::create(builder, loc, integerType, a);
  }
  mlir::Value fromBits(mlir::Value a) {
    return mlir::arith::BitcastOp::create(builder, loc, type, a);
  }
  mlir::Value addBits(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddIOp::create(builder, loc, a, b);
  }
  mlir::Value subBits(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubIOp::create(builder, loc, a, b);
  }
  mlir::Value andBits(mlir::Value a, mlir::Value b) {
    return mlir::arith::AndIOp::create(builder, loc, a, b);
  }
  mlir::Value orBits(mlir::Value a, mlir::Value b) {
    return mlir::arith::OrIOp::create(builder, loc, a, b);
  }
  mlir::Value shiftLeft(mlir::Value a, int64_t count) {
    return mlir::arith::ShLIOp::create(builder, loc, a, bits(count));
  }
  mlir::Value shiftRight(mlir::Value a, int64_t count) {
    return mlir::arith::ShRUIOp::create(builder, loc, a, bits(count));
  }
  mlir::Value isNonZero(mlir::Value a) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::ne, a, bits(0));
  }

  /// c[0] + c[1] x + c[2] x^2 + ...
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> c) {
    mlir::Value sum = constant(c.back());
    for (double factor : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, constant(factor));
    return sum;
  }

  /// A number rounded to an integer, as a float and as bits whose low part is
  /// that integer. Adding 1.5 * 2^mantissa rounds to nearest even.
  struct Rounded {
    mlir::Value value;
    mlir::Value integer;
  };
  Rounded round(mlir::Value x, mlir::Value factor) {
    double magic = wide ? 0x1.8p52 : 0x1.8p23;
    mlir::Value shifted = fma(x, factor, constant(magic));
    mlir::Value value = sub(shifted, constant(magic));
    mlir::Value integer = subBits(toBits(shifted), toBits(constant(magic)));
    return {value, integer};
  }
  /// 2^n of a small integer.
  mlir::Value powerOfTwo(mlir::Value integer) {
    int64_t bias = wide ? 1023 : 127;
    return fromBits(shiftLeft(addBits(integer, bits(bias)), wide ? 52 : 23));
  }
  /// x * 2^n in two steps, so that neither overflows before the result does.
  mlir::Value scale(mlir::Value x, mlir::Value integer) {
    mlir::Value half =
        mlir::arith::ShRSIOp::create(builder, loc, integer, bits(1));
    mlir::Value rest = subBits(integer, half);
    return mul(mul(x, powerOfTwo(half)), powerOfTwo(rest));
  }

private:
  mlir::Value splat(mlir::Type of, mlir::TypedAttr value) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(of))
      value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
    return mlir::arith::ConstantOp::create(builder, loc, value);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  mlir::Type integerType;
  bool wide;
  bool ofSingle;
};

/// x = n pi/2 + r + low for an integer n, whose low bits are those of
/// `integer`; low is what r lost by rounding. In f64, for every x.
struct Angle {
  mlir::Value r;
  mlir::Value low;
  mlir::Value integer;
};
Angle reduceAngle(MathBuilder &b, mlir::Value x);

/// Functions of one and two arguments; `b` says whether in f32 or f64. Those
/// without an own f32 form are computed in f64 there.
using UnaryFunction = mlir::Value (*)(MathBuilder &, mlir::Value);
using BinaryFunction = mlir::Value (*)(MathBuilder &, mlir::Value, mlir::Value);

mlir::Value buildExp(MathBuilder &b, mlir::Value x);
mlir::Value buildExp2(MathBuilder &b, mlir::Value x);
mlir::Value buildExpM1(MathBuilder &b, mlir::Value x);
mlir::Value buildLog(MathBuilder &b, mlir::Value x);
mlir::Value buildLog2(MathBuilder &b, mlir::Value x);
mlir::Value buildLog10(MathBuilder &b, mlir::Value x);
mlir::Value buildLog1p(MathBuilder &b, mlir::Value x);
mlir::Value buildPow(MathBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value buildCbrt(MathBuilder &b, mlir::Value x);
mlir::Value buildSin(MathBuilder &b, mlir::Value x);
mlir::Value buildCos(MathBuilder &b, mlir::Value x);
mlir::Value buildTan(MathBuilder &b, mlir::Value x);
mlir::Value buildAsin(MathBuilder &b, mlir::Value x);
mlir::Value buildAcos(MathBuilder &b, mlir::Value x);
mlir::Value buildAtan(MathBuilder &b, mlir::Value x);
mlir::Value buildAtan2(MathBuilder &b, mlir::Value y, mlir::Value x);
mlir::Value buildSinh(MathBuilder &b, mlir::Value x);
mlir::Value buildCosh(MathBuilder &b, mlir::Value x);
mlir::Value buildTanh(MathBuilder &b, mlir::Value x);
mlir::Value buildAsinh(MathBuilder &b, mlir::Value x);
mlir::Value buildAcosh(MathBuilder &b, mlir::Value x);
mlir::Value buildAtanh(MathBuilder &b, mlir::Value x);
mlir::Value buildErf(MathBuilder &b, mlir::Value x);
mlir::Value buildErfc(MathBuilder &b, mlir::Value x);
mlir::Value buildRemainder(MathBuilder &b, mlir::Value x, mlir::Value y);

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_MATH_MATHBUILDER_H
