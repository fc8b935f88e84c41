// Unsigned arithmetic on signless tensors.
#ifndef FERRULE_TRANSFORMS_CONVERTTOSIGNLESS_UNSIGNEDARITHMETIC_H
#define FERRULE_TRANSFORMS_CONVERTTOSIGNLESS_UNSIGNEDARITHMETIC_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ferrule {

/// Builds on signless integer tensors what unsigned operations mean. All
/// operands have one shape and one element type unless said otherwise.
struct UnsignedArithmetic {
  mlir::ImplicitLocOpBuilder &b;

  /// An integer everywhere, of the type and shape of `like`.
  mlir::Value constant(mlir::Value like, const llvm::APInt &value);
  mlir::Value constant(mlir::Value like, uint64_t value);
  /// The most significant bit turned: unsigned order becomes signed order.
  mlir::Value turn(mlir::Value x);
  mlir::Value compare(mlir::Value x, mlir::Value y,
                      stablehlo::ComparisonDirection direction);
  mlir::Value divide(mlir::Value x, mlir::Value y);
  mlir::Value remainder(mlir::Value x, mlir::Value y);
  mlir::Value power(mlir::Value x, mlir::Value y);
  /// To an integer type of any width, zeros in front.
  mlir::Value extend(mlir::Value x, mlir::Type element);
  mlir::Value toFloat(mlir::Value x, mlir::Type element);
  /// Floats to unsigned integers of `element`'s width; what does not fit goes
  /// to the nearest that does, NaN to 0.
  mlir::Value fromFloat(mlir::Value x, mlir::IntegerType element);
};

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_CONVERTTOSIGNLESS_UNSIGNEDARITHMETIC_H
