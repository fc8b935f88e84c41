// Pooling over windows, channels first.
#ifndef FERRULE_FRONTEND_SUPPORT_POOLING_H
#define FERRULE_FRONTEND_SUPPORT_POOLING_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// One entry for each spatial dimension; empty strides mean the kernel's
/// sizes, other empty lists ones or zeros.
struct PoolingSpec {
  llvm::SmallVector<int64_t> kernel, strides, dilations, padLow, padHigh;
  /// Sizes are rounded up, but no window starts in the high padding.
  bool ceilMode = false;
  /// Average pooling: padding counts as elements (rows that only ceilMode
  /// adds never do).
  bool countPadding = true;
  /// Average pooling: divides by this instead of the window's size.
  std::optional<int64_t> divisor;

  void complete(int64_t spatialRank);
};

/// The trailing dimensions of x are pooled, as many as the kernel has.
mlir::Value maxPool(HloBuilder &b, mlir::Value x, PoolingSpec spec);
mlir::Value averagePool(HloBuilder &b, mlir::Value x, PoolingSpec spec);
/// The p-norm of each window (LpPool): (sum of |x| ** p) ** (1 / p).
mlir::Value normPool(HloBuilder &b, mlir::Value x, double p, PoolingSpec spec);
/// Maxima and their places, counted over the spatial dimensions in row-major
/// order (i64). The first maximum wins; NaN counts as greatest.
std::pair<mlir::Value, mlir::Value>
maxPoolWithIndices(HloBuilder &b, mlir::Value x, PoolingSpec spec);

/// Pooling to given sizes: window i of n covers rows floor(i * in / n) to
/// ceil((i + 1) * in / n). Sizes may be unknown.
mlir::Value adaptiveAveragePool(HloBuilder &b, mlir::Value x,
                                llvm::ArrayRef<Size> sizes);
std::pair<mlir::Value, mlir::Value>
adaptiveMaxPool(HloBuilder &b, mlir::Value x, llvm::ArrayRef<Size> sizes);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_POOLING_H
