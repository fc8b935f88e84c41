// Activation functions.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// An activation without parameters.
template <Value (*fn)(HloBuilder &, Value)>
static LogicalResult activation(NodeContext &op) {
  return op.result(fn(op.b, op.input(0)));
}

static LogicalResult importLeakyRelu(NodeContext &op) {
  return op.result(leakyRelu(op.b, op.input(0), op.floatAttr("alpha", 0.01f)));
}

static LogicalResult importPRelu(NodeContext &op) {
  return op.result(prelu(op.b, op.input(0), op.input(1)));
}

static LogicalResult importElu(NodeContext &op) {
  return op.result(elu(op.b, op.input(0), op.floatAttr("alpha", 1)));
}

static LogicalResult importSelu(NodeContext &op) {
  double alpha = op.floatAttr("alpha", 1.67326319217681884765625f);
  double gamma = op.floatAttr("gamma", 1.05070102214813232421875f);
  return op.result(elu(op.b, op.input(0), alpha, gamma));
}

static LogicalResult importCelu(NodeContext &op) {
  return op.result(celu(op.b, op.input(0), op.floatAttr("alpha", 1)));
}

static LogicalResult importThresholdedRelu(NodeContext &op) {
  return op.result(thresholded(op.b, op.input(0), op.floatAttr("alpha", 1), 0));
}

static LogicalResult importHardSigmoid(NodeContext &op) {
  return op.result(hardSigmoid(op.b, op.input(0), op.floatAttr("alpha", 0.2f),
                               op.floatAttr("beta", 0.5f)));
}

/// log(1 + exp(x)) without overflow: max(x, 0) + log1p(exp(-|x|)).
static Value softplusEverywhere(HloBuilder &b, Value x) {
  Value tail = log1p(b, exp(b, neg(b, frontend::abs(b, x))));
  return add(b, maximum(b, x, 0.0), tail);
}

static LogicalResult importSwish(NodeContext &op) {
  return op.result(silu(op.b, op.input(0), op.floatAttr("alpha", 1)));
}

static LogicalResult importShrink(NodeContext &op) {
  Value x = op.input(0);
  double lambd = op.floatAttr("lambd", 0.5f), bias = op.floatAttr("bias", 0);
  Value low = compare(op.b, Direction::LT, x, -lambd);
  Value high = compare(op.b, Direction::GT, x, lambd);
  Value rest = select(op.b, high, sub(op.b, x, bias), fullLike(op.b, x, 0));
  return op.result(select(op.b, low, add(op.b, x, bias), rest));
}

static LogicalResult importGelu(NodeContext &op) {
  StringRef approximate = op.stringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return op.error() << "found approximate '" << approximate
                      << "', expected 'none' or 'tanh'";
  return op.result(gelu(op.b, op.input(0), approximate == "tanh"));
}

static LogicalResult importBiasGelu(NodeContext &op) {
  return op.result(gelu(op.b, add(op.b, op.input(0), op.input(1)), false));
}

static LogicalResult importFastGelu(NodeContext &op) {
  Value x = op.input(0);
  if (op.has(1))
    x = add(op.b, x, op.input(1));
  return op.result(gelu(op.b, x, /*tanhApproximation=*/true));
}

static LogicalResult importQuickGelu(NodeContext &op) {
  return op.result(silu(op.b, op.input(0), op.floatAttr("alpha", 1.702f)));
}

void ferrule::onnx::registerActivationOps(Registry &r) {
  r.add("Relu", activation<relu>);
  r.add("LeakyRelu", importLeakyRelu);
  r.add("PRelu", importPRelu);
  r.add("Elu", importElu);
  r.add("Selu", importSelu);
  r.add("Celu", importCelu);
  r.add("ThresholdedRelu", importThresholdedRelu);
  r.add("HardSigmoid", importHardSigmoid);
  r.add("HardSwish", activation<hardSwish>);
  r.add("Softplus", activation<softplusEverywhere>);
  r.add("Softsign", activation<softsign>);
  r.add("Mish", activation<mish>);
  r.add("Swish", importSwish);
  r.add("Shrink", importShrink);
  r.add("Gelu", importGelu);
  r.add(microsoft, "Gelu", importGelu);
  r.add(microsoft, "BiasGelu", importBiasGelu);
  r.add(microsoft, "FastGelu", importFastGelu);
  r.add(microsoft, "QuickGelu", importQuickGelu);
}
