// Pooling, its gradients and its inverse.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Pooling.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

template <int rank> static PoolingSpec readSpec(OpLowering &x) {
  PoolingSpec spec;
  spec.kernel = x.integers("kernel_size");
  if (spec.kernel.size() == 1)
    spec.kernel.assign(rank, int64_t(spec.kernel[0]));
  spec.strides = x.integers("stride");
  spec.padLow = x.integers("padding");
  spec.dilations = x.integers("dilation");
  spec.ceilMode = x.flag("ceil_mode");
  spec.countPadding = x.flag("count_include_pad", true);
  if (x.has("divisor_override"))
    spec.divisor = x.integer("divisor_override");
  return spec;
}

template <int rank> static void maxPoolOp(OpLowering &x) {
  Value self = x.tensor("self");
  PoolingSpec spec = readSpec<rank>(x);
  if (x.failed())
    return;
  if (x.op->getNumResults() == 1)
    return x.give(maxPool(x.b, self, spec));
  if (x.op->getResult(1).use_empty())
    return x.give({maxPool(x.b, self, spec), Value()});
  auto [values, places] = maxPoolWithIndices(x.b, self, spec);
  x.give({values, places});
}

template <int rank> static void averagePoolOp(OpLowering &x) {
  Value self = x.tensor("self");
  PoolingSpec spec = readSpec<rank>(x);
  if (!x.failed())
    x.give(averagePool(x.b, self, spec));
}

/// The wanted sizes; -1 keeps a dimension.
static Sizes adaptiveSizes(OpLowering &x, Value self) {
  Sizes sizes = x.sizes("output_size");
  int64_t lead = rankOf(self) - sizes.size();
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t known = x.resultType().getDimSize(lead + i);
    if (ShapedType::isStatic(known))
      size = known;
    else if (size.is(-1))
      size = sizeOf(x.b, self, lead + i);
  }
  return sizes;
}

static void adaptiveAverageOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes sizes = adaptiveSizes(x, self);
  if (!x.failed())
    x.give(adaptiveAveragePool(x.b, self, sizes));
}

static void adaptiveMaxOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes sizes = adaptiveSizes(x, self);
  if (x.failed())
    return;
  auto [values, places] = adaptiveMaxPool(x.b, self, sizes);
  x.give({values, places});
}

/// The trailing `rank` dimensions as one.
static Value flatSpace(HloBuilder &b, Value value, int64_t rank) {
  return flatten(b, value, rankOf(value) - rank, rankOf(value) - 1);
}

/// Values put at places of a larger, zero space.
static Value unpool(OpLowering &x, Value values, Value places,
                    ArrayRef<Size> sizes, int64_t rank, Combine combine) {
  Value zeros = full(x.b, sizes, elementOf(values), 0);
  Value flat = flatSpace(x.b, zeros, rank);
  Value result =
      scatterElements(x.b, flat, flatSpace(x.b, places, rank),
                      flatSpace(x.b, values, rank), rankOf(flat) - 1, combine);
  return reshape(x.b, result, sizes);
}

template <int rank> static void unpoolOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes sizes = sizesOf(x.b, self), wanted = x.sizes("output_size");
  for (int64_t i = 0; i < rank; ++i)
    sizes[sizes.size() - rank + i] = wanted[i];
  x.give(unpool(x, self, x.tensor("indices"), sizes, rank, Combine::Replace));
}

template <int rank> static void maxPoolBackwardOp(OpLowering &x) {
  Value grad = x.tensor("grad_output");
  x.give(unpool(x, grad, x.tensor("indices"), sizesOf(x.b, x.tensor("self")),
                rank, Combine::Add));
}

/// Averages are linear: the gradient spreads each value over its window, which
/// is a sum over the same windows of the gradient with zeros between.
template <int rank> static void averagePoolBackwardOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value grad = x.tensor("grad_output"), self = x.tensor("self");
  PoolingSpec spec = readSpec<rank>(x);
  if (x.failed())
    return;
  spec.complete(rank);
  int64_t lead = rankOf(self) - rank, count = 1;
  if (!typeOf(self).hasStaticShape() || spec.ceilMode ||
      (!spec.countPadding &&
       llvm::any_of(spec.padLow, [](int64_t p) { return p != 0; })))
    return x.fail("has unknown sizes, ceil_mode or uncounted padding");
  SmallVector<int64_t> window(lead, 1), low(lead, 0), high(lead, 0);
  SmallVector<int64_t> between(lead, 0), shape(typeOf(self).getShape());
  for (int64_t i = 0; i < rank; ++i) {
    int64_t kernel = spec.kernel[i], stride = spec.strides[i];
    int64_t out = typeOf(grad).getDimSize(lead + i);
    window.push_back(kernel);
    between.push_back(stride - 1);
    low.push_back(kernel - 1 - spec.padLow[i]);
    // The padded gradient has in + kernel - 1 rows.
    high.push_back(shape[lead + i] + kernel - 1 - low.back() -
                   ((out - 1) * stride + 1));
    count *= kernel;
  }
  grad = div(b, grad, double(spec.divisor.value_or(count)));
  SmallVector<int64_t> padded(shape);
  for (int64_t i = 0; i < rank; ++i)
    padded[lead + i] += spec.kernel[i] - 1;
  Type element = elementOf(grad);
  Value zero = frontend::scalar(b, element, 0);
  Value spread =
      stablehlo::PadOp::create(b, RankedTensorType::get(padded, element), grad,
                               zero, low, high, between);
  PoolingSpec sum;
  sum.kernel = spec.kernel;
  sum.strides.assign(rank, 1);
  sum.divisor = 1;
  x.give(averagePool(b, spread, sum));
}

/// Global pooling only: every element gets the same share.
static void adaptiveBackwardOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value grad = x.tensor("grad_output"), self = x.tensor("self");
  int64_t rank = 2;
  Size count = 1;
  for (int64_t i = rankOf(self) - rank; i < rankOf(self); ++i) {
    if (typeOf(grad).getDimSize(i) != 1)
      return x.fail("is the gradient of more than one window");
    count = mul(b, count, sizeOf(b, self, i));
  }
  Value share = div(b, grad, convert(b, count.materialize(b), elementOf(grad)));
  x.give(broadcastTo(b, share, sizesOf(b, self)));
}

static const LoweringEntry entries[] = {
    {"aten.max_pool1d", maxPoolOp<1>},
    {"aten.max_pool2d", maxPoolOp<2>},
    {"aten.max_pool3d", maxPoolOp<3>},
    {"aten.max_pool1d_with_indices", maxPoolOp<1>},
    {"aten.max_pool2d_with_indices", maxPoolOp<2>},
    {"aten.max_pool3d_with_indices", maxPoolOp<3>},
    {"aten.avg_pool1d", averagePoolOp<1>},
    {"aten.avg_pool2d", averagePoolOp<2>},
    {"aten.avg_pool3d", averagePoolOp<3>},
    {"aten._adaptive_avg_pool2d", adaptiveAverageOp},
    {"aten._adaptive_avg_pool3d", adaptiveAverageOp},
    {"aten.adaptive_avg_pool1d", adaptiveAverageOp},
    {"aten.adaptive_avg_pool2d", adaptiveAverageOp},
    {"aten.adaptive_avg_pool3d", adaptiveAverageOp},
    {"aten.adaptive_max_pool1d", adaptiveMaxOp},
    {"aten.adaptive_max_pool2d", adaptiveMaxOp},
    {"aten.adaptive_max_pool3d", adaptiveMaxOp},
    {"aten.max_unpool2d", unpoolOp<2>},
    {"aten.max_unpool3d", unpoolOp<3>},
    {"aten.max_pool2d_with_indices_backward", maxPoolBackwardOp<2>},
    {"aten.max_pool3d_with_indices_backward", maxPoolBackwardOp<3>},
    {"aten.avg_pool2d_backward", averagePoolBackwardOp<2>},
    {"aten.avg_pool3d_backward", averagePoolBackwardOp<3>},
    {"aten._adaptive_avg_pool2d_backward", adaptiveBackwardOp},
};

void torch::addPoolingLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
