// Checks that verifiers of several files share.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOVERIFIERS_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOVERIFIERS_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

namespace ferrule::stablehlo {

/// Checks a body that combines pairs of scalars, one pair an input: it takes
/// the left ones, then the right ones, of the types that it returns.
mlir::LogicalResult checkCombiner(mlir::Operation *op, llvm::StringRef code,
                                  mlir::Region &region, mlir::TypeRange inputs);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOVERIFIERS_H
