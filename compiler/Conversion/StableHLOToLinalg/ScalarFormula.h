// Formulas on float scalars, written with operators.
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_SCALARFORMULA_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_SCALARFORMULA_H

#include "compiler/Conversion/StableHLOToLinalg/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ferrule::lowering {

/// A float scalar and where code for it goes.
struct Formula {
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;

  Formula constant(double v) const {
    return {b, getConstant(*b, b->getLoc(), value.getType(), v)};
  }
  template <typename OpT> Formula apply() const {
    return {b, OpT::create(*b, value)};
  }
  template <typename OpT> Formula apply(Formula other) const {
    return {b, OpT::create(*b, value, other.value)};
  }
  Formula operator-() const { return apply<mlir::arith::NegFOp>(); }
  Formula abs() const { return apply<mlir::math::AbsFOp>(); }
  Formula exp() const { return apply<mlir::math::ExpOp>(); }
  Formula log() const { return apply<mlir::math::LogOp>(); }
  Formula log1p() const { return apply<mlir::math::Log1pOp>(); }
  Formula sqrt() const { return apply<mlir::math::SqrtOp>(); }
  Formula floor() const { return apply<mlir::math::FloorOp>(); }
  Formula sin() const { return apply<mlir::math::SinOp>(); }
  Formula cos() const { return apply<mlir::math::CosOp>(); }
  Formula tan() const { return apply<mlir::math::TanOp>(); }
  Formula erf() const { return apply<mlir::math::ErfOp>(); }
  Formula erfc() const { return apply<mlir::math::ErfcOp>(); }
  Formula pow(Formula y) const { return apply<mlir::math::PowFOp>(y); }
  Formula copySign(Formula y) const {
    return apply<mlir::math::CopySignOp>(y);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate p, Formula y) const {
    return mlir::arith::CmpFOp::create(*b, p, value, y.value);
  }
  mlir::Value operator<(Formula y) const {
    return compare(mlir::arith::CmpFPredicate::OLT, y);
  }
  mlir::Value operator<(double y) const { return *this < constant(y); }
  mlir::Value operator<=(double y) const {
    return compare(mlir::arith::CmpFPredicate::OLE, constant(y));
  }
  mlir::Value operator>(double y) const {
    return compare(mlir::arith::CmpFPredicate::OGT, constant(y));
  }
  mlir::Value operator==(Formula y) const {
    return compare(mlir::arith::CmpFPredicate::OEQ, y);
  }
  mlir::Value operator==(double y) const { return *this == constant(y); }
};

inline Formula operator+(Formula x, Formula y) {
  return x.apply<mlir::arith::AddFOp>(y);
}
inline Formula operator-(Formula x, Formula y) {
  return x.apply<mlir::arith::SubFOp>(y);
}
inline Formula operator*(Formula x, Formula y) {
  return x.apply<mlir::arith::MulFOp>(y);
}
inline Formula operator/(Formula x, Formula y) {
  return x.apply<mlir::arith::DivFOp>(y);
}
inline Formula operator+(Formula x, double y) { return x + x.constant(y); }
inline Formula operator-(Formula x, double y) { return x - x.constant(y); }
inline Formula operator*(Formula x, double y) { return x * x.constant(y); }
inline Formula operator/(Formula x, double y) { return x / x.constant(y); }
inline Formula operator+(double x, Formula y) { return y.constant(x) + y; }
inline Formula operator-(double x, Formula y) { return y.constant(x) - y; }
inline Formula operator*(double x, Formula y) { return y.constant(x) * y; }
inline Formula operator/(double x, Formula y) { return y.constant(x) / y; }

inline Formula select(mlir::Value condition, Formula x, Formula y) {
  return {x.b, mlir::arith::SelectOp::create(*x.b, condition, x.value,
                                             y.value)};
}
inline Formula select(mlir::Value condition, double x, Formula y) {
  return select(condition, y.constant(x), y);
}
/// c[0] + c[1] x + c[2] x^2 + ...
inline Formula polynomial(Formula x, llvm::ArrayRef<double> c) {
  Formula sum = x.constant(c.back());
  for (double next : llvm::reverse(c.drop_back()))
    sum = sum * x + next;
  return sum;
}

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_SCALARFORMULA_H
