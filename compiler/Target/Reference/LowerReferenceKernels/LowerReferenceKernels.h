// Turns kernels into loops on scalars.
#ifndef FERRULE_TARGET_REFERENCE_LOWERREFERENCEKERNELS_H
#define FERRULE_TARGET_REFERENCE_LOWERREFERENCEKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Target/Reference/LowerReferenceKernels/LowerReferenceKernels.h.inc"

namespace reference {

/// One kernel on tensors -> a function of buffers and scalars that returns
/// nothing and holds scf, arith, math, cf.assert and memref alone.
mlir::LogicalResult lowerKernel(mlir::func::FuncOp kernel);

} // namespace reference
} // namespace ferrule

#endif // FERRULE_TARGET_REFERENCE_LOWERREFERENCEKERNELS_H
