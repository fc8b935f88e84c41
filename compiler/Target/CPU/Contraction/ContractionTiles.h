// How contractions are cut: register tiles and the parts of workgroups.
#ifndef FERRULE_COMPILER_TARGET_CPU_CONTRACTION_CONTRACTIONTILES_H
#define FERRULE_COMPILER_TARGET_CPU_CONTRACTION_CONTRACTIONTILES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ferrule {

namespace cpu {

/// What of the machine the register tiles depend on.
struct RegisterFile {
  unsigned vectorBits = 512;
  /// Registers of a vector unit: 32 with AVX-512, 16 with AVX2.
  unsigned count() const { return vectorBits >= 512 ? 32 : 16; }
};

/// Tile sizes of one contraction: register tile over all loops (0: whole) in
/// the order of the loops, then the steps of the reduction loops.
struct ContractionTiles {
  llvm::SmallVector<int64_t> parallel;
  llvm::SmallVector<int64_t> reduction;
  /// Loops of `parallel` from the outermost to the innermost.
  llvm::SmallVector<int64_t> interchange;
  /// Smaller sizes for the rest of the loop that is tiled by more than one.
  int64_t ladderLoop = -1;
  llvm::SmallVector<int64_t> ladder;
};

/// Chooses the tiles; fails when the contraction has no vector form.
mlir::FailureOr<ContractionTiles>
chooseContractionTiles(mlir::linalg::LinalgOp op, const RegisterFile &file);

/// Sizes of the part of a contraction that one workgroup computes, a loop each
/// (0: whole): multiples of the register tiles. Fails like the above.
mlir::FailureOr<llvm::SmallVector<int64_t>>
chooseWorkgroupTiles(mlir::linalg::LinalgOp op);

} // namespace cpu
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_CPU_CONTRACTION_CONTRACTIONTILES_H
