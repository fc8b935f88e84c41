// The ferrule dialect: computations on tensors that linalg cannot say.
#ifndef FERRULE_DIALECT_FERRULE_IR_FERRULE_H
#define FERRULE_DIALECT_FERRULE_IR_FERRULE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "compiler/Dialect/Ferrule/IR/FerruleDialect.h.inc"
#include "compiler/Dialect/Ferrule/IR/FerruleInterfaces.h.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Ferrule/IR/FerruleOps.h.inc"

namespace ferrule {

/// Adds the dialect with its bufferization models.
void registerFerruleDialect(mlir::DialectRegistry &registry);

namespace ext {

/// Replaces a bufferised op of this dialect by loops over its memrefs, with
/// `scf`, `memref`, `arith` and `math` ops only and no allocation. Fails with
/// a diagnostic when `op` is not one of them or still works on tensors.
llvm::LogicalResult lowerToLoops(mlir::RewriterBase &rewriter,
                                 mlir::Operation *op);

} // namespace ext
} // namespace ferrule

#endif // FERRULE_DIALECT_FERRULE_IR_FERRULE_H
