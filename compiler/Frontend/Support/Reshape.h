// Operations that rearrange elements without computing on them.
#ifndef FERRULE_FRONTEND_SUPPORT_RESHAPE_H
#define FERRULE_FRONTEND_SUPPORT_RESHAPE_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// The same elements, in row-major order, under other sizes. One size may be
/// the number -1: it follows from the others, where equal sizes on both sides
/// cancel instead of being divided.
mlir::Value reshape(HloBuilder &b, mlir::Value value,
                    llvm::ArrayRef<Size> sizes);
/// Dimensions [start, end] (inclusive) become one.
mlir::Value flatten(HloBuilder &b, mlir::Value value, int64_t start,
                    int64_t end);
/// Dimension `dim` becomes several; one of them may be -1.
mlir::Value unflatten(HloBuilder &b, mlir::Value value, int64_t dim,
                      llvm::ArrayRef<Size> sizes);
/// Inserts sizes of 1 so that they stand at `dims` of the result.
mlir::Value unsqueeze(HloBuilder &b, mlir::Value value,
                      llvm::ArrayRef<int64_t> dims);
/// Removes the dimensions; each has size 1 (a `?` is 1 at run time).
mlir::Value squeeze(HloBuilder &b, mlir::Value value,
                    llvm::ArrayRef<int64_t> dims);
/// Adds leading sizes of 1 up to the rank.
mlir::Value padRank(HloBuilder &b, mlir::Value value, int64_t rank);

/// Result dimension i is dimension permutation[i] of the value.
mlir::Value transpose(HloBuilder &b, mlir::Value value,
                      llvm::ArrayRef<int64_t> permutation);
mlir::Value swapDims(HloBuilder &b, mlir::Value value, int64_t x, int64_t y);
/// Takes a dimension out and puts it in at another place.
mlir::Value moveDim(HloBuilder &b, mlir::Value value, int64_t from, int64_t to);
/// The order along the dimensions is reversed.
mlir::Value reverse(HloBuilder &b, mlir::Value value,
                    llvm::ArrayRef<int64_t> dims);

/// Values one after another along `dim`.
mlir::Value concat(HloBuilder &b, mlir::ValueRange values, int64_t dim);
/// Values of one shape, along a new dimension `dim`.
mlir::Value stack(HloBuilder &b, mlir::ValueRange values, int64_t dim);
/// The value repeated; missing leading dimensions count as 1.
mlir::Value tile(HloBuilder &b, mlir::Value value,
                 llvm::ArrayRef<Size> repeats);
/// Each element repeated `times` along `dim`, one after another.
mlir::Value repeatInterleave(HloBuilder &b, mlir::Value value, int64_t dim,
                             Size times);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_RESHAPE_H
