// Losses, which exported training graphs end with.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// -logs[n, target[n, ...], ...] * weight[target], reduced. logs has shape
/// [N, C, ...], target [N, ...], weight [C] or null.
static FailureOr<Value> likelihoodLoss(NodeContext &op, Value logs,
                                       Value target, Value weight) {
  HloBuilder &b = op.b;
  Type element = elementOf(logs);
  target = convert(b, target, b.getI64Type());
  Value ignored;
  if (op.hasAttr("ignore_index"))
    ignored = compare(b, Direction::EQ, target,
                      double(op.intAttr("ignore_index", 0)));
  // An ignored target may be no class at all.
  Value place =
      ignored ? select(b, ignored, fullLike(b, target, 0), target) : target;
  place = wrapNegative(b, place, sizeOf(b, logs, 1));
  Value picked = gatherElements(b, logs, unsqueeze(b, place, {1}), 1);
  Value loss = neg(b, squeeze(b, picked, {1}));
  Value scale = weight ? take(b, weight, place, 0)
                       : full(b, sizesOf(b, target), element, 1);
  if (ignored)
    scale = select(b, ignored, fullLike(b, scale, 0), scale);
  loss = mul(b, loss, scale);
  StringRef reduction = op.stringAttr("reduction", "mean");
  if (reduction == "none")
    return loss;
  Value sum = reduceSum(b, loss, allDims(loss), false);
  if (reduction == "sum")
    return sum;
  if (reduction != "mean")
    return op.error() << "found reduction '" << reduction
                      << "', expected none, sum or mean";
  return div(b, sum, reduceSum(b, scale, allDims(scale), false));
}

static LogicalResult importNegativeLogLikelihood(NodeContext &op) {
  auto loss = likelihoodLoss(op, op.input(0), op.input(1), op.input(2));
  return failed(loss) ? failure() : op.result(*loss);
}

static LogicalResult importSoftmaxCrossEntropy(NodeContext &op) {
  Value logs = logSoftmax(op.b, op.input(0), 1);
  auto loss = likelihoodLoss(op, logs, op.input(1), op.input(2));
  if (failed(loss))
    return failure();
  op.set(0, *loss);
  op.set(1, logs);
  return success();
}

void ferrule::onnx::registerLossOps(Registry &r) {
  r.add("NegativeLogLikelihoodLoss", importNegativeLogLikelihood);
  r.add("SoftmaxCrossEntropyLoss", importSoftmaxCrossEntropy);
}
