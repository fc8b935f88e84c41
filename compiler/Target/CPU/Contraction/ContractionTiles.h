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

/// The register tile of one contraction.
struct ContractionTiles {
  /// Sizes of the parallel loops' tiles, in the order of the loops; 0 for
  /// reductions.
  llvm::SmallVector<int64_t> parallel;
  /// The loop over rows, which share what is loaded of the weights; -1: none.
  int64_t rowLoop = -1;
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
