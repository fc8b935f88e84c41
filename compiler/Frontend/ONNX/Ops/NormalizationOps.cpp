// Normalisation layers.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Normalization.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Normalises with the batch's own statistics and updates the running ones.
static LogicalResult importTrainingBatchNorm(NodeContext &op, double epsilon) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  double momentum = op.floatAttr("momentum", 0.9f);
  SmallVector<int64_t> dims = {0};
  for (int64_t i = 2; i < rankOf(x); ++i)
    dims.push_back(i);
  Value mean = reduceMean(b, x, dims, false);
  Value variance = reduceVariance(b, x, dims, 0, false);
  op.set(0, batchNorm(b, x, op.input(1), op.input(2), mean, variance, epsilon));
  auto running = [&](Value old, Value now) {
    now = convert(b, now, elementOf(old));
    return add(b, mul(b, old, momentum), mul(b, now, 1 - momentum));
  };
  op.set(1, running(op.input(3), mean));
  op.set(2, running(op.input(4), variance));
  return success();
}

static LogicalResult importBatchNormalization(NodeContext &op) {
  double epsilon = op.floatAttr("epsilon", 1e-5f);
  if (op.intAttr("training_mode", 0))
    return importTrainingBatchNorm(op, epsilon);
  if (op.opset < 9 && op.intAttr("spatial", 1) == 0)
    return op.error() << "found spatial 0, expected 1";
  if (op.wants(1) && op.opset >= 14)
    return op.error() << "found outputs of running statistics without "
                         "training_mode, expected one output";
  return op.result(batchNorm(op.b, op.input(0), op.input(1), op.input(2),
                             op.input(3), op.input(4), epsilon));
}

static LogicalResult importInstanceNormalization(NodeContext &op) {
  return op.result(instanceNorm(op.b, op.input(0), op.input(1), op.input(2),
                                op.floatAttr("epsilon", 1e-5f)));
}

static LogicalResult importLayerNormalization(NodeContext &op) {
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", -1), rankOf(x));
  if (failed(axis))
    return failure();
  Normalized norm = layerNorm(op.b, x, *axis, op.input(1), op.input(2),
                              op.floatAttr("epsilon", 1e-5f));
  op.set(0, norm.result);
  if (op.wants(1))
    op.set(1, norm.mean);
  if (op.wants(2))
    op.set(2, norm.rstd);
  return success();
}

/// Before opset 21 there is one scale and bias a group, not a channel.
static LogicalResult importGroupNormalization(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), scale = op.input(1), bias = op.input(2);
  int64_t groups = op.intAttr("num_groups", 1);
  if (op.opset < 21) {
    int64_t channels = typeOf(x).getDimSize(1);
    if (ShapedType::isDynamic(channels) || channels % groups)
      return op.error() << "found input " << typeOf(x) << " with " << groups
                        << " groups, expected a static multiple of channels";
    scale = repeatInterleave(b, scale, 0, channels / groups);
    bias = repeatInterleave(b, bias, 0, channels / groups);
  }
  return op.result(
      groupNorm(b, x, groups, scale, bias, op.floatAttr("epsilon", 1e-5f))
          .result);
}

static LogicalResult importRMSNormalization(NodeContext &op) {
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", -1), rankOf(x));
  if (failed(axis))
    return failure();
  return op.result(
      rmsNorm(op.b, x, *axis, op.input(1), op.floatAttr("epsilon", 1e-5f)));
}

static LogicalResult importLRN(NodeContext &op) {
  return op.result(localResponseNorm(
      op.b, op.input(0), op.intAttr("size", 1), op.floatAttr("alpha", 1e-4f),
      op.floatAttr("beta", 0.75f), op.floatAttr("bias", 1)));
}

static LogicalResult importMeanVariance(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  SmallVector<int64_t> axes = op.intsAttr("axes");
  if (axes.empty())
    axes = {0, 2, 3};
  Value mean = reduceMean(b, x, axes, true);
  Value squares = reduceMean(b, mul(b, x, x), axes, true);
  Value deviation = frontend::sqrt(b, sub(b, squares, mul(b, mean, mean)));
  return op.result(div(b, sub(b, x, mean), add(b, deviation, 1e-9)));
}

static LogicalResult importLpNormalization(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", -1), rankOf(x));
  if (failed(axis))
    return failure();
  Value norm = reduceNorm(b, x, op.intAttr("p", 2), {*axis}, true);
  // A row of zeros stays zero.
  Value isZero = compare(b, Direction::EQ, norm, 0.0);
  return op.result(div(b, x, select(b, isZero, fullLike(b, norm, 1), norm)));
}

/// com.microsoft: the sum of input, skip and bias, normalised. Outputs: the
/// result, mean, 1 / deviation, the sum.
static LogicalResult skipNorm(NodeContext &op, bool simplified) {
  HloBuilder &b = op.b;
  Value sum = add(b, op.input(0), op.input(1));
  Value beta = simplified ? Value() : op.input(3);
  if (Value bias = op.input(simplified ? 3 : 4))
    sum = add(b, sum, bias);
  double epsilon = op.floatAttr("epsilon", 1e-12f);
  int64_t axis = rankOf(sum) - 1;
  if (simplified)
    op.set(0, rmsNorm(b, sum, axis, op.input(2), epsilon));
  else
    op.set(0, layerNorm(b, sum, axis, op.input(2), beta, epsilon).result);
  if (op.wants(3))
    op.set(3, sum);
  return success();
}

static LogicalResult importSkipLayerNorm(NodeContext &op) {
  return skipNorm(op, /*simplified=*/false);
}

static LogicalResult importSkipSimplifiedLayerNorm(NodeContext &op) {
  return skipNorm(op, /*simplified=*/true);
}

void ferrule::onnx::registerNormalizationOps(Registry &r) {
  r.add("BatchNormalization", importBatchNormalization);
  r.add("InstanceNormalization", importInstanceNormalization);
  r.add("LayerNormalization", importLayerNormalization);
  r.add("GroupNormalization", importGroupNormalization);
  r.add("RMSNormalization", importRMSNormalization);
  r.add("LRN", importLRN);
  r.add("MeanVarianceNormalization", importMeanVariance);
  r.add("LpNormalization", importLpNormalization);
  // Fusions of ONNX Runtime put these into ONNX's own domain too.
  r.add("SimplifiedLayerNormalization", importRMSNormalization);
  r.add(microsoft, "LayerNormalization", importLayerNormalization);
  r.add(microsoft, "SimplifiedLayerNormalization", importRMSNormalization);
  r.add(microsoft, "SkipLayerNormalization", importSkipLayerNorm);
  r.add(microsoft, "SkipSimplifiedLayerNormalization",
        importSkipSimplifiedLayerNorm);
}
