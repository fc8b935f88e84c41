// Reading and writing parts of tensors.
#ifndef FERRULE_FRONTEND_SUPPORT_INDEXING_H
#define FERRULE_FRONTEND_SUPPORT_INDEXING_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// Elements start, start + step ... before limit along `dim`, with
/// 0 <= start <= limit <= size and step > 0.
mlir::Value slice(HloBuilder &b, mlir::Value x, int64_t dim, Size start,
                  Size limit, Size step = 1);
/// The same for every dimension at once.
mlir::Value slice(HloBuilder &b, mlir::Value x, llvm::ArrayRef<Size> starts,
                  llvm::ArrayRef<Size> limits, llvm::ArrayRef<Size> steps);
/// Python's x[start:limit:step] along `dim`: bounds may be missing, negative
/// (from the end) or outside. A negative step must be a number.
mlir::Value pythonSlice(HloBuilder &b, mlir::Value x, int64_t dim,
                        std::optional<Size> start, std::optional<Size> limit,
                        Size step = 1);
/// x[index] along `dim`, which goes away; a negative index counts from the
/// end.
mlir::Value selectIndex(HloBuilder &b, mlir::Value x, int64_t dim, Size index);
/// The counterpart: x with `slice`, which lacks `dim`, at an index in range.
mlir::Value putIndex(HloBuilder &b, mlir::Value x, mlir::Value slice,
                     int64_t dim, Size index);
/// x with the elements of a slice (as in `pythonSlice`, step > 0) replaced.
mlir::Value sliceScatter(HloBuilder &b, mlir::Value x, mlir::Value source,
                         int64_t dim, std::optional<Size> start,
                         std::optional<Size> limit, Size step = 1);

/// Indices with the negative ones counted from the end of a size.
mlir::Value wrapNegative(HloBuilder &b, mlir::Value indices, Size size);

/// numpy.take: shape x[:dim] + indices + x[dim+1:]. Indices are in range.
mlir::Value take(HloBuilder &b, mlir::Value x, mlir::Value indices,
                 int64_t dim);
/// result[i][j] = x[indices[i][j]][j] for dim 0 (torch.gather). Indices are
/// in range; their other sizes do not exceed those of x.
mlir::Value gatherElements(HloBuilder &b, mlir::Value x, mlir::Value indices,
                           int64_t dim);
/// ONNX GatherND: the last dimension of `indices` holds positions in the
/// dimensions of x after the first `batchDims`, which both share.
mlir::Value gatherND(HloBuilder &b, mlir::Value x, mlir::Value indices,
                     int64_t batchDims = 0);
/// x[i0, :, i1 ...] (NumPy's advanced indexing): one entry per leading
/// dimension of x, null for a dimension that is kept. Index tensors are
/// integers, broadcast together, not negative.
mlir::Value advancedIndex(HloBuilder &b, mlir::Value x,
                          llvm::ArrayRef<mlir::Value> indices);

/// How an update meets the value it falls on.
enum class Combine { Replace, Add, Multiply, Minimum, Maximum };

/// The counterpart of gatherElements: x with updates (shape of `indices`, or
/// larger) put at their places, in order.
mlir::Value scatterElements(HloBuilder &b, mlir::Value x, mlir::Value indices,
                            mlir::Value updates, int64_t dim,
                            Combine combine = Combine::Replace);
/// The counterpart of gatherND.
mlir::Value scatterND(HloBuilder &b, mlir::Value x, mlir::Value indices,
                      mlir::Value updates, Combine combine = Combine::Replace);
/// The counterpart of advancedIndex; `values` is broadcast.
mlir::Value advancedIndexPut(HloBuilder &b, mlir::Value x,
                             llvm::ArrayRef<mlir::Value> indices,
                             mlir::Value values,
                             Combine combine = Combine::Replace);
/// x with the slices at `index` [n] along `dim` combined with those of
/// `source`.
mlir::Value indexUpdate(HloBuilder &b, mlir::Value x, int64_t dim,
                        mlir::Value index, mlir::Value source,
                        Combine combine = Combine::Replace);

/// A new dimension `axis` of size `depth` that is `on` where the index is and
/// `off` elsewhere; `on` and `off` are scalars.
mlir::Value oneHot(HloBuilder &b, mlir::Value indices, Size depth,
                   mlir::Value on, mlir::Value off, int64_t axis);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_INDEXING_H
