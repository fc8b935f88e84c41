// Element types, the compatibility of types, and small structs that the ops'
// declarations need.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOTYPES_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOTYPES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferrule::stablehlo {

/// Fills the block of a region: gets the block's arguments and ends the block
/// with stablehlo.return.
using BodyBuilder = llvm::function_ref<void(mlir::OpBuilder &, mlir::Location,
                                            mlir::ValueRange)>;
/// The same for a region without arguments.
using BranchBuilder =
    llvm::function_ref<void(mlir::OpBuilder &, mlir::Location)>;

/// A window along one dimension. Sizes are in elements; a negative padding
/// cuts; `size` may be dynamic.
struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t paddingLow = 0;
  int64_t paddingHigh = 0;
  int64_t baseDilation = 1;
  int64_t windowDilation = 1;
  bool reversal = false;
};

bool isPredElement(mlir::Type type);
bool isIntElement(mlir::Type type);
bool isSIntElement(mlir::Type type);
bool isFloatElement(mlir::Type type);
bool isComplexElement(mlir::Type type);
bool isQuantizedElement(mlir::Type type);

/// Whether values of the two types can be the same value: equal up to sizes
/// that one side does not know, their bounds, and the scales and zero points
/// of quantized elements.
bool areCompatibleTypes(mlir::Type left, mlir::Type right);
bool areCompatibleTypes(mlir::TypeRange left, mlir::TypeRange right);
/// The part of the above that looks at element types only.
bool areCompatibleElements(mlir::Type left, mlir::Type right);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOTYPES_H
