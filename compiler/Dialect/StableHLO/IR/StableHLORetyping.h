// Conversions of a whole program's types: what they have in common.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLORETYPING_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLORETYPING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace ferrule::stablehlo {

/// The same operation, which has no bodies, on other operands and with other
/// result types. The caller replaces it.
mlir::Operation *rebuild(mlir::OpBuilder &b, mlir::Operation *op,
                         mlir::ValueRange operands, mlir::TypeRange types);

/// The same operation on converted operands, with converted result types and
/// bodies; its own bodies move there. The caller replaces it.
mlir::FailureOr<mlir::Operation *>
rebuildConverted(mlir::Operation *op, mlir::ValueRange operands,
                 const mlir::TypeConverter &converter,
                 mlir::ConversionPatternRewriter &rewriter);

/// The user of a function still sees its own types: `ferrule.type` on each
/// value whose element type `changes`. One that is there already stays.
void recordOwnTypes(mlir::func::FuncOp function,
                    llvm::function_ref<bool(mlir::Type)> changes);

/// Tuples and futures of what `converter` converts.
void addContainerConversions(mlir::TypeConverter &converter);

/// Constants whose elements keep their bits.
void addConstantPattern(const mlir::TypeConverter &converter,
                        mlir::RewritePatternSet &patterns);

/// Converts a program by `patterns` and its functions' signatures, calls and
/// returns, until every operation has legal types, also in its bodies, or no
/// pattern applies to it.
mlir::LogicalResult convertProgram(mlir::ModuleOp module,
                                   const mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &&patterns);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLORETYPING_H
