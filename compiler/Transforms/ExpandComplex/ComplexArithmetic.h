// Complex arithmetic on pairs of real tensors.
#ifndef FERRULE_TRANSFORMS_EXPANDCOMPLEX_COMPLEXARITHMETIC_H
#define FERRULE_TRANSFORMS_EXPANDCOMPLEX_COMPLEXARITHMETIC_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ferrule {

/// A real and an imaginary part of one type.
struct Pair {
  mlir::Value re, im;
};

/// Builds what functions of complex numbers are on their parts. The formulas
/// are the textbook ones, arranged so that no intermediate value overflows
/// where the result does not (division after R. L. Smith, 1962).
struct ComplexArithmetic {
  mlir::ImplicitLocOpBuilder &b;

  mlir::Value number(mlir::Value like, double value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value divide(mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value pred, mlir::Value x, mlir::Value y);
  mlir::Value compare(mlir::Value x, mlir::Value y,
                      stablehlo::ComparisonDirection direction);

  Pair multiply(Pair x, Pair y);
  Pair divide(Pair x, Pair y);
  Pair select(mlir::Value pred, Pair x, Pair y);
  mlir::Value abs(Pair x);
  Pair sign(Pair x);
  Pair exp(Pair x);
  Pair expm1(Pair x);
  Pair log(Pair x);
  Pair log1p(Pair x);
  Pair sqrt(Pair x);
  Pair rsqrt(Pair x);
  Pair power(Pair x, Pair y);
  Pair sine(Pair x);
  Pair cosine(Pair x);
  Pair tanh(Pair x);
  Pair tan(Pair x);
  Pair logistic(Pair x);

private:
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
};

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_EXPANDCOMPLEX_COMPLEXARITHMETIC_H
