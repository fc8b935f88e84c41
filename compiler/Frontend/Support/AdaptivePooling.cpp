#include "compiler/Frontend/Support/Constants.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Pooling.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// For `count` windows over a dimension, where one of the sizes is unknown:
/// where each begins and ends, and which rows it holds, all [size, count].
struct Windows {
  Value first, last, holds;
};
static Windows windowsOf(HloBuilder &b, Size size, Size count) {
  Type i64 = b.getI64Type();
  Sizes sizes = {size, count};
  Value row = iota(b, sizes, 0, i64), window = iota(b, sizes, 1, i64);
  Value length = size.materialize(b), parts = count.materialize(b);
  Value first = truncDiv(b, mul(b, window, length), parts);
  Value next = mul(b, add(b, window, 1.0), length);
  Value last = truncDiv(b, add(b, next, sub(b, parts, 1.0)), parts);
  Value holds = bitAnd(b, compare(b, Direction::GE, row, first),
                       compare(b, Direction::LT, row, last));
  return {first, last, holds};
}

/// Averages dimension `dim` down to `count` rows by a matrix of weights.
static Value averageDim(HloBuilder &b, Value x, int64_t dim, Size wanted) {
  if (wanted.is(1))
    return reduceMean(b, x, {dim}, /*keepDims=*/true);
  int64_t size = typeOf(x).getDimSize(dim);
  if (knownEqual(sizeOf(b, x, dim), wanted))
    return x;
  if (ShapedType::isDynamic(size) || !wanted.isStatic()) {
    Type compute = computeType(elementOf(x));
    Windows windows = windowsOf(b, sizeOf(b, x, dim), wanted);
    Value length = convert(b, sub(b, windows.last, windows.first), compute);
    Value share = div(b, fullLike(b, length, 1), length);
    Value matrix = select(b, windows.holds, share, fullLike(b, share, 0));
    Value product =
        contract(b, convert(b, x, compute), matrix, {}, {}, {dim}, {0});
    return moveDim(b, convert(b, product, elementOf(x)), -1, dim);
  }
  int64_t count = wanted.getStatic();
  SmallVector<double> weights(size * count, 0.0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = i * size / count;
    int64_t last = ((i + 1) * size + count - 1) / count;
    for (int64_t row = first; row < last; ++row)
      weights[row * count + i] = 1.0 / double(last - first);
  }
  auto type = RankedTensorType::get({size, count}, b.getF64Type());
  Value matrix = constant(b, DenseElementsAttr::get(type, ArrayRef(weights)));
  Value product =
      contract(b, x, convert(b, matrix, elementOf(x)), {}, {}, {dim}, {0});
  return moveDim(b, product, -1, dim);
}

/// The spec of equal windows, when all sizes divide evenly.
static std::optional<PoolingSpec> evenWindows(Value x, ArrayRef<Size> sizes) {
  PoolingSpec spec;
  auto in = typeOf(x).getShape().take_back(sizes.size());
  for (auto [size, wanted] : llvm::zip(in, sizes)) {
    int64_t count = wanted.isStatic() ? wanted.getStatic() : 0;
    if (ShapedType::isDynamic(size) || count == 0 || size % count)
      return std::nullopt;
    spec.kernel.push_back(size / count);
  }
  return spec;
}

Value frontend::adaptiveAveragePool(HloBuilder &b, Value x,
                                    ArrayRef<Size> sizes) {
  int64_t lead = rankOf(x) - sizes.size();
  bool global = llvm::all_of(sizes, [](Size n) { return n.is(1); });
  if (global)
    return reduceMean(b, x,
                      llvm::to_vector(llvm::seq<int64_t>(lead, rankOf(x))),
                      /*keepDims=*/true);
  if (auto spec = evenWindows(x, sizes))
    return averagePool(b, x, *spec);
  for (auto [i, count] : llvm::enumerate(sizes))
    x = averageDim(b, x, lead + i, count);
  return x;
}

/// The greatest of each of `count` windows over a dimension of unknown size,
/// with the number in `places` that stands there.
static std::pair<Value, Value>
maxOfWindows(HloBuilder &b, Value x, Value places, int64_t dim, Size count) {
  if (count.is(1))
    return reducePairs(b, unsqueeze(b, x, {dim}), unsqueeze(b, places, {dim}),
                       dim + 1, true);
  Windows windows = windowsOf(b, sizeOf(b, x, dim), count);
  Sizes sizes = sizesOf(b, x);
  sizes.insert(sizes.begin() + dim, count);
  Value holds = broadcastInDim(b, windows.holds, sizes, {dim + 1, dim});
  Value wide = broadcastTo(b, unsqueeze(b, x, {dim}), sizes);
  wide = select(b, holds, wide, lowestScalar(b, elementOf(x)));
  return reducePairs(b, wide,
                     broadcastTo(b, unsqueeze(b, places, {dim}), sizes),
                     dim + 1, true);
}

std::pair<Value, Value> frontend::adaptiveMaxPool(HloBuilder &b, Value x,
                                                  ArrayRef<Size> sizes) {
  if (auto spec = evenWindows(x, sizes))
    return maxPoolWithIndices(b, x, *spec);
  // Rows of each window side by side (short windows repeat their last row),
  // one dimension after another; the place travels with the value.
  int64_t rank = rankOf(x), lead = rank - sizes.size();
  Sizes all = sizesOf(b, x), spatial(all.begin() + lead, all.end());
  Type i64 = b.getI64Type();
  Value places = reshape(b, iota(b, {product(b, spatial)}, 0, i64), spatial);
  places = broadcastTo(b, places, all);
  for (auto [i, wanted] : llvm::enumerate(sizes)) {
    int64_t dim = lead + i, size = typeOf(x).getDimSize(dim);
    if (ShapedType::isDynamic(size) || !wanted.isStatic()) {
      std::tie(x, places) = maxOfWindows(b, x, places, dim, wanted);
      continue;
    }
    int64_t count = wanted.getStatic();
    int64_t longest = 0;
    for (int64_t k = 0; k < count; ++k)
      longest = std::max(longest, ((k + 1) * size + count - 1) / count -
                                      k * size / count);
    SmallVector<int64_t> rows;
    for (int64_t k = 0; k < count; ++k)
      for (int64_t j = 0; j < longest; ++j)
        rows.push_back(std::min(k * size / count + j,
                                ((k + 1) * size + count - 1) / count - 1));
    Value index = constantI64(b, rows);
    Sizes split = {count, longest};
    x = unflatten(b, take(b, x, index, dim), dim, split);
    places = unflatten(b, take(b, places, index, dim), dim, split);
    std::tie(x, places) = reducePairs(b, x, places, dim + 1, true);
  }
  return {x, places};
}
