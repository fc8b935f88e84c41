#ifndef FERRULE_TRANSFORMS_FORMDISPATCHES_FORMDISPATCHES_H
#define FERRULE_TRANSFORMS_FORMDISPATCHES_FORMDISPATCHES_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/FormDispatches/FormDispatches.h.inc"

/// Operations that become one kernel, in program order, all in one block.
struct DispatchGroup {
  llvm::SetVector<mlir::Operation *> ops;
  /// Leading parallel loops that all operations share point by point.
  unsigned rowRank = 0;
  /// Begins with a contraction or convolution; takes only its epilogue.
  bool hasContraction = false;
  /// Takes no further operation.
  bool closed = false;
};

/// True for an operation that must be inside a kernel (not a view, a scalar,
/// a constant or control flow).
bool isComputeOp(mlir::Operation *op);

/// True for an operation that is copied into each kernel that uses it:
/// constants that are splat or small, `tensor.empty`, fills of these.
bool isClonedIntoKernels(mlir::Operation *op);

/// Divides the compute operations of `block` into groups, in the order in
/// which their kernels run.
llvm::SmallVector<DispatchGroup> groupDispatches(mlir::Block &block);

/// Replaces `group` by a `byre.dispatch` of a new kernel named `name` at the
/// end of `symbols`' module. Fails with a diagnostic at the operation that
/// has no place in a kernel.
mlir::LogicalResult outlineDispatch(DispatchGroup &group,
                                    mlir::SymbolTable &symbols,
                                    llvm::StringRef name);

/// Makes dispatches of structurally equal kernels call one of them and erases
/// the others. Locations do not count.
void mergeEqualKernels(mlir::ModuleOp module);

/// Sets `byre.work` on all launches of the module's kernels.
void estimateWork(mlir::ModuleOp module);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_FORMDISPATCHES_FORMDISPATCHES_H
