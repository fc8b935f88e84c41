// Pooling over windows and over whole images.
#include "compiler/Frontend/ONNX/Windows.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Pooling.h"
#include "compiler/Frontend/Support/Reduction.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static FailureOr<PoolingSpec> readPooling(NodeContext &op, Value &x,
                                          double fill) {
  SmallVector<int64_t> kernel = op.intsAttr("kernel_shape");
  if (kernel.empty() || rankOf(x) != int64_t(kernel.size()) + 2)
    return op.error() << "found kernel_shape of length " << kernel.size()
                      << " and input " << typeOf(x)
                      << ", expected a kernel size for each spatial dimension";
  auto window = readWindow(op, x, kernel, fill);
  if (failed(window))
    return failure();
  PoolingSpec spec;
  spec.kernel = window->kernel;
  spec.strides = window->strides;
  spec.dilations = window->dilations;
  spec.padLow = window->padLow;
  spec.padHigh = window->padHigh;
  spec.ceilMode = op.intAttr("ceil_mode", 0);
  return spec;
}

/// Places count over the whole tensor in ONNX, over one image in the shared
/// function; storage_order 1 counts columns first.
static Value wholeTensorIndices(NodeContext &op, Value x, Value places) {
  HloBuilder &b = op.b;
  Sizes sizes = sizesOf(b, x);
  Type i64 = b.getI64Type();
  Size image = product(b, ArrayRef(sizes).drop_front(2));
  if (op.intAttr("storage_order", 0)) {
    // Take the place apart, last dimension first, and count anew: with Horner's
    // rule from the last dimension the first one counts fastest.
    Value rest = places, result;
    for (int64_t d = rankOf(x) - 1; d >= 2; --d) {
      Value size = fill(b, sizes[d].materialize(b), sizesOf(b, places));
      Value coordinate = remainder(b, rest, size);
      rest = div(b, rest, size);
      result = result ? add(b, mul(b, result, size), coordinate) : coordinate;
    }
    places = result;
  }
  Sizes pooled = sizesOf(b, places);
  Value plane = add(b, mul(b, iota(b, pooled, 0, i64), sizes[1].materialize(b)),
                    iota(b, pooled, 1, i64));
  return add(b, mul(b, plane, image.materialize(b)), places);
}

static LogicalResult importMaxPool(NodeContext &op) {
  Value x = op.input(0);
  bool isFloat = isa<FloatType>(elementOf(x));
  double lowest = isFloat ? -std::numeric_limits<double>::infinity()
                  : elementOf(x).isUnsignedInteger() ? 0
                                                     : -128;
  Value padded = x;
  auto spec = readPooling(op, padded, lowest);
  if (failed(spec))
    return failure();
  if (!op.wants(1))
    return op.result(maxPool(op.b, padded, *spec));
  if (padded != x)
    return op.error() << "found the Indices output with auto_pad SAME over "
                         "unknown sizes, which is not supported";
  auto [value, places] = maxPoolWithIndices(op.b, x, *spec);
  op.set(0, value);
  op.set(1, wholeTensorIndices(op, x, places));
  return success();
}

static LogicalResult importAveragePool(NodeContext &op) {
  Value x = op.input(0), padded = x;
  auto spec = readPooling(op, padded, 0);
  if (failed(spec))
    return failure();
  spec->countPadding = op.intAttr("count_include_pad", 0);
  if (padded != x && !spec->countPadding)
    return op.error() << "found auto_pad SAME over unknown sizes without "
                         "count_include_pad, which is not supported";
  return op.result(averagePool(op.b, padded, *spec));
}

/// The order of a norm, which was a float first.
static double normOrder(NodeContext &op) {
  return op.opset < 2 ? op.floatAttr("p", 2) : double(op.intAttr("p", 2));
}

static LogicalResult importLpPool(NodeContext &op) {
  Value x = op.input(0);
  auto spec = readPooling(op, x, 0);
  if (failed(spec))
    return failure();
  return op.result(normPool(op.b, x, normOrder(op), *spec));
}

static SmallVector<int64_t> spatialDims(Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(2, rankOf(x)));
}

static LogicalResult importGlobalAveragePool(NodeContext &op) {
  Value x = op.input(0);
  return op.result(reduceMean(op.b, x, spatialDims(x), /*keepDims=*/true));
}

static LogicalResult importGlobalMaxPool(NodeContext &op) {
  Value x = op.input(0);
  return op.result(reduceMax(op.b, x, spatialDims(x), /*keepDims=*/true));
}

static LogicalResult importGlobalLpPool(NodeContext &op) {
  Value x = op.input(0);
  return op.result(reduceNorm(op.b, x, normOrder(op), spatialDims(x),
                              /*keepDims=*/true));
}

void ferrule::onnx::registerPoolOps(Registry &r) {
  r.add("MaxPool", importMaxPool);
  r.add("AveragePool", importAveragePool);
  r.add("LpPool", importLpPool);
  r.add("GlobalAveragePool", importGlobalAveragePool);
  r.add("GlobalMaxPool", importGlobalMaxPool);
  r.add("GlobalLpPool", importGlobalLpPool);
}
