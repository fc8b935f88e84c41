// Ops that move data, as generics that compute where each element comes from.
#ifndef FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_INDEXFORM_H
#define FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_INDEXFORM_H

#include "mlir/IR/PatternMatch.h"

namespace ferrule::cpu {

/// tensor.pad, linalg.pack and linalg.unpack -> linalg.generic with a read at a
/// computed index; such a generic can be tiled and fused like any other.
void populateIndexFormPatterns(mlir::RewritePatternSet &patterns);

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_INDEXFORM_H
