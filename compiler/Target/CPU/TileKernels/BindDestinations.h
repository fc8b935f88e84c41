// Makes each result of a kernel be computed in its out argument.
#ifndef FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_BINDDESTINATIONS_H
#define FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_BINDDESTINATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ferrule::cpu {

/// Replaces the tensor.empty that each result starts from by the result's out
/// argument; a result that starts from something else is copied into it.
void bindDestinations(mlir::func::FuncOp kernel);

/// Notes, before destinations are bound, which sizes of out arguments are those
/// of inputs or scalars.
void noteOutSizes(mlir::func::FuncOp kernel);

/// Reads such sizes from the inputs, so that equal sizes are equal values.
void unifySizes(mlir::func::FuncOp kernel);

/// Elementwise consumers of a reduction update its result in place instead of
/// reading it beside an out of their own.
void updateInPlace(mlir::func::FuncOp kernel);

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_TILEKERNELS_BINDDESTINATIONS_H
