// The stablehlo dialect: operations, types, attributes.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLO_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLO_H

#include "compiler/Dialect/StableHLO/IR/StableHLOTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ferrule {
/// Makes the dialect known to contexts made with `registry`.
void registerStableHLODialect(mlir::DialectRegistry &registry);
} // namespace ferrule

#include "compiler/Dialect/StableHLO/IR/StableHLODialect.h.inc"
#include "compiler/Dialect/StableHLO/IR/StableHLOEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOAttrs.h.inc"

namespace ferrule::stablehlo {
/// The letters of a convolution's layouts: `[b, 0, f]x[0, i, o]->[b, 0, f]`.
mlir::ParseResult parseConvDimensions(mlir::AsmParser &parser,
                                      ConvDimensionNumbersAttr &result);
void printConvDimensions(mlir::AsmPrinter &printer,
                         ConvDimensionNumbersAttr dims);

/// Checks what the specification asks of an operation on quantized tensors.
mlir::LogicalResult verifyQuantization(mlir::Operation *op);

template <typename OpT>
class VerifiesQuantization
    : public mlir::OpTrait::TraitBase<OpT, VerifiesQuantization> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyQuantization(op);
  }
};
} // namespace ferrule::stablehlo

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOTypes.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOOps.h.inc"

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLO_H
