#include "compiler/Frontend/Support/Normalization.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Pooling.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::batchNorm(HloBuilder &b, Value x, Value scale, Value bias,
                          Value mean, Value variance, double epsilon,
                          int64_t channel) {
  Type element = elementOf(x), compute = computeType(element);
  // Everything per channel first: constants, so that they fold.
  Value factor = rsqrt(b, add(b, convert(b, variance, compute), epsilon));
  if (scale)
    factor = mul(b, factor, convert(b, scale, compute));
  Value shift = neg(b, mul(b, convert(b, mean, compute), factor));
  if (bias)
    shift = add(b, shift, convert(b, bias, compute));
  Value wide = convert(b, x, compute);
  Sizes sizes = sizesOf(b, x);
  Value scaled = mul(b, wide, broadcastInDim(b, factor, sizes, {channel}));
  Value result = add(b, scaled, broadcastInDim(b, shift, sizes, {channel}));
  return convert(b, result, element);
}

Normalized frontend::normalize(HloBuilder &b, Value x, ArrayRef<int64_t> dims,
                               double epsilon) {
  Type element = elementOf(x);
  Value wide = convert(b, x, computeType(element));
  Value mean = reduceMean(b, wide, dims, /*keepDims=*/true);
  Value centred = sub(b, wide, mean);
  Value variance = reduceMean(b, square(b, centred), dims, /*keepDims=*/true);
  Value rstd = rsqrt(b, add(b, variance, epsilon));
  return {convert(b, mul(b, centred, rstd), element), mean, rstd};
}

Normalized frontend::layerNorm(HloBuilder &b, Value x, int64_t axis,
                               Value scale, Value bias, double epsilon) {
  Type element = elementOf(x);
  int64_t rank = rankOf(x);
  auto dims = llvm::to_vector(llvm::seq<int64_t>(wrapDim(axis, rank), rank));
  Value wide = convert(b, x, computeType(element));
  Normalized norm = normalize(b, wide, dims, epsilon);
  if (scale)
    norm.result = mul(b, norm.result, convert(b, scale, elementOf(wide)));
  if (bias)
    norm.result = add(b, norm.result, convert(b, bias, elementOf(wide)));
  norm.result = convert(b, norm.result, element);
  return norm;
}

/// result * scale + bias with [C] each, dimension 1.
static Value scaleChannels(HloBuilder &b, Value x, Value scale, Value bias) {
  Sizes sizes = sizesOf(b, x);
  if (scale)
    x = mul(b, x,
            broadcastInDim(b, convert(b, scale, elementOf(x)), sizes, {1}));
  if (bias)
    x = add(b, x,
            broadcastInDim(b, convert(b, bias, elementOf(x)), sizes, {1}));
  return x;
}

Normalized frontend::groupNorm(HloBuilder &b, Value x, int64_t groups,
                               Value scale, Value bias, double epsilon) {
  Type element = elementOf(x);
  Sizes sizes = sizesOf(b, x);
  // [N, C, ...] -> [N, groups, C / groups, ...].
  Value wide = convert(b, x, computeType(element));
  Value split = unflatten(b, wide, 1, {groups, floorDiv(b, sizes[1], groups)});
  auto dims = llvm::to_vector(llvm::seq<int64_t>(2, rankOf(split)));
  Normalized norm = normalize(b, split, dims, epsilon);
  Value result = reshape(b, norm.result, sizes);
  result = scaleChannels(b, result, scale, bias);
  return {convert(b, result, element), squeeze(b, norm.mean, dims),
          squeeze(b, norm.rstd, dims)};
}

Value frontend::instanceNorm(HloBuilder &b, Value x, Value scale, Value bias,
                             double epsilon) {
  Type element = elementOf(x);
  Value wide = convert(b, x, computeType(element));
  auto dims = llvm::to_vector(llvm::seq<int64_t>(2, rankOf(x)));
  Value result = normalize(b, wide, dims, epsilon).result;
  return convert(b, scaleChannels(b, result, scale, bias), element);
}

Value frontend::rmsNorm(HloBuilder &b, Value x, int64_t axis, Value scale,
                        double epsilon) {
  Type element = elementOf(x);
  int64_t rank = rankOf(x);
  auto dims = llvm::to_vector(llvm::seq<int64_t>(wrapDim(axis, rank), rank));
  Value wide = convert(b, x, computeType(element));
  Value mean = reduceMean(b, square(b, wide), dims, /*keepDims=*/true);
  Value result = mul(b, wide, rsqrt(b, add(b, mean, epsilon)));
  if (scale)
    result = mul(b, result, convert(b, scale, elementOf(wide)));
  return convert(b, result, element);
}

Value frontend::localResponseNorm(HloBuilder &b, Value x, int64_t size,
                                  double alpha, double beta, double bias) {
  // A window over channels only: pool with the channels as a spatial
  // dimension and windows of 1 elsewhere.
  int64_t spatial = rankOf(x) - 1;
  PoolingSpec spec;
  spec.kernel.assign(spatial, 1);
  spec.kernel[0] = size;
  spec.strides.assign(spatial, 1);
  spec.padLow.assign(spatial, 0);
  spec.padHigh.assign(spatial, 0);
  spec.padLow[0] = (size - 1) / 2;
  spec.padHigh[0] = size - 1 - (size - 1) / 2;
  Value mean = averagePool(b, square(b, x), spec);
  Value base = add(b, mul(b, mean, alpha), bias);
  return div(b, x, power(b, base, beta));
}
