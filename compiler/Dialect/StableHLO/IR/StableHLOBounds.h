// Upper bounds of sizes, which a tensor's encoding may hold.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOBOUNDS_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOBOUNDS_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

namespace ferrule::stablehlo {

/// Of each dimension its size where that is known, else its bound, dynamic
/// where it has none.
llvm::SmallVector<int64_t> boundsOf(mlir::RankedTensorType type);

/// A tensor with the given bounds where sizes are dynamic.
mlir::RankedTensorType makeBounded(llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> bounds,
                                   mlir::Type element);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOBOUNDS_H
