// The scalar meaning of StableHLO's elementwise ops: the bodies of generics,
// reductions, sorts and scatters, and shape arithmetic.
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_SCALARS_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_SCALARS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace ferrule::lowering {

/// Where and for what a scalar is computed. Types keep their signedness
/// (`ui8`); the values are signless.
struct ScalarContext {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Operation *op;
  /// Element types of the op's first operand and of its result.
  mlir::Type operandType, resultType;
  mlir::ValueRange in;

  mlir::Value constant(mlir::Type type, double value);
};

/// Whether `emitScalarOp` knows the op.
bool isElementwise(mlir::Operation *op);

/// Emits the op for one element. Returns null, with no diagnostic, when its
/// types have no scalar form.
mlir::Value emitScalarOp(mlir::OpBuilder &b, mlir::Operation *op,
                         mlir::ValueRange operands);

// Parts of it by type of operand. Null when the op is not of the part.
mlir::Value emitIntegerOp(ScalarContext &c);
mlir::Value emitFloatOp(ScalarContext &c);
mlir::Value emitComplexOp(ScalarContext &c);
/// Functions of complex<f64>, computed by their real and imaginary parts.
mlir::Value emitComplexFormula(ScalarContext &c);
/// Elementwise calls by name (`@ferrule.erf`).
mlir::Value emitNamedCall(ScalarContext &c, llvm::StringRef name);
bool isNamedElementwiseCall(llvm::StringRef name);

/// Conversion between element types as stablehlo.convert defines it.
mlir::Value emitConvert(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, mlir::Type from, mlir::Type to);
mlir::Value emitCompare(ScalarContext &c);
mlir::Value emitReducePrecision(ScalarContext &c);
/// An integer whose signed order is the total order of the floats.
mlir::Value emitTotalOrderKey(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value value);

//===-- Elements that are kept as bytes ----------------------------------===//

/// Floats of at most eight bits; integers of two to seven.
bool isSmallFloat(mlir::Type type);
bool isNarrowInteger(mlir::Type type);
/// Narrow integers between the stored byte and their own width; other values
/// stay as they are.
mlir::Value toOwnWidth(mlir::OpBuilder &b, mlir::Location loc, mlir::Value byte,
                       mlir::Type element);
mlir::Value toStored(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                     mlir::Type element);
/// The bits of an element as they are stored.
llvm::APInt storedBits(mlir::Type element, const llvm::APInt &bits);
/// Between the byte and f32. Rounds half to even; formats without infinity
/// overflow to NaN, those without NaN saturate and have -0 for NaN.
mlir::Value decodeSmallFloat(mlir::OpBuilder &b, mlir::Location loc,
                             mlir::Value byte, mlir::FloatType type);
mlir::Value encodeSmallFloat(mlir::OpBuilder &b, mlir::Location loc,
                             mlir::Value value, mlir::FloatType type);
/// f64 to f32 so that rounding the result once more, to a narrower type, is
/// right: towards zero, with the last bit set when inexact.
mlir::Value truncateToOdd(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value);

/// A region on rank-0 tensors, to be written as scalar code.
class ScalarRegion {
public:
  /// Reads rank-0 tensors that the region uses from outside at the builder's
  /// place. `remap` gives the converted form of such a value.
  ScalarRegion(mlir::OpBuilder &b, mlir::Region &region,
               llvm::function_ref<mlir::Value(mlir::Value)> remap);

  /// Emits the code for the given block arguments; the returned values have
  /// the region's own (signless) types. Fails with a diagnostic.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emit(mlir::OpBuilder &b, mlir::ValueRange arguments) const;

  /// Diagnoses an op that has no scalar form; emit() cannot fail afterwards.
  mlir::LogicalResult verify() const;

  /// Element types of the block's arguments, with signedness.
  mlir::Type argumentType(unsigned i) const;

private:
  mlir::Region &region;
  llvm::DenseMap<mlir::Value, mlir::Value> captured;
};

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_SCALARS_H
