// Normalisation layers and their gradients.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Normalization.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <limits>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

static Value given(OpLowering &x, StringRef name) {
  return x.has(name) ? x.tensor(name) : Value();
}

static void layerNormOp(OpLowering &x) {
  Value input = x.tensor("input");
  int64_t axis = rankOf(input) - int64_t(x.sizes("normalized_shape").size());
  Normalized norm = layerNorm(x.b, input, axis, given(x, "weight"),
                              given(x, "bias"), x.number("eps", 1e-5));
  if (x.op->getNumResults() == 1)
    return x.give(norm.result);
  x.give({norm.result, norm.mean, norm.rstd});
}

static void rmsNormOp(OpLowering &x) {
  Value input = x.tensor("input");
  int64_t axis = rankOf(input) - int64_t(x.sizes("normalized_shape").size());
  // Without a number it is the type's epsilon.
  double eps = 1.1920928955078125e-07;
  if (elementOf(input).isF64())
    eps = std::numeric_limits<double>::epsilon();
  Value result = rmsNorm(x.b, input, axis, given(x, "weight"),
                         x.has("eps") ? x.number("eps") : eps);
  x.give(result);
}

static void groupNormOp(OpLowering &x) {
  Value input = x.tensor("input");
  int64_t groups =
      x.has("group") ? x.integer("group") : x.integer("num_groups", 1);
  Normalized norm = groupNorm(x.b, input, groups, given(x, "weight"),
                              given(x, "bias"), x.number("eps", 1e-5));
  if (x.op->getNumResults() == 1)
    return x.give(norm.result);
  x.give({norm.result, norm.mean, norm.rstd});
}

/// All dimensions but the channels.
static SmallVector<int64_t> nonChannelDims(Value input) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rankOf(input); ++dim)
    if (dim != 1)
      dims.push_back(dim);
  return dims;
}

/// With the running statistics.
static void batchNormInference(OpLowering &x) {
  Value input = x.tensor("input");
  Value result = batchNorm(x.b, input, given(x, "weight"), given(x, "bias"),
                           x.tensor("running_mean"), x.tensor("running_var"),
                           x.number("eps", 1e-5));
  SmallVector<Value> results(x.op->getNumResults());
  results[0] = result;
  // Nothing was measured: empty statistics.
  for (unsigned i = 1; i < results.size(); ++i)
    if (!x.op->getResult(i).use_empty())
      results[i] = i > 2 ? x.tensor(i == 3 ? "running_mean" : "running_var")
                         : full(x.b, {0}, elementOf(input), 0);
  x.give(results);
}

/// With the batch's statistics; functional overloads also return the running
/// ones, moved on.
static void batchNormTraining(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.tensor("input");
  Type compute = computeType(elementOf(input));
  Value wide = convert(b, input, compute);
  auto dims = nonChannelDims(input);
  double eps = x.number("eps", 1e-5), momentum = x.number("momentum", 0.1);
  Value mean = reduceMean(b, wide, dims, /*keepDims=*/false);
  Value variance = reduceVariance(b, wide, dims, 0, /*keepDims=*/false);
  Value result = batchNorm(b, wide, given(x, "weight"), given(x, "bias"), mean,
                           variance, eps);
  SmallVector<Value> results(x.op->getNumResults());
  results[0] = result;
  if (results.size() > 2) {
    results[1] = mean;
    results[2] = rsqrt(b, add(b, variance, eps));
  }
  if (results.size() > 4) {
    Value count = reducedCount(b, wide, dims, compute);
    Value unbiased =
        mul(b, variance, div(b, count, maximum(b, sub(b, count, 1.0), 1.0)));
    auto moved = [&](StringRef name, Value measured) {
      Value old = x.tensor(name, compute);
      return add(b, mul(b, old, 1 - momentum), mul(b, measured, momentum));
    };
    results[3] = moved("running_mean", mean);
    results[4] = moved("running_var", unbiased);
  }
  x.give(results);
}

static void batchNormOp(OpLowering &x) {
  bool training = x.flag("training", !x.has("running_mean"));
  training ? batchNormTraining(x) : batchNormInference(x);
}

static void instanceNormOp(OpLowering &x) {
  Value input = x.tensor("input");
  if (!x.flag("use_input_stats", true))
    return batchNormInference(x);
  x.give(instanceNorm(x.b, input, given(x, "weight"), given(x, "bias"),
                      x.number("eps", 1e-5)));
}

static void layerNormBackwardOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value grad = x.tensor("grad_out"), input = x.tensor("input");
  Type compute = computeType(elementOf(input));
  grad = convert(b, grad, compute);
  input = convert(b, input, compute);
  int64_t rank = rankOf(input);
  int64_t axis = rank - int64_t(x.sizes("normalized_shape").size());
  auto inner = llvm::to_vector(llvm::seq<int64_t>(axis, rank));
  auto outerDims = llvm::to_vector(llvm::seq<int64_t>(0, axis));
  Value normal = mul(b, sub(b, input, x.tensor("mean", compute)),
                     x.tensor("rstd", compute));
  Value scaled =
      x.has("weight") ? mul(b, grad, x.tensor("weight", compute)) : grad;
  // rstd * (g - mean(g) - normal * mean(g * normal))
  Value part =
      mul(b, normal, reduceMean(b, mul(b, scaled, normal), inner, true));
  Value gradInput =
      sub(b, sub(b, scaled, reduceMean(b, scaled, inner, true)), part);
  gradInput = mul(b, gradInput, x.tensor("rstd", compute));
  SmallVector<bool> wanted = x.flags("output_mask");
  wanted.resize(3, true);
  x.give({gradInput,
          wanted[1] ? reduceSum(b, mul(b, grad, normal), outerDims, false)
                    : Value(),
          wanted[2] ? reduceSum(b, grad, outerDims, false) : Value()});
}

static void batchNormBackwardOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.tensor("input");
  Type compute = computeType(elementOf(input));
  input = convert(b, input, compute);
  Value grad = x.tensor("grad_out", compute);
  bool train = x.flag("train");
  auto dims = nonChannelDims(input);
  Sizes sizes = sizesOf(b, input);
  auto spread = [&](Value channels) {
    return broadcastInDim(b, channels, sizes, {1});
  };
  Value mean, rstd;
  if (train) {
    mean = x.tensor("save_mean", compute);
    rstd = x.tensor("save_invstd", compute);
  } else {
    mean = x.tensor("running_mean", compute);
    rstd = rsqrt(
        b, add(b, x.tensor("running_var", compute), x.number("eps", 1e-5)));
  }
  Value normal = mul(b, sub(b, input, spread(mean)), spread(rstd));
  Value gradScale = reduceSum(b, mul(b, grad, normal), dims, false);
  Value gradBias = reduceSum(b, grad, dims, false);
  Value factor =
      x.has("weight") ? mul(b, rstd, x.tensor("weight", compute)) : rstd;
  Value gradInput = grad;
  if (train) {
    Value count = reducedCount(b, input, dims, compute);
    Value share = div(b, gradBias, count);
    Value slope = div(b, gradScale, count);
    gradInput =
        sub(b, sub(b, grad, spread(share)), mul(b, normal, spread(slope)));
  }
  x.give({mul(b, gradInput, spread(factor)), gradScale, gradBias});
}

/// mean and rstd are [N, groups].
static void groupNormBackwardOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.tensor("input");
  Type compute = computeType(elementOf(input));
  input = convert(b, input, compute);
  Value grad = x.tensor("grad_out", compute);
  int64_t groups = x.integer("group", 1);
  Sizes sizes = sizesOf(b, input);
  Sizes parts = {groups, floorDiv(b, sizes[1], groups)};
  auto split = [&](Value value) { return unflatten(b, value, 1, parts); };
  auto inner = llvm::to_vector(llvm::seq<int64_t>(2, rankOf(input) + 1));
  Value mean = unsqueeze(b, x.tensor("mean", compute), inner);
  Value rstd = unsqueeze(b, x.tensor("rstd", compute), inner);
  Value normal = mul(b, sub(b, split(input), mean), rstd);
  Value scaled = grad;
  if (x.has("weight"))
    scaled = mul(b, grad,
                 broadcastInDim(b, x.tensor("weight", compute), sizes, {1}));
  scaled = split(scaled);
  Value part =
      mul(b, normal, reduceMean(b, mul(b, scaled, normal), inner, true));
  Value gradInput =
      mul(b, sub(b, sub(b, scaled, reduceMean(b, scaled, inner, true)), part),
          rstd);
  auto dims = nonChannelDims(input);
  Value flatNormal = reshape(b, normal, sizes);
  x.give({reshape(b, gradInput, sizes),
          reduceSum(b, mul(b, grad, flatNormal), dims, false),
          reduceSum(b, grad, dims, false)});
}

static const LoweringEntry entries[] = {
    {"aten.native_layer_norm", layerNormOp},
    {"aten.layer_norm", layerNormOp},
    {"aten.rms_norm", rmsNormOp},
    {"aten._fused_rms_norm", rmsNormOp},
    {"aten.native_group_norm", groupNormOp},
    {"aten.group_norm", groupNormOp},
    {"aten.batch_norm", batchNormOp},
    {"aten.native_batch_norm", batchNormOp},
    {"aten._native_batch_norm_legit", batchNormOp},
    {"aten._native_batch_norm_legit.no_stats", batchNormOp},
    {"aten._native_batch_norm_legit_functional", batchNormOp},
    {"aten._native_batch_norm_legit_no_training", batchNormInference},
    {"aten.instance_norm", instanceNormOp},
    {"aten.native_layer_norm_backward", layerNormBackwardOp},
    {"aten.native_batch_norm_backward", batchNormBackwardOp},
    {"aten.native_group_norm_backward", groupNormBackwardOp},
};

void torch::addNormalizationLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
