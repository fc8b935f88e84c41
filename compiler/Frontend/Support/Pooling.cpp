#include "compiler/Frontend/Support/Pooling.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

void PoolingSpec::complete(int64_t rank) {
  auto fill = [&](SmallVector<int64_t> &list, int64_t value) {
    if (list.size() == 1)
      value = list[0];
    if (int64_t(list.size()) != rank)
      list.assign(rank, value);
  };
  fill(kernel, 1);
  if (strides.empty())
    strides = kernel;
  fill(strides, 1);
  fill(dilations, 1);
  fill(padLow, 0);
  if (padHigh.empty())
    padHigh = padLow;
  fill(padHigh, 0);
}

namespace {
/// The windows of a pooling over all dimensions of its operand.
struct Windows {
  SmallVector<int64_t> sizes, strides, dilations, padding;
  SmallVector<int64_t> shape;
  /// Sizes to cut to afterwards, where ceilMode meets an unknown size.
  SmallVector<std::optional<Size>> cut;
  /// Rows beyond the high padding that ceilMode reads.
  SmallVector<int64_t> extra;
};
} // namespace

/// Windows over the trailing dimensions; with ceilMode the high padding grows
/// to what the last window reads.
static Windows windowsOf(HloBuilder &b, Value x, const PoolingSpec &spec) {
  RankedTensorType type = typeOf(x);
  int64_t rank = spec.kernel.size(), lead = type.getRank() - rank;
  Windows w;
  w.sizes.assign(lead, 1);
  w.strides.assign(lead, 1);
  w.dilations.assign(lead, 1);
  w.padding.assign(2 * lead, 0);
  w.extra.assign(rank, 0);
  w.cut.resize(type.getRank());
  llvm::append_range(w.shape, type.getShape().take_front(lead));
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = type.getDimSize(lead + i), stride = spec.strides[i];
    int64_t window = spec.dilations[i] * (spec.kernel[i] - 1) + 1;
    int64_t low = spec.padLow[i], high = spec.padHigh[i];
    if (ShapedType::isStatic(size)) {
      int64_t span = size + low + high - window;
      int64_t count = span / stride + 1;
      if (spec.ceilMode) {
        count = (span + stride - 1) / stride + 1;
        if ((count - 1) * stride >= size + low)
          --count;
        w.extra[i] = std::max<int64_t>((count - 1) * stride - span, 0);
      }
      size = count;
    } else if (spec.ceilMode) {
      w.extra[i] = stride - 1;
      Size in = sizeOf(b, x, lead + i);
      Size count =
          add(b, ceilDiv(b, add(b, in, low + high - window), stride), 1);
      // The last window must start inside the input or its low padding.
      w.cut[lead + i] = minimum(b, count, ceilDiv(b, add(b, in, low), stride));
    }
    w.shape.push_back(size);
    w.sizes.push_back(spec.kernel[i]);
    w.strides.push_back(stride);
    w.dilations.push_back(spec.dilations[i]);
    llvm::append_values(w.padding, low, high + w.extra[i]);
  }
  return w;
}

static Value cutTo(HloBuilder &b, Value value, const Windows &w) {
  for (auto [dim, size] : llvm::enumerate(w.cut))
    if (size)
      value = slice(b, value, dim, 0, *size, 1);
  return value;
}

template <typename OpT>
static Value reduceWindows(HloBuilder &b, Value x, Value init,
                           const Windows &w) {
  auto type = RankedTensorType::get(w.shape, elementOf(x));
  auto op = stablehlo::ReduceWindowOp::create(
      b, ValueRange{x}, ValueRange{init}, w.sizes, w.strides,
      ArrayRef<int64_t>{}, w.dilations, w.padding,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value result =
            OpT::create(inner, loc, args[0].getType(), args[0], args[1]);
        stablehlo::ReturnOp::create(inner, loc, result);
      });
  Value result = op->getResult(0);
  result.setType(type);
  return cutTo(b, result, w);
}

Value frontend::maxPool(HloBuilder &b, Value x, PoolingSpec spec) {
  spec.complete(spec.kernel.size());
  Windows w = windowsOf(b, x, spec);
  return reduceWindows<stablehlo::MaxOp>(b, x, lowestScalar(b, elementOf(x)),
                                         w);
}

/// The number of elements in each window, as a tensor over the pooled
/// dimensions only.
static Value countWindows(HloBuilder &b, Value x, const PoolingSpec &spec,
                          Type element) {
  int64_t rank = spec.kernel.size();
  Sizes sizes = sizesOf(b, x);
  sizes.erase(sizes.begin(), sizes.end() - rank);
  PoolingSpec counted = spec;
  if (spec.countPadding) {
    // Padding counts: it becomes part of the tensor of ones.
    for (int64_t i = 0; i < rank; ++i)
      sizes[i] = add(b, sizes[i], spec.padLow[i] + spec.padHigh[i]);
    counted.padLow.assign(rank, 0);
    counted.padHigh.assign(rank, 0);
  }
  Value ones = full(b, sizes, element, 1);
  Windows w = windowsOf(b, x, spec);
  Windows own = windowsOf(b, ones, counted);
  // Both see the same windows; only where the ones end differs.
  own.shape.assign(w.shape.end() - rank, w.shape.end());
  for (int64_t i = 0; i < rank; ++i) {
    int64_t lead = w.padding.size() - 2 * rank;
    own.padding[2 * i] = spec.countPadding ? 0 : w.padding[lead + 2 * i];
    own.padding[2 * i + 1] =
        spec.countPadding ? w.extra[i] : w.padding[lead + 2 * i + 1];
    own.cut[i] = w.cut[w.cut.size() - rank + i];
  }
  return reduceWindows<stablehlo::AddOp>(b, ones, scalar(b, element, 0), own);
}

Value frontend::averagePool(HloBuilder &b, Value x, PoolingSpec spec) {
  int64_t rank = spec.kernel.size();
  spec.complete(rank);
  Type element = elementOf(x), compute = computeType(element);
  x = convert(b, x, compute);
  Windows w = windowsOf(b, x, spec);
  Value sum = reduceWindows<stablehlo::AddOp>(b, x, scalar(b, compute, 0), w);
  bool padded = llvm::any_of(w.padding, [](int64_t n) { return n != 0; });
  bool onlyCounted = spec.countPadding &&
                     llvm::all_of(w.extra, [](int64_t n) { return n == 0; });
  Value result;
  if (spec.divisor || !padded || onlyCounted) {
    int64_t count = 1;
    for (int64_t size : spec.kernel)
      count *= size;
    result = div(b, sum, double(spec.divisor.value_or(count)));
  } else {
    result = div(b, sum, countWindows(b, x, spec, compute));
  }
  return convert(b, result, element);
}

Value frontend::normPool(HloBuilder &b, Value x, double p, PoolingSpec spec) {
  spec.complete(spec.kernel.size());
  Windows w = windowsOf(b, x, spec);
  Value powers = p == 2   ? square(b, x)
                 : p == 1 ? abs(b, x)
                          : power(b, abs(b, x), p);
  Value sum =
      reduceWindows<stablehlo::AddOp>(b, powers, scalar(b, elementOf(x), 0), w);
  return p == 2 ? sqrt(b, sum) : p == 1 ? sum : power(b, sum, 1 / p);
}

std::pair<Value, Value> frontend::maxPoolWithIndices(HloBuilder &b, Value x,
                                                     PoolingSpec spec) {
  int64_t rank = spec.kernel.size();
  spec.complete(rank);
  Windows w = windowsOf(b, x, spec);
  // Each element's place in the flattened spatial dimensions.
  Sizes sizes = sizesOf(b, x), spatial(sizes.end() - rank, sizes.end());
  Type i64 = b.getI64Type();
  Value places = full(b, spatial, i64, 0);
  Size step = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    places = add(b, places,
                 mul(b, iota(b, spatial, i, i64),
                     fill(b, step.materialize(b), spatial)));
    step = mul(b, step, spatial[i]);
  }
  places = broadcastTo(b, places, sizes);
  Value lowest = lowestScalar(b, elementOf(x));
  auto op = stablehlo::ReduceWindowOp::create(
      b, ValueRange{x, places}, ValueRange{lowest, highestScalar(b, i64)},
      w.sizes, w.strides, ArrayRef<int64_t>{}, w.dilations, w.padding,
      greaterPairBody(/*greater=*/true));
  op->getResult(0).setType(RankedTensorType::get(w.shape, elementOf(x)));
  op->getResult(1).setType(RankedTensorType::get(w.shape, i64));
  return {cutTo(b, op->getResult(0), w), cutTo(b, op->getResult(1), w)};
}
