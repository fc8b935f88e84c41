// Running sums and their like along a dimension.
#ifndef FERRULE_FRONTEND_SUPPORT_SCAN_H
#define FERRULE_FRONTEND_SUPPORT_SCAN_H

#include "compiler/Frontend/Support/Shapes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferrule::frontend {

/// Result i combines elements 0 .. i along `dim`. `exclusive` leaves out
/// element i (and begins with 0 or 1); `reverse` runs from the end.
mlir::Value cumulativeSum(HloBuilder &b, mlir::Value x, int64_t dim,
                          bool exclusive = false, bool reverse = false);
mlir::Value cumulativeProduct(HloBuilder &b, mlir::Value x, int64_t dim,
                              bool exclusive = false, bool reverse = false);
/// log(cumulativeSum(exp(x))), without overflow.
mlir::Value cumulativeLogSumExp(HloBuilder &b, mlir::Value x, int64_t dim);
/// The greatest (least) element so far and its index (i64); of equal
/// elements the later one, as PyTorch has it. NaN stays once it was met.
std::pair<mlir::Value, mlir::Value>
cumulativeExtremum(HloBuilder &b, mlir::Value x, int64_t dim, bool greatest);

/// An inclusive scan with any associative combination of several values.
/// `identities` are scalars; combine(earlier, later) works on whole tensors.
/// Takes ceil(log2(size)) steps, in a loop when the size is unknown.
using ScanCombine = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    HloBuilder &, mlir::ValueRange, mlir::ValueRange)>;
llvm::SmallVector<mlir::Value> scan(HloBuilder &b, mlir::ValueRange values,
                                    mlir::ValueRange identities, int64_t dim,
                                    ScanCombine combine);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SCAN_H
