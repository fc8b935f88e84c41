// Constants and tensors filled with one value.
#ifndef FERRULE_FRONTEND_SUPPORT_CONSTANTS_H
#define FERRULE_FRONTEND_SUPPORT_CONSTANTS_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// A constant of any attribute; the type is the attribute's.
mlir::Value constant(HloBuilder &b, mlir::ElementsAttr value);
/// A tensor<Nxi64> constant.
mlir::Value constantI64(HloBuilder &b, llvm::ArrayRef<int64_t> values);
/// A scalar constant. `number` is rounded to `element`; for integers it must
/// be exact, for booleans non-zero is true, for complex it is the real part.
mlir::Value scalar(HloBuilder &b, mlir::Type element, double number);
/// The same for integers that a double cannot hold.
mlir::Value scalarInt(HloBuilder &b, mlir::Type element, int64_t number);
/// The least and the greatest value of the type; infinities for floats.
mlir::Value lowestScalar(HloBuilder &b, mlir::Type element);
mlir::Value highestScalar(HloBuilder &b, mlir::Type element);
/// The greatest finite value, or the integer type's greatest.
mlir::Value largestFiniteScalar(HloBuilder &b, mlir::Type element);

/// A tensor of the given sizes filled with a scalar value.
mlir::Value fill(HloBuilder &b, mlir::Value scalar, llvm::ArrayRef<Size> sizes);
mlir::Value full(HloBuilder &b, llvm::ArrayRef<Size> sizes, mlir::Type element,
                 double number);
/// A tensor of the shape and element type of `like`.
mlir::Value fullLike(HloBuilder &b, mlir::Value like, double number);

/// Counts 0, 1, 2 ... along `dim`.
mlir::Value iota(HloBuilder &b, llvm::ArrayRef<Size> sizes, int64_t dim,
                 mlir::Type element);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_CONSTANTS_H
