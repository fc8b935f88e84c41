// Reading shape computations backwards: what is known of a result's sizes.
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_SHAPETRACING_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_SHAPETRACING_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ferrule::lowering {

/// A size as a product of a constant and of dimensions of tensors. Unknown
/// sizes are symbols of their own, equal only to themselves.
struct SizeProduct {
  /// A dimension of a tensor, or (dimension -1) an opaque integer scalar.
  using Symbol = std::pair<mlir::Value, int64_t>;
  int64_t constant = 1;
  /// Sorted, so that equal products compare equal.
  llvm::SmallVector<Symbol, 2> symbols;

  bool operator==(const SizeProduct &other) const;
  void multiply(const SizeProduct &other);
  bool isConstant() const { return symbols.empty(); }
};

/// Dimension `d` of a StableHLO tensor.
SizeProduct traceDimension(mlir::Value tensor, int64_t d);

/// Element `i` of a shape operand (stablehlo ops: concatenate, reshape,
/// constant, get_dimension_size, convert, multiply).
SizeProduct traceShapeElement(mlir::Value shape, int64_t i);

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_SHAPETRACING_H
