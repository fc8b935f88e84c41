#ifndef FERRULE_CONVERSION_PROGRAMTOBYRE_PROGRAMTOBYRE_H
#define FERRULE_CONVERSION_PROGRAMTOBYRE_PROGRAMTOBYRE_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/ProgramToByre/ProgramToByre.h.inc"

/// Lowers structured control flow and affine arithmetic of a function on
/// buffers. Fails with a diagnostic at an operation that stays in the way.
mlir::LogicalResult convertFunctionToByre(mlir::func::FuncOp function);

} // namespace ferrule

#endif // FERRULE_CONVERSION_PROGRAMTOBYRE_PROGRAMTOBYRE_H
