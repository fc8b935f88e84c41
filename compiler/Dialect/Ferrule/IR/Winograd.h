// Loops for Winograd convolutions with the vectors of a target.
#ifndef FERRULE_DIALECT_FERRULE_IR_WINOGRAD_H
#define FERRULE_DIALECT_FERRULE_IR_WINOGRAD_H

#include "mlir/IR/PatternMatch.h"

namespace ferrule::ext {

/// Writes loops for a bufferised `winograd_input` or `winograd_output` with
/// vectors of at most `lanes` floats. The op is left in place. Fails with a
/// diagnostic where working space is missing.
llvm::LogicalResult emitWinograd(mlir::RewriterBase &rewriter,
                                 mlir::Operation *op, int64_t lanes);

} // namespace ferrule::ext

#endif // FERRULE_DIALECT_FERRULE_IR_WINOGRAD_H
