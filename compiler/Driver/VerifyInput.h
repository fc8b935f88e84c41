// What can be said about a compilation before it starts.
#ifndef FERRULE_COMPILER_DRIVER_VERIFYINPUT_H
#define FERRULE_COMPILER_DRIVER_VERIFYINPUT_H

#include "compiler/Driver/Driver.h"

namespace ferrule {

/// Emits an error and fails for unknown targets, for ops that no dialect knows,
/// and for programs without an entry or with calls of what has no body.
mlir::LogicalResult verifyInput(mlir::ModuleOp module,
                                const CompileOptions &options);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_VERIFYINPUT_H
