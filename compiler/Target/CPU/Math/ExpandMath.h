// Mathematical functions as inline code: an image has nothing to call.
#ifndef FERRULE_COMPILER_TARGET_CPU_MATH_EXPANDMATH_H
#define FERRULE_COMPILER_TARGET_CPU_MATH_EXPANDMATH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ferrule::cpu {

/// Replaces every op of a kernel that LLVM would turn into a call of a library
/// by code: functions of the math dialect, remainders, complex arithmetic and
/// arithmetic on floats that the CPU has no instructions for.
mlir::LogicalResult expandMath(mlir::func::FuncOp kernel);

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_MATH_EXPANDMATH_H
