// Turns tiled kernels into loops on buffers.
#ifndef FERRULE_COMPILER_TARGET_CPU_LOWERKERNELS_LOWERKERNELS_H
#define FERRULE_COMPILER_TARGET_CPU_LOWERKERNELS_LOWERKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include <string>

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h.inc"

namespace cpu {

/// Which variant a lowered kernel belongs to: the CPU's name.
constexpr llvm::StringLiteral kVariantAttr = "byre.variant";
/// Set on kernels that hold vector code: they need no loop vectorizer.
constexpr llvm::StringLiteral kVectorizedAttr = "byre.vectorized";

/// Arguments of a lowered kernel before its buffers.
enum KernelArgument : unsigned { kFirst, kLast, kScratch, kFirstBuffer };

/// Rewrites the signature to buffers and bufferizes the body in place.
mlir::LogicalResult bufferizeKernel(mlir::func::FuncOp kernel);

/// Turns scf.forall loops into one range of workgroups, first to last.
void lowerWorkgroups(mlir::func::FuncOp kernel);

/// Places allocations in the scratch argument and sets `byre.scratch`.
mlir::LogicalResult placeAllocations(mlir::func::FuncOp kernel);

/// Lowers linalg ops on buffers to loops: contractions and what surrounds them
/// on vectors, the rest on scalars.
mlir::LogicalResult lowerToLoops(mlir::func::FuncOp kernel,
                                 unsigned vectorBits);

/// Keeps booleans in memory as bytes.
void widenBooleans(mlir::func::FuncOp kernel);

} // namespace cpu
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_CPU_LOWERKERNELS_LOWERKERNELS_H
