// Splits kernels into workgroups.
#ifndef FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILEKERNELS_H
#define FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILEKERNELS_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Target/CPU/TileKernels/TileKernels.h.inc"

namespace cpu {

/// Brings a kernel into the form that tiling works on: ops without a tiling
/// interface become generics, cheap producers are repeated in each consumer,
/// elementwise chains are one op, and each result is computed in its out
/// argument.
mlir::LogicalResult prepareKernel(mlir::func::FuncOp kernel);

/// Splits a prepared kernel into scf.forall loops. Leaves it whole where that
/// is impossible.
mlir::LogicalResult tileKernel(mlir::func::FuncOp kernel);

/// Computes before `dispatch` how many workgroups `kernel` has for these
/// operands.
mlir::FailureOr<mlir::Value> countWorkgroups(mlir::OpBuilder &builder,
                                             byre::DispatchOp dispatch,
                                             mlir::func::FuncOp kernel);

/// The argument that result `index` of a kernel is written into.
inline mlir::BlockArgument getOutArgument(mlir::func::FuncOp kernel,
                                          unsigned index) {
  // Scalars come last and are not shaped; outs are the last shaped arguments.
  unsigned shaped = 0;
  for (mlir::Type type : kernel.getArgumentTypes())
    shaped += mlir::isa<mlir::ShapedType>(type);
  return kernel.getArgument(shaped - kernel.getNumResults() + index);
}

} // namespace cpu
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILEKERNELS_H
