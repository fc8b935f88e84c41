// Ops of com.microsoft that ONNX Runtime's optimiser makes of several others.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Normalization.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// An activation by name and parameters; an empty name is none. Null after an
/// error.
static Value activate(NodeContext &op, Value x, StringRef name,
                      ArrayRef<float> parameters) {
  HloBuilder &b = op.b;
  auto parameter = [&](size_t i, double otherwise) {
    return i < parameters.size() ? double(parameters[i]) : otherwise;
  };
  if (name.empty())
    return x;
  if (name == "Relu")
    return relu(b, x);
  if (name == "Tanh")
    return tanh(b, x);
  if (name == "Sigmoid")
    return sigmoid(b, x);
  if (name == "LeakyRelu")
    return leakyRelu(b, x, parameter(0, 0.01f));
  if (name == "Elu")
    return elu(b, x, parameter(0, 1));
  if (name == "Clip")
    return clamp(b, x, parameter(0, std::numeric_limits<float>::lowest()),
                 parameter(1, std::numeric_limits<float>::max()));
  if (name == "HardSigmoid")
    return hardSigmoid(b, x, parameter(0, 0.2f), parameter(1, 0.5f));
  if (name == "HardSwish")
    return hardSwish(b, x);
  if (name == "Softplus")
    return softplus(b, x);
  if (name == "Softsign")
    return softsign(b, x);
  if (name == "Gelu")
    return gelu(b, x, /*tanhApproximation=*/false);
  if (name == "QuickGelu")
    return silu(b, x, parameter(0, 1.702f));
  if (name == "Softmax")
    return softmax(b, x, rankOf(x) - 1);
  op.error() << "found activation '" << name << "', which is not supported";
  return {};
}

/// The result that another op's function makes of this node.
static Value resultOf(NodeContext &op, StringRef domain, StringRef name) {
  if (failed(Registry::get().find(domain, name)(op)))
    return {};
  return op.outputs[0].tensor;
}

/// Conv, then a sum with input 3, then an activation.
static LogicalResult importFusedConv(NodeContext &op) {
  Value y = resultOf(op, "", "Conv");
  if (!y)
    return failure();
  if (op.has(3))
    y = add(op.b, y, op.input(3));
  const NodeAttribute *list = op.attribute("activation_params");
  y = activate(op, y, op.stringAttr("activation", ""),
               list ? ArrayRef<float>(list->floats) : ArrayRef<float>());
  return y ? op.result(y) : failure();
}

static SmallVector<float> scalarParameters(NodeContext &op) {
  SmallVector<float> list;
  for (StringRef name :
       {"activation_alpha", "activation_beta", "activation_gamma"})
    if (op.hasAttr(name))
      list.push_back(op.floatAttr(name, 0));
  return list;
}

static LogicalResult importFusedGemm(NodeContext &op) {
  Value y = resultOf(op, "", "Gemm");
  if (y)
    y = activate(op, y, op.stringAttr("activation", ""), scalarParameters(op));
  return y ? op.result(y) : failure();
}

static LogicalResult importFusedMatMulActivation(NodeContext &op) {
  Value y = resultOf(op, microsoft, "FusedMatMul");
  if (y)
    y = activate(op, y, op.stringAttr("activation", ""), scalarParameters(op));
  return y ? op.result(y) : failure();
}

/// Runs another op's function with channels moved from last to second.
static LogicalResult importChannelsLast(NodeContext &op, StringRef domain,
                                        StringRef name) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  if (rankOf(x) < 3)
    return op.error() << "found input " << typeOf(x)
                      << ", expected rank 3 at least";
  op.replaceInput(0, moveDim(b, x, -1, 1));
  Value y = resultOf(op, domain, name);
  return y ? op.result(moveDim(b, y, 1, -1)) : failure();
}

static LogicalResult importNhwcMaxPool(NodeContext &op) {
  return importChannelsLast(op, "", "MaxPool");
}

/// The weight too has its channels last.
static LogicalResult nhwcConvolution(NodeContext &op, StringRef domain,
                                     StringRef name) {
  op.replaceInput(1, moveDim(op.b, op.input(1), -1, 1));
  if (op.has(3))
    op.replaceInput(3, moveDim(op.b, op.input(3), -1, 1));
  return importChannelsLast(op, domain, name);
}
static LogicalResult importNhwcConv(NodeContext &op) {
  return nhwcConvolution(op, "", "Conv");
}
static LogicalResult importNhwcFusedConv(NodeContext &op) {
  return nhwcConvolution(op, microsoft, "FusedConv");
}

static LogicalResult importBiasSoftmax(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), bias = op.input(1);
  auto axis = op.axis(op.intAttr("axis", 1), rankOf(x));
  if (failed(axis))
    return failure();
  // All dimensions from the axis on are one row.
  Sizes sizes = sizesOf(b, x);
  Value sum = add(b, x, bias);
  Value flat = flatten(b, sum, *axis, rankOf(x) - 1);
  return op.result(frontend::reshape(b, softmax(b, flat, *axis), sizes));
}

/// Half of a sum gated by the gelu of the other half.
static LogicalResult importBiasSplitGelu(NodeContext &op) {
  HloBuilder &b = op.b;
  Value sum = add(b, op.input(0), op.input(1));
  int64_t last = rankOf(sum) - 1;
  Size width = sizeOf(b, sum, last), half = frontend::floorDiv(b, width, 2);
  Value gate = slice(b, sum, last, half, width);
  return op.result(mul(b, slice(b, sum, last, 0, half),
                       gelu(b, gate, /*tanhApproximation=*/false)));
}

/// X [B, S, C] + bias [C] + skip.
static LogicalResult importBiasAdd(NodeContext &op) {
  return op.result(add(op.b, add(op.b, op.input(0), op.input(1)), op.input(2)));
}

static LogicalResult importGemmFastGelu(NodeContext &op) {
  HloBuilder &b = op.b;
  Value y = matmul(b, op.input(0), op.input(1));
  if (op.has(2))
    y = add(b, y, op.input(2));
  return op.result(gelu(b, y, /*tanhApproximation=*/true));
}

/// Group normalisation of `x` with channels last, unless attribute
/// channels_last says otherwise.
static LogicalResult groupNormOf(NodeContext &op, Value x) {
  HloBuilder &b = op.b;
  bool last = op.intAttr("channels_last", 1);
  int64_t groups = op.intAttr("groups", 0);
  if (groups < 1 || rankOf(x) < 3)
    return op.error() << "found input " << typeOf(x) << " and " << groups
                      << " groups, expected rank 3 and one group at least";
  if (last)
    x = moveDim(b, x, -1, 1);
  Value y = groupNorm(b, x, groups, op.input(1), op.input(2),
                      op.floatAttr("epsilon", 1e-5f))
                .result;
  if (op.intAttr("activation", 0) == 1)
    y = silu(b, y);
  return op.result(last ? moveDim(b, y, 1, -1) : y);
}

static LogicalResult importGroupNorm(NodeContext &op) {
  return groupNormOf(op, op.input(0));
}

static LogicalResult importSkipGroupNorm(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), skip = op.input(3);
  if (rankOf(skip) == 2) // one number a channel
    skip = unsqueeze(b, skip, {1, 2});
  Value sum = add(b, x, skip);
  if (op.has(4))
    sum = add(b, sum, op.input(4));
  op.set(1, sum);
  return groupNormOf(op, sum);
}

/// Distances of all pairs of rows.
static LogicalResult importCDist(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), y = op.input(1);
  StringRef metric = op.stringAttr("metric", "sqeuclidean");
  if (rankOf(x) != 2 || rankOf(y) != 2 ||
      (metric != "sqeuclidean" && metric != "euclidean"))
    return op.error() << "found " << typeOf(x) << ", " << typeOf(y)
                      << " and metric '" << metric
                      << "', expected matrices and euclidean or sqeuclidean";
  Value gap = sub(b, unsqueeze(b, x, {1}), unsqueeze(b, y, {0}));
  Value squares = reduceSum(b, mul(b, gap, gap), {2}, /*keepDims=*/false);
  return op.result(metric == "euclidean" ? frontend::sqrt(b, squares)
                                         : squares);
}

static LogicalResult importExpandDims(NodeContext &op) {
  auto axis = onnx::constantInts(op.input(1));
  if (!axis || axis->size() != 1)
    return op.error() << "found an axis computed at run time, expected a "
                         "constant";
  auto wrapped = op.axis(axis->front(), rankOf(op.input(0)) + 1);
  return failed(wrapped) ? failure()
                         : op.result(unsqueeze(op.b, op.input(0), {*wrapped}));
}

static LogicalResult importIsAllFinite(NodeContext &op) {
  HloBuilder &b = op.b;
  bool infOnly = op.intAttr("isinf_only", 0),
       nanOnly = op.intAttr("isnan_only", 0);
  Value bad;
  for (size_t i = 0; i < op.numInputs(); ++i) {
    Value x = op.input(i);
    Value wrong = infOnly   ? isInf(b, x)
                  : nanOnly ? isNaN(b, x)
                            : bitOr(b, isInf(b, x), isNaN(b, x));
    wrong = reduceAny(b, wrong, allDims(wrong), /*keepDims=*/false);
    bad = bad ? bitOr(b, bad, wrong) : wrong;
  }
  return op.result(logicalNot(b, bad));
}

/// Products of complex numbers, whose parts lie in the last dimension.
static LogicalResult complexProduct(NodeContext &op, bool conjugate) {
  HloBuilder &b = op.b;
  Value x = op.input(0), y = op.input(1);
  int64_t xLast = rankOf(x) - 1, yLast = rankOf(y) - 1;
  if (xLast < 0 || yLast < 0 || typeOf(x).getDimSize(xLast) != 2 ||
      typeOf(y).getDimSize(yLast) != 2)
    return op.error() << "found inputs " << typeOf(x) << " and " << typeOf(y)
                      << ", expected a last dimension of 2";
  Value a = selectIndex(b, x, xLast, 0), c = selectIndex(b, y, yLast, 0);
  Value i = selectIndex(b, x, xLast, 1), j = selectIndex(b, y, yLast, 1);
  if (conjugate)
    j = neg(b, j);
  Value real = sub(b, mul(b, a, c), mul(b, i, j));
  Value imaginary = add(b, mul(b, a, j), mul(b, i, c));
  return op.result(stack(b, {real, imaginary}, rankOf(real)));
}
static LogicalResult importComplexMul(NodeContext &op) {
  return complexProduct(op, /*conjugate=*/false);
}
static LogicalResult importComplexMulConj(NodeContext &op) {
  return complexProduct(op, /*conjugate=*/true);
}

void ferrule::onnx::registerMicrosoftFusedOps(Registry &r) {
  r.add(microsoft, "FusedConv", importFusedConv);
  r.add(microsoft, "FusedGemm", importFusedGemm);
  r.add(microsoft, "FusedMatMulActivation", importFusedMatMulActivation);
  r.add(microsoft, "NhwcMaxPool", importNhwcMaxPool);
  r.add(microsoft, "NhwcConv", importNhwcConv);
  r.add(microsoft, "NhwcFusedConv", importNhwcFusedConv);
  r.add(microsoft, "BiasSoftmax", importBiasSoftmax);
  r.add(microsoft, "BiasSplitGelu", importBiasSplitGelu);
  r.add(microsoft, "BiasAdd", importBiasAdd);
  r.add(microsoft, "GemmFastGelu", importGemmFastGelu);
  r.add(microsoft, "GroupNorm", importGroupNorm);
  r.add(microsoft, "SkipGroupNorm", importSkipGroupNorm);
  r.add(microsoft, "CDist", importCDist);
  r.add(microsoft, "ExpandDims", importExpandDims);
  r.add(microsoft, "IsAllFinite", importIsAllFinite);
  r.add(microsoft, "ComplexMul", importComplexMul);
  r.add(microsoft, "ComplexMulConj", importComplexMulConj);
  // The same as ONNX's own, from before ONNX had them.
  for (StringRef name : {"GatherND", "GridSample", "Trilu", "Range", "Pad"})
    r.add(microsoft, name, r.find("", name));
}
