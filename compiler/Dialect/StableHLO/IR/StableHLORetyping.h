// Conversions of a whole program's types: what they have in common.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLORETYPING_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLORETYPING_H

#include "mlir/Transforms/DialectConversion.h"

namespace ferrule::stablehlo {

/// The same operation on converted operands, with converted result types and
/// bodies; its own bodies move there. The caller replaces it.
mlir::FailureOr<mlir::Operation *>
rebuildConverted(mlir::Operation *op, mlir::ValueRange operands,
                 const mlir::TypeConverter &converter,
                 mlir::ConversionPatternRewriter &rewriter);

/// Legal is every operation of legal types, also in its bodies.
void addTypeLegality(mlir::ConversionTarget &target,
                     const mlir::TypeConverter &converter);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLORETYPING_H
