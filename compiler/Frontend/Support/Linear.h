// Products of matrices.
#ifndef FERRULE_FRONTEND_SUPPORT_LINEAR_H
#define FERRULE_FRONTEND_SUPPORT_LINEAR_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// Sum over pairs of contracting dimensions, for each batch. Result: batch
/// dimensions, then the rest of x, then the rest of y. The element type is
/// the operands', or `element`.
mlir::Value contract(HloBuilder &b, mlir::Value x, mlir::Value y,
                     llvm::ArrayRef<int64_t> xBatch,
                     llvm::ArrayRef<int64_t> yBatch,
                     llvm::ArrayRef<int64_t> xContract,
                     llvm::ArrayRef<int64_t> yContract,
                     mlir::Type element = {});

/// numpy.matmul: vectors, matrices and stacks of them, batch dimensions
/// broadcast.
mlir::Value matmul(HloBuilder &b, mlir::Value x, mlir::Value y,
                   mlir::Type element = {});

/// x [..., K] times the transpose of weight [N, K]: [..., N], plus bias [N]
/// (may be null).
mlir::Value linear(HloBuilder &b, mlir::Value x, mlir::Value weight,
                   mlir::Value bias);

/// alpha * op(a) op(b) + beta * c on matrices; c is broadcast and may be null.
/// BLAS rule: with beta 0, c is not read.
mlir::Value gemm(HloBuilder &b, mlir::Value x, mlir::Value y, mlir::Value c,
                 double alpha = 1, double beta = 1, bool transposeX = false,
                 bool transposeY = false);

/// Elements on and above (upper) or on and below diagonal `offset` of the
/// last two dimensions; zero elsewhere.
mlir::Value triangle(HloBuilder &b, mlir::Value x, bool upper, Size offset);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_LINEAR_H
