#ifndef FERRULE_TRANSFORMS_BUFFERIZEPROGRAM_BUFFERIZEPROGRAM_H
#define FERRULE_TRANSFORMS_BUFFERIZEPROGRAM_BUFFERIZEPROGRAM_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/BufferizeProgram/BufferizeProgram.h.inc"

/// Replaces `function`, whose body is one block of dispatches on tensors under
/// structured control flow, by the same function on buffers. Fails with a
/// diagnostic at an operation that has no place in a program.
mlir::LogicalResult bufferizeProgramFunction(mlir::func::FuncOp function);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_BUFFERIZEPROGRAM_BUFFERIZEPROGRAM_H
