// Reductions and what is defined by them.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

using Reduction = Value (*)(HloBuilder &, Value, Dims, bool);
using SizeReduction = Size (*)(HloBuilder &, Size, Size);

/// The axes to reduce; nothing when the op is then the identity.
static FailureOr<std::optional<SmallVector<int64_t>>>
reducedAxes(NodeContext &op, Value x) {
  bool isDynamic = false;
  auto axes = op.constantList(1, "axes", &isDynamic);
  if (isDynamic)
    return op.error() << "found axes computed at run time, expected constants";
  if (!axes || axes->empty()) {
    if (op.intAttr("noop_with_empty_axes", 0))
      return std::optional<SmallVector<int64_t>>();
    return std::optional(allDims(x));
  }
  for (int64_t &axis : *axes) {
    auto wrapped = op.axis(axis, rankOf(x));
    if (failed(wrapped))
      return failure();
    axis = *wrapped;
  }
  return axes;
}

/// Reductions of lists of sizes; null when x is not one.
static Value reduceSmall(HloBuilder &b, Value x, SizeReduction fn,
                         bool keepDims) {
  if (!fn || !isSmall(x) || rankOf(x) != 1)
    return {};
  Sizes elements = elementsOf(b, x);
  if (elements.empty())
    return {};
  Size result = elements[0];
  for (Size element : llvm::drop_begin(elements))
    result = fn(b, result, element);
  return fromElements(b, {result}, elementOf(x), keepDims ? 1 : 0);
}

template <Reduction fn, SizeReduction small = nullptr>
static LogicalResult reduction(NodeContext &op) {
  Value x = op.input(0);
  auto axes = reducedAxes(op, x);
  if (failed(axes))
    return failure();
  bool keepDims = op.intAttr("keepdims", 1);
  if (*axes)
    if (Value known = reduceSmall(op.b, x, small, keepDims))
      return op.result(known);
  // Without axes, still the elementwise parts of the op are applied.
  SmallVector<int64_t> none;
  return op.result(fn(op.b, x, *axes ? **axes : none, keepDims || !*axes));
}

static Value meanOf(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  if (isa<FloatType>(elementOf(x)))
    return reduceMean(b, x, dims, keepDims);
  Value sum = reduceSum(b, x, dims, keepDims);
  Value count = reducedCount(b, x, dims, elementOf(x));
  return truncDiv(b, sum, count);
}

static Value maxOf(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return elementOf(x).isInteger(1) ? reduceAny(b, x, dims, keepDims)
                                   : reduceMax(b, x, dims, keepDims);
}

static Value minOf(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return elementOf(x).isInteger(1) ? reduceAll(b, x, dims, keepDims)
                                   : reduceMin(b, x, dims, keepDims);
}

static Value l1Of(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return reduceSum(b, frontend::abs(b, x), dims, keepDims);
}

static Value sumSquareOf(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return reduceSum(b, mul(b, x, x), dims, keepDims);
}

static Value l2Of(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  Value sum = sumSquareOf(b, x, dims, keepDims);
  if (isa<FloatType>(elementOf(x)))
    return frontend::sqrt(b, sum);
  Value root = frontend::sqrt(b, convert(b, sum, b.getF64Type()));
  return convert(b, root, elementOf(x));
}

static Value logSumOf(HloBuilder &b, Value x, Dims dims, bool keepDims) {
  return frontend::log(b, reduceSum(b, x, dims, keepDims));
}

static LogicalResult argOp(NodeContext &op, bool greatest) {
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(x));
  if (failed(axis))
    return failure();
  return op.result(argExtremum(op.b, x, *axis, greatest,
                               op.intAttr("keepdims", 1),
                               op.intAttr("select_last_index", 0)));
}

static LogicalResult importArgMax(NodeContext &op) { return argOp(op, true); }
static LogicalResult importArgMin(NodeContext &op) { return argOp(op, false); }

/// Applies `fn` along the op's axis. Before opset 13 the dimensions from the
/// axis on (by default 1) count as one.
static LogicalResult alongAxis(NodeContext &op,
                               Value (*fn)(HloBuilder &, Value, int64_t)) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  bool old = op.opset < 13;
  auto axis = op.axis(op.intAttr("axis", old ? 1 : -1), rankOf(x));
  if (failed(axis))
    return failure();
  if (!old || *axis == rankOf(x) - 1)
    return op.result(fn(b, x, *axis));
  Sizes sizes = sizesOf(b, x);
  Size outer = product(b, ArrayRef(sizes).take_front(*axis));
  Size inner = product(b, ArrayRef(sizes).drop_front(*axis));
  Value flat = frontend::reshape(b, x, {outer, inner});
  return op.result(frontend::reshape(b, fn(b, flat, 1), sizes));
}

static LogicalResult importSoftmax(NodeContext &op) {
  return alongAxis(op, frontend::softmax);
}

static LogicalResult importLogSoftmax(NodeContext &op) {
  return alongAxis(op, frontend::logSoftmax);
}

/// One where the first greatest element stands, zero elsewhere.
static Value hardmax(HloBuilder &b, Value x, int64_t dim) {
  Value place = argExtremum(b, x, dim, /*greatest=*/true, /*keepDims=*/true);
  Value position = iota(b, sizesOf(b, x), dim, b.getI64Type());
  Value hit =
      compare(b, Direction::EQ, position, broadcastTo(b, place, sizesOf(b, x)));
  return convert(b, hit, elementOf(x));
}

static LogicalResult importHardmax(NodeContext &op) {
  return alongAxis(op, hardmax);
}

void ferrule::onnx::registerReduceOps(Registry &r) {
  r.add("ReduceSum", reduction<reduceSum, frontend::add>);
  r.add("ReduceProd", reduction<reduceProd, frontend::mul>);
  r.add("ReduceMean", reduction<meanOf>);
  r.add("ReduceMax", reduction<maxOf, frontend::maximum>);
  r.add("ReduceMin", reduction<minOf, frontend::minimum>);
  r.add("ReduceL1", reduction<l1Of>);
  r.add("ReduceL2", reduction<l2Of>);
  r.add("ReduceLogSum", reduction<logSumOf>);
  r.add("ReduceLogSumExp", reduction<reduceLogSumExp>);
  r.add("ReduceSumSquare", reduction<sumSquareOf>);
  r.add("ArgMax", importArgMax);
  r.add("ArgMin", importArgMin);
  r.add("Softmax", importSoftmax);
  r.add("LogSoftmax", importLogSoftmax);
  r.add("Hardmax", importHardmax);
}
