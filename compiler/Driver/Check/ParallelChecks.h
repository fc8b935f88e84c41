// Programs with checks that run several processes.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_PARALLELCHECKS_H
#define FERRULE_COMPILER_DRIVER_CHECK_PARALLELCHECKS_H

#include "compiler/Driver/Check/PrepareChecks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace ferrule {

/// The operation of `func` that runs a grid of functions, or null:
///
///     %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} :
///     ...
///
/// A row of `programs` is a replica, an entry a partition. Operands are the
/// arguments of all functions in turn, results those of all.
mlir::Operation *findRunParallel(mlir::func::FuncOp func);

/// Adds the names of the functions that it runs.
void collectProcessFunctions(mlir::Operation *run, llvm::StringSet<> &names);

/// Prepares a function whose body is constants, one run_parallel and checks of
/// its results against constants. The functions it names become entries of the
/// program; all such functions of a module must have grids of one size.
mlir::LogicalResult prepareParallel(mlir::func::FuncOp func,
                                    mlir::Operation *run,
                                    CheckedFunction &checked);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_PARALLELCHECKS_H
