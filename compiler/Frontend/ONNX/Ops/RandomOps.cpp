// Random numbers: the same ones at every run of a program, other ones for
// every node and seed.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Random.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Scan.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// A node's output names it, for the nodes without a seed.
static RandomKey keyOf(NodeContext &op) {
  if (op.hasAttr("seed"))
    return {llvm::bit_cast<uint32_t>(op.floatAttr("seed", 0)), 1};
  uint64_t hash = llvm::xxh3_64bits(op.node.outputs.front());
  return {uint32_t(hash), uint32_t(hash >> 32) | 2};
}

/// The element type of attribute dtype, else of `like`, else f32.
static Type wantedElement(NodeContext &op, Value like) {
  if (op.hasAttr("dtype"))
    return op.elementType(op.intAttr("dtype", 1));
  return like ? elementOf(like) : Type(op.b.getF32Type());
}

static LogicalResult giveUniform(NodeContext &op, ArrayRef<Size> sizes,
                                 Type element) {
  if (!element)
    return failure();
  HloBuilder &b = op.b;
  double low = op.floatAttr("low", 0), high = op.floatAttr("high", 1);
  Value unit = randomUniform(b, sizes, keyOf(op));
  return op.result(convert(b, add(b, mul(b, unit, high - low), low), element));
}

static LogicalResult giveNormal(NodeContext &op, ArrayRef<Size> sizes,
                                Type element) {
  if (!element)
    return failure();
  HloBuilder &b = op.b;
  Value x = mul(b, randomNormal(b, sizes, keyOf(op)), op.floatAttr("scale", 1));
  return op.result(convert(b, add(b, x, op.floatAttr("mean", 0)), element));
}

static LogicalResult importRandomUniform(NodeContext &op) {
  return giveUniform(op, toSizes(op.intsAttr("shape")),
                     wantedElement(op, Value()));
}
static LogicalResult importRandomUniformLike(NodeContext &op) {
  return giveUniform(op, sizesOf(op.b, op.input(0)),
                     wantedElement(op, op.input(0)));
}
static LogicalResult importRandomNormal(NodeContext &op) {
  return giveNormal(op, toSizes(op.intsAttr("shape")),
                    wantedElement(op, Value()));
}
static LogicalResult importRandomNormalLike(NodeContext &op) {
  return giveNormal(op, sizesOf(op.b, op.input(0)),
                    wantedElement(op, op.input(0)));
}

static LogicalResult importBernoulli(NodeContext &op) {
  HloBuilder &b = op.b;
  Value p = op.input(0);
  Type element = wantedElement(op, p);
  if (!element)
    return failure();
  Value unit = randomUniform(b, sizesOf(b, p), keyOf(op));
  Value hit = compare(b, Direction::LT, unit, convert(b, p, b.getF32Type()));
  return op.result(convert(b, hit, element));
}

/// Classes [batch, samples] drawn by unnormalised log-probabilities [batch,
/// classes].
static LogicalResult importMultinomial(NodeContext &op) {
  HloBuilder &b = op.b;
  Value logits = op.input(0);
  Type element = op.elementType(op.intAttr("dtype", 6));
  int64_t samples = op.intAttr("sample_size", 1);
  if (!element || rankOf(logits) != 2 || samples < 1)
    return op.error() << "found input " << typeOf(logits) << " and sample_size "
                      << samples << ", expected rank 2 and at least 1";
  logits = convert(b, logits, b.getF32Type());
  Value bounds = cumulativeSum(b, frontend::softmax(b, logits, 1), 1);
  Sizes shape = {sizeOf(b, logits, 0), samples, sizeOf(b, logits, 1)};
  Value unit = randomUniform(b, {shape[0], samples}, keyOf(op));
  Value passed =
      compare(b, Direction::GE, broadcastInDim(b, unit, shape, {0, 1}),
              broadcastInDim(b, bounds, shape, {0, 2}));
  Value drawn =
      reduceSum(b, convert(b, passed, b.getI64Type()), {2}, /*keepDims=*/false);
  // Rounding may leave the last bound a little below 1.
  Value last = frontend::sub(b, shape[2], 1).materialize(b);
  drawn = minimum(b, drawn, fill(b, last, sizesOf(b, drawn)));
  return op.result(convert(b, drawn, element));
}

/// The truth of training_mode: an input since opset 12.
static FailureOr<bool> isTraining(NodeContext &op) {
  if (op.opset < 7)
    return op.intAttr("is_test", 0) == 0;
  if (op.opset < 12 || !op.has(2))
    return false;
  auto known = onnx::constantInts(op.input(2));
  if (!known || known->size() != 1)
    return op.error() << "found a training_mode computed at run time, expected "
                         "a constant";
  return known->front() != 0;
}

/// data, ratio, training_mode. Outputs: the result and the mask.
static LogicalResult importDropout(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto training = isTraining(op);
  if (failed(training))
    return failure();
  // Before opset 10 the mask had the data's type.
  Type maskElement = op.opset < 10 ? elementOf(x) : Type(b.getI1Type());
  Value ratio = op.has(1) ? frontend::reshape(b, op.input(1), {}) : Value();
  double given = op.opset < 12 ? op.floatAttr("ratio", 0.5f) : 0.5;
  auto known = ratio ? constantNumber(ratio) : given;
  if (!*training || (known && *known == 0)) {
    op.set(0, x);
    if (op.wants(1))
      op.set(1, full(b, sizesOf(b, x), maskElement, 1));
    return success();
  }
  Type f32 = b.getF32Type();
  ratio = ratio ? convert(b, ratio, f32) : scalar(b, f32, given);
  Sizes sizes = sizesOf(b, x);
  Value unit = randomUniform(b, sizes, keyOf(op));
  Value kept = compare(b, Direction::GE, unit, fill(b, ratio, sizes));
  Value scale = div(b, scalar(b, f32, 1), sub(b, scalar(b, f32, 1), ratio));
  Value scaled = mul(b, x, fill(b, convert(b, scale, elementOf(x)), sizes));
  op.set(0, select(b, kept, scaled, fullLike(b, x, 0)));
  op.set(1, convert(b, kept, maskElement));
  return success();
}

void ferrule::onnx::registerRandomOps(Registry &r) {
  r.add("RandomUniform", importRandomUniform);
  r.add("RandomUniformLike", importRandomUniformLike);
  r.add("RandomNormal", importRandomNormal);
  r.add("RandomNormalLike", importRandomNormalLike);
  r.add("Bernoulli", importBernoulli);
  r.add("Multinomial", importMultinomial);
  r.add("Dropout", importDropout);
}
