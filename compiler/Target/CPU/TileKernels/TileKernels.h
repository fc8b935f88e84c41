// Splits kernels into workgroups.
#ifndef FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILEKERNELS_H
#define FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_TILEKERNELS_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
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

/// A temporary of a kernel that is too large for a worker's scratch: an out
/// argument whose contents nobody needs, a part for each workgroup.
struct Workspace {
  /// The loop whose workgroups have a part each; null when there is one part.
  mlir::scf::ForallOp loop;
  /// The sizes of a part, known or computed from the kernel's arguments.
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  mlir::Type elementType;
};

/// Moves temporaries of unknown or large size to additional out arguments,
/// which the kernel returns unchanged; `byre.workspaces` is their number.
mlir::FailureOr<llvm::SmallVector<Workspace>>
addWorkspaces(mlir::func::FuncOp kernel);

/// Gives a launch the outs that its kernel's workspaces need.
mlir::FailureOr<byre::DispatchOp>
passWorkspaces(byre::DispatchOp dispatch, mlir::func::FuncOp kernel,
               llvm::ArrayRef<Workspace> workspaces);

/// Set on kernels whose last outs are workspaces.
constexpr llvm::StringLiteral kWorkspacesAttr = "byre.workspaces";

/// Computes before `dispatch` how many workgroups `kernel` has for these
/// operands.
mlir::FailureOr<mlir::Value> countWorkgroups(mlir::OpBuilder &builder,
                                             byre::DispatchOp dispatch,
                                             mlir::func::FuncOp kernel);

/// Copies index arithmetic of a kernel to a launch of it.
class LaunchCopier {
public:
  LaunchCopier(mlir::OpBuilder &builder, byre::DispatchOp dispatch,
               mlir::func::FuncOp kernel);
  /// Fails when the value does not follow from the kernel's arguments.
  mlir::FailureOr<mlir::Value> copy(mlir::OpFoldResult value);
  /// The number of workgroups of one loop.
  mlir::FailureOr<mlir::Value> count(mlir::scf::ForallOp loop);

private:
  mlir::FailureOr<mlir::Value> copyValue(mlir::Value value);
  mlir::FailureOr<mlir::Value> copyOp(mlir::Operation *op);
  mlir::FailureOr<mlir::Value> copySize(mlir::Value source, int64_t index);
  mlir::FailureOr<mlir::Value> copyProduct(mlir::tensor::CollapseShapeOp op,
                                           int64_t index);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::IRMapping map;
};

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
