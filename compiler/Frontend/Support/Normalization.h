// Normalisation layers. Statistics of f16 and bf16 are made in f32.
#ifndef FERRULE_FRONTEND_SUPPORT_NORMALIZATION_H
#define FERRULE_FRONTEND_SUPPORT_NORMALIZATION_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// (x - mean) / sqrt(variance + epsilon) * scale + bias with one of each [C]
/// per channel, dimension `channel` of x. Null scale is 1, null bias 0.
mlir::Value batchNorm(HloBuilder &b, mlir::Value x, mlir::Value scale,
                      mlir::Value bias, mlir::Value mean, mlir::Value variance,
                      double epsilon, int64_t channel = 1);

/// A normalisation's result and what it measured, size 1 where reduced.
struct Normalized {
  mlir::Value result, mean, rstd;
};

/// Normalises over the dimensions, population variance, no scale.
Normalized normalize(HloBuilder &b, mlir::Value x, llvm::ArrayRef<int64_t> dims,
                     double epsilon);

/// Over the dimensions [axis, rank); scale and bias have the shape of those
/// dimensions (or broadcast to it); either may be null.
Normalized layerNorm(HloBuilder &b, mlir::Value x, int64_t axis,
                     mlir::Value scale, mlir::Value bias, double epsilon);
/// x [N, C, ...], each group of C / groups channels by itself; scale and bias
/// [C] or null. mean and rstd have the shape [N, groups].
Normalized groupNorm(HloBuilder &b, mlir::Value x, int64_t groups,
                     mlir::Value scale, mlir::Value bias, double epsilon);
/// Each channel of each sample by itself.
mlir::Value instanceNorm(HloBuilder &b, mlir::Value x, mlir::Value scale,
                         mlir::Value bias, double epsilon);
/// x / sqrt(mean(x * x) + epsilon) * scale over the dimensions [axis, rank).
mlir::Value rmsNorm(HloBuilder &b, mlir::Value x, int64_t axis,
                    mlir::Value scale, double epsilon);
/// Local response normalisation across channels (dimension 1):
/// x / (bias + alpha / size * sum of squares over `size` channels) ** beta.
mlir::Value localResponseNorm(HloBuilder &b, mlir::Value x, int64_t size,
                              double alpha, double beta, double bias);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_NORMALIZATION_H
