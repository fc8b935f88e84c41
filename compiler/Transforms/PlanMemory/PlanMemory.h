#ifndef FERRULE_TRANSFORMS_PLANMEMORY_PLANMEMORY_H
#define FERRULE_TRANSFORMS_PLANMEMORY_PLANMEMORY_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/PlanMemory/PlanMemory.h.inc"

/// A buffer of `bytes` that is in use from step `begin` up to step `end`.
struct PlannedBuffer {
  int64_t bytes = 0;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t offset = 0;
};

/// Sets the offsets, multiples of 64, so that no two buffers with common steps
/// overlap. Returns the bytes of the arena.
int64_t assignOffsets(llvm::MutableArrayRef<PlannedBuffer> buffers);

/// Moves buffers of static size that loops and branches pass around out of
/// them, and makes buffers that are only copied to an output the output.
void hoistCarriedBuffers(mlir::func::FuncOp function);

/// Gives the static buffers of the function their offsets. Fails with a
/// diagnostic at a buffer whose elements have no storage.
mlir::LogicalResult planMemory(mlir::func::FuncOp function);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_PLANMEMORY_PLANMEMORY_H
