// Loops over the points of a linalg op on buffers, and access to its operands.
#ifndef FERRULE_COMPILER_TARGET_CPU_CONTRACTION_LOOPNEST_H
#define FERRULE_COMPILER_TARGET_CPU_CONTRACTION_LOOPNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ferrule::cpu {

/// Writes code for one linalg op on buffers. `indices` holds the current value
/// of each of its loops.
class LoopNest {
public:
  using Value = mlir::Value;

  LoopNest(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

  Value index(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b) { return b ? add(a, index(b)) : a; }
  /// The number of iterations of each loop.
  llvm::ArrayRef<Value> getSizes() const { return sizes; }

  /// for (i = from; i < to; i += step) body(i), the insertion point inside.
  void loop(Value from, Value to, int64_t step,
            llvm::function_ref<void(Value)> body);
  /// The same with values carried from one iteration to the next.
  llvm::SmallVector<Value>
  loop(Value from, Value to, int64_t step, mlir::ValueRange carried,
       llvm::function_ref<llvm::SmallVector<Value>(Value, mlir::ValueRange)>
           body);

  /// Where the operand's element for `indices` lies.
  llvm::SmallVector<Value> locate(mlir::OpOperand &operand,
                                  llvm::ArrayRef<Value> indices);
  Value load(mlir::OpOperand &operand, llvm::ArrayRef<Value> indices);
  Value loadVector(mlir::OpOperand &operand, llvm::ArrayRef<Value> indices,
                   int64_t lanes);
  void store(Value value, mlir::OpOperand &operand,
             llvm::ArrayRef<Value> indices);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::linalg::LinalgOp op;

private:
  llvm::SmallVector<Value> sizes;
};

/// How an operand depends on one loop.
enum class LaneAccess {
  /// Not at all.
  Invariant,
  /// Step by step through memory.
  Contiguous,
  /// In another way.
  Other
};
LaneAccess getLaneAccess(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                         unsigned loop);

/// Lowers a multiply-add op to register tiles of vectors; fails without a
/// change where the op has no such form.
mlir::LogicalResult lowerContraction(mlir::OpBuilder &builder,
                                     mlir::linalg::LinalgOp op,
                                     unsigned vectorBits);

/// Lowers an elementwise op to vector code along its contiguous loop; fails
/// without a change where it cannot.
mlir::LogicalResult lowerElementwise(mlir::OpBuilder &builder,
                                     mlir::linalg::LinalgOp op,
                                     unsigned vectorBits);

/// The same for an op that has inputs contiguous along another loop than its
/// results, and for no other op.
mlir::LogicalResult lowerTransposed(mlir::OpBuilder &builder,
                                    mlir::linalg::LinalgOp op,
                                    unsigned vectorBits);

/// Lowers an op that reduces contiguous rows to vector code, with the partial
/// results of a row in several vectors; fails without a change where it cannot.
mlir::LogicalResult lowerReduction(mlir::OpBuilder &builder,
                                   mlir::linalg::LinalgOp op,
                                   unsigned vectorBits);

/// Whether the op is a sum of products over vectors, by its body and maps.
bool isVectorContraction(mlir::linalg::LinalgOp op);

} // namespace ferrule::cpu

#endif // FERRULE_COMPILER_TARGET_CPU_CONTRACTION_LOOPNEST_H
