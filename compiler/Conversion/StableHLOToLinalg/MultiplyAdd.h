// What dot_general and convolution share: sums of products.
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_MULTIPLYADD_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_MULTIPLYADD_H

#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

namespace ferrule::lowering {

/// Element types of a product, with signedness.
struct ProductTypes {
  mlir::Type lhs, rhs, result;
};

/// Sums of f16, bf16 and narrower are kept in f32.
mlir::Type accumulatorType(mlir::Type element);

/// A generic that adds products to zeros; `maps` are those of lhs, rhs and
/// the result of the given sizes. Rounded once at the end if the accumulator
/// is wider than the result.
mlir::Value multiplyAddGeneric(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Value lhs, mlir::Value rhs,
                               const Sizes &sizes,
                               llvm::ArrayRef<mlir::AffineMap> maps,
                               llvm::ArrayRef<mlir::utils::IteratorType> loops,
                               const ProductTypes &types);

/// stablehlo.convert of a whole tensor.
mlir::Value convertElements(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value tensor, mlir::Type from,
                            mlir::Type to);

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_MULTIPLYADD_H
