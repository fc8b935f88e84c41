#ifndef FERRULE_TRANSFORMS_EVALUATECONSTANTS_EVALUATECONSTANTS_H
#define FERRULE_TRANSFORMS_EVALUATECONSTANTS_EVALUATECONSTANTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/EvaluateConstants/EvaluateConstants.h.inc"

/// Constant-only computation of one function, moved to a function of its own.
struct HoistedConstants {
  /// Holds `func.func @constants(constants...) -> results...`.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The constants that are its arguments, in order.
  llvm::SmallVector<mlir::ElementsAttr> arguments;
  /// The values of the original function that it computes, in order.
  llvm::SmallVector<mlir::Value> results;
};

/// Copies the constant-only computation of `func` that is worth evaluating.
/// Returns nothing when there is none. Values larger than what they are
/// computed from (broadcasts, iotas) are left for run time.
std::optional<HoistedConstants> hoistConstants(mlir::func::FuncOp func);

/// Runs a module that holds @constants on the given arguments and returns one
/// attribute per result.
using ConstantEvaluator =
    std::function<mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>(
        HoistedConstants &)>;

/// Replaces constant-only computation in all functions of `module` by its
/// values.
mlir::LogicalResult evaluateConstants(mlir::ModuleOp module,
                                      const ConstantEvaluator &evaluate);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_EVALUATECONSTANTS_EVALUATECONSTANTS_H
