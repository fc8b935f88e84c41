#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Pooling.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// Averages dimension `dim` down to `count` rows by a matrix of weights.
static Value averageDim(HloBuilder &b, Value x, int64_t dim, int64_t count) {
  if (count == 1)
    return reduceMean(b, x, {dim}, /*keepDims=*/true);
  int64_t size = typeOf(x).getDimSize(dim);
  if (size == count)
    return x;
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
static std::optional<PoolingSpec> evenWindows(Value x,
                                              ArrayRef<int64_t> sizes) {
  PoolingSpec spec;
  auto in = typeOf(x).getShape().take_back(sizes.size());
  for (auto [size, count] : llvm::zip(in, sizes)) {
    if (ShapedType::isDynamic(size) || count == 0 || size % count)
      return std::nullopt;
    spec.kernel.push_back(size / count);
  }
  return spec;
}

Value frontend::adaptiveAveragePool(HloBuilder &b, Value x,
                                    ArrayRef<int64_t> sizes) {
  int64_t lead = rankOf(x) - sizes.size();
  bool global = llvm::all_of(sizes, [](int64_t n) { return n == 1; });
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

std::pair<Value, Value> frontend::adaptiveMaxPool(HloBuilder &b, Value x,
                                                  ArrayRef<int64_t> sizes) {
  if (auto spec = evenWindows(x, sizes))
    return maxPoolWithIndices(b, x, *spec);
  // Rows of each window side by side (short windows repeat their last row),
  // one dimension after another; the place travels with the value.
  int64_t rank = rankOf(x), lead = rank - sizes.size();
  Sizes all = sizesOf(b, x), spatial(all.begin() + lead, all.end());
  Type i64 = b.getI64Type();
  Value places = reshape(b, iota(b, {product(b, spatial)}, 0, i64), spatial);
  places = broadcastTo(b, places, all);
  for (auto [i, count] : llvm::enumerate(sizes)) {
    int64_t dim = lead + i, size = typeOf(x).getDimSize(dim);
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
