// The body of a linalg op on vectors of points.
#ifndef FERRULE_COMPILER_TARGET_CPU_CONTRACTION_VECTORBODY_H
#define FERRULE_COMPILER_TARGET_CPU_CONTRACTION_VECTORBODY_H

#include "compiler/Target/CPU/Contraction/LoopNest.h"
#include "mlir/IR/IRMapping.h"

namespace ferrule::cpu {

/// Whether each element has bytes of its own that vectors can be made of. A
/// boolean is a byte.
bool hasVectorElements(mlir::Type type);

/// Whether the ops of the body also work on vectors.
bool hasVectorForm(mlir::linalg::LinalgOp op);

/// Points that one vector of the widest operand holds.
int64_t countLanes(mlir::linalg::LinalgOp op, unsigned vectorBits);

/// Clones the body of `op` for `count` points that follow each other along
/// the loop `lane`, from the current indices on.
class VectorBody {
protected:
  using Value = mlir::Value;

  VectorBody(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
             unsigned lane);

  /// A number for each of `count` points.
  Value widen(Value value, int64_t count);
  /// The operand at `count` points, contiguous or the same for all.
  Value read(mlir::OpOperand &operand, int64_t count);
  void cloneBody(mlir::IRMapping &map, int64_t count);
  /// The part of a loop that goes in whole steps.
  Value wholePart(unsigned loop, int64_t step);
  void loopOver(unsigned loop, Value from, Value to, int64_t step,
                llvm::function_ref<void()> body);

  LoopNest nest;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::linalg::LinalgOp op;
  unsigned lane;
  llvm::SmallVector<Value> indices;

private:
  Value readIndex(unsigned loop, int64_t count);
};

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_CONTRACTION_VECTORBODY_H
