// A counted loop over whole tensors, for algorithms that go column by column.
#ifndef FERRULE_FRONTEND_SUPPORT_COLUMNLOOP_H
#define FERRULE_FRONTEND_SUPPORT_COLUMNLOOP_H

#include "compiler/Frontend/Support/Shapes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferrule::frontend {

/// Runs `step` for 0 .. count - 1 (an i64 scalar and the state, which it gives
/// back anew), as long as `goesOn` holds where it is given. Types of the state
/// stay those of `inits`.
llvm::SmallVector<mlir::Value> columnLoop(
    HloBuilder &b, Size count, mlir::ValueRange inits,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(HloBuilder &, mlir::Value,
                                                      mlir::ValueRange)>
        step,
    llvm::function_ref<mlir::Value(HloBuilder &, mlir::ValueRange)> goesOn =
        nullptr);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_COLUMNLOOP_H
