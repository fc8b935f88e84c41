// The road of contractions: packed linalg on tensors -> registers.
#ifndef FERRULE_COMPILER_TARGET_CPU_CONTRACTION_VECTORIZECONTRACTIONS_H
#define FERRULE_COMPILER_TARGET_CPU_CONTRACTION_VECTORIZECONTRACTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h.inc"

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

/// Rewrites contractions of kernels for one kind of machine. Holds the pattern
/// sets, which are costly to build; may be used from several threads at once.
class ContractionRewriter {
public:
  ContractionRewriter(mlir::MLIRContext *context, const RegisterFile &file);

  /// True when `kernel` holds a contraction that has a vector form.
  bool applies(mlir::func::FuncOp kernel) const;
  /// On tensors, before bufferization.
  mlir::LogicalResult vectorize(mlir::func::FuncOp kernel) const;
  /// On buffers, after it.
  mlir::LogicalResult lowerVectors(mlir::func::FuncOp kernel) const;

private:
  void simplify(mlir::func::FuncOp kernel) const;
  mlir::LogicalResult tileRegisters(mlir::func::FuncOp kernel) const;
  mlir::LogicalResult tileReductions(mlir::func::FuncOp kernel) const;
  void dropUnitDimensions(mlir::func::FuncOp kernel) const;
  void vectorizeOps(mlir::func::FuncOp kernel) const;
  void hoistAccumulators(mlir::func::FuncOp kernel) const;

  RegisterFile file;
  mlir::FrozenRewritePatternSet canonical, unitDims, strides, toContract,
      subsets, toFMA, splitLoops, elementwise, transfers, lowerings;
};

/// vector.contract -> vector.fma; see ContractToFMA.cpp.
void populateContractToFMAPatterns(mlir::RewritePatternSet &patterns);
/// n-D loop-carried vectors -> one value a register.
void populateSplitLoopVectorsPatterns(mlir::RewritePatternSet &patterns);
/// A generic that reads at a multiple of a loop or at a shifted position ->
/// one that reads a strided slice point by point.
void populateStridesToSlicesPatterns(mlir::RewritePatternSet &patterns);
/// A generic with a multiply-add body on projected permutations ->
/// linalg.contract, which vectorises to vector.contract.
void populateGenericToContractPatterns(mlir::RewritePatternSet &patterns);

} // namespace cpu
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_CPU_CONTRACTION_VECTORIZECONTRACTIONS_H
