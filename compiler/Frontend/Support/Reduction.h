// Reductions over dimensions, and what is built from them.
#ifndef FERRULE_FRONTEND_SUPPORT_REDUCTION_H
#define FERRULE_FRONTEND_SUPPORT_REDUCTION_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// Everywhere below: `dims` may be negative; the result loses them, or keeps
/// them with size 1 when `keepDims`. f16 and bf16 are summed in f32.
using Dims = llvm::ArrayRef<int64_t>;

/// All dimensions of a value.
llvm::SmallVector<int64_t> allDims(mlir::Value value);

mlir::Value reduceSum(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
mlir::Value reduceProd(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
/// NaN wins; no elements give the type's lowest (greatest) value.
mlir::Value reduceMax(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
mlir::Value reduceMin(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
/// On booleans.
mlir::Value reduceAny(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
mlir::Value reduceAll(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
/// On floats; no elements give NaN.
mlir::Value reduceMean(HloBuilder &b, mlir::Value x, Dims dims, bool keepDims);
/// The number of elements that each result combines, as a scalar of the type.
mlir::Value reducedCount(HloBuilder &b, mlir::Value x, Dims dims,
                         mlir::Type element);
/// Variance: the squared deviations' sum divided by max(count - correction, 0).
mlir::Value reduceVariance(HloBuilder &b, mlir::Value x, Dims dims,
                           double correction, bool keepDims);
/// log(sum(exp(x))), without overflow.
mlir::Value reduceLogSumExp(HloBuilder &b, mlir::Value x, Dims dims,
                            bool keepDims);
/// The vector norm of order p; infinities and 0 (count of non-zeros) too.
mlir::Value reduceNorm(HloBuilder &b, mlir::Value x, double p, Dims dims,
                       bool keepDims);

/// Index (i64) of the greatest or least element along `dim`; the first one
/// wins, or the last one when `last`; NaN counts as beyond all numbers.
mlir::Value argExtremum(HloBuilder &b, mlir::Value x, int64_t dim,
                        bool greatest, bool keepDims, bool last = false);
/// The extremum and the companion value (i64) that stands with it.
std::pair<mlir::Value, mlir::Value> reducePairs(HloBuilder &b, mlir::Value x,
                                                mlir::Value companion,
                                                int64_t dim, bool greatest,
                                                bool last = false);
/// A body for reduce and reduce_window over (value, place) pairs that keeps
/// the pair with the greater (or lesser) value; equal values keep the smaller
/// place (the greater one when `last`).
stablehlo::BodyBuilder greaterPairBody(bool greater, bool last = false);

/// exp(x) / sum(exp(x)) along `dim`; the sum is not sensitive to overflow.
/// A row of -inf gives NaN.
mlir::Value softmax(HloBuilder &b, mlir::Value x, int64_t dim);
mlir::Value logSoftmax(HloBuilder &b, mlir::Value x, int64_t dim);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_REDUCTION_H
