// Files that reproduce a failure of the compiler without the user's weights.
#ifndef FERRULE_COMPILER_DRIVER_REPRO_H
#define FERRULE_COMPILER_DRIVER_REPRO_H

#include "compiler/Driver/Driver.h"

namespace ferrule {

/// True for stages whose failure is a fault of Ferrule's: those before them
/// refuse what Ferrule does not support.
bool isInternalStage(Stage stage);

/// Writes the IR before the failing stage into the temporary folder, large
/// constants replaced by seeds, and reports the file and the command that
/// replays the failure. `before` is changed.
void reportInternalFailure(mlir::ModuleOp before, Stage stage,
                           const CompileOptions &options);

/// Replaces the values of large constants by the seeds that expandSeeds() makes
/// values from: `dense<0.0>` with `ferrule.seed = 3`.
void replaceWeightsBySeeds(mlir::ModuleOp module);

/// Gives constants with a seed pseudo-random values: floats in [-1, 1), other
/// types bits. Equal seeds give equal values.
void expandSeeds(mlir::ModuleOp module);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_REPRO_H
