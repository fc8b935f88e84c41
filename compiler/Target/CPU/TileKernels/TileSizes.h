// How large the tiles of a kernel are.
#ifndef FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILESIZES_H
#define FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILESIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace ferrule::cpu {

/// Tile sizes for the loops of `op`, the last of its kernel; 0 leaves a loop
/// whole. Loops along which what `op` reads would be computed again and again
/// stay whole, and a workgroup has enough work to be worth starting.
llvm::SmallVector<mlir::OpFoldResult>
chooseTileSizes(mlir::OpBuilder &builder, mlir::TilingInterface op);

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILESIZES_H
