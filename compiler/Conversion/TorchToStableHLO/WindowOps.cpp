// Windows of images as columns and back, bags of embeddings, distances.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Folding.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

namespace {
struct Window {
  SmallVector<int64_t> kernel, dilation, padding, stride;
};
} // namespace

static Window readWindow(OpLowering &x) {
  auto pair = [&](StringRef name) {
    SmallVector<int64_t> list = x.integers(name);
    if (list.size() != 2)
      list.assign(2, list.empty() ? 1 : list[0]);
    return list;
  };
  return {pair("kernel_size"), pair("dilation"), pair("padding"),
          pair("stride")};
}

/// The padded row that element (k, i) of dimension `d` lies in: the kernel's
/// row k of window i. Shaped [kernel, windows] with `after` ones behind.
static Value rowsOf(HloBuilder &b, const Window &w, int64_t d, int64_t windows,
                    int64_t after) {
  SmallVector<int64_t> rows;
  for (int64_t k = 0; k < w.kernel[d]; ++k)
    for (int64_t i = 0; i < windows; ++i)
      rows.push_back(k * w.dilation[d] + i * w.stride[d]);
  SmallVector<int64_t> shape = {w.kernel[d], windows};
  shape.append(after, 1);
  return reshape(b, constantI64(b, rows), toSizes(shape));
}

static int64_t countWindows(const Window &w, int64_t d, int64_t size) {
  return (size + 2 * w.padding[d] - w.dilation[d] * (w.kernel[d] - 1) - 1) /
             w.stride[d] +
         1;
}

static void im2colOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  Window w = readWindow(x);
  bool single = rankOf(self) == 3;
  if (single)
    self = unsqueeze(b, self, {0});
  if (typeOf(self).isDynamicDim(2) || typeOf(self).isDynamicDim(3))
    return x.fail("needs an image of known size");
  int64_t height = countWindows(w, 0, typeOf(self).getDimSize(2));
  int64_t width = countWindows(w, 1, typeOf(self).getDimSize(3));
  Sizes sizes = sizesOf(b, self);
  Sizes pads = {0, 0, w.padding[0], w.padding[1]};
  Value padded =
      padConstant(b, self, scalar(b, elementOf(self), 0), pads, pads);
  // [N, C, kh, h, kw, w] -> [N, C, kh, kw, h, w] -> [N, C kh kw, h w].
  Value windows = advancedIndex(b, padded,
                                {Value(), Value(), rowsOf(b, w, 0, height, 2),
                                 rowsOf(b, w, 1, width, 0)});
  windows = transpose(b, windows, {0, 1, 2, 4, 3, 5});
  Size channels = mul(b, sizes[1], w.kernel[0] * w.kernel[1]);
  Value result = reshape(b, windows, {sizes[0], channels, height * width});
  x.give(single ? squeeze(b, result, {0}) : result);
}

static void col2imOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  Window w = readWindow(x);
  SmallVector<int64_t> out = x.integers("output_size");
  if (x.failed() || out.size() != 2)
    return x.fail("needs two constants for 'output_size'");
  bool single = rankOf(self) == 2;
  if (single)
    self = unsqueeze(b, self, {0});
  PoolingSpec spec;
  spec.kernel = w.kernel;
  spec.strides = w.stride;
  spec.dilations = w.dilation;
  spec.padLow = spec.padHigh = w.padding;
  Value sum = foldWindows(b, self, out, spec);
  x.give(single ? squeeze(b, sum, {0}) : sum);
}

/// Rows of `weight` summed, averaged or maximised within each bag; a bag
/// begins at each offset.
static void embeddingBagOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Type i64 = b.getI64Type();
  Value weight = x.tensor("weight"), indices = x.tensor("indices", i64);
  Value offsets = x.tensor("offsets", i64);
  int64_t mode = x.integer("mode"), padding = x.integer("padding_idx", -1);
  Type element = elementOf(weight);
  Size count = sizeOf(b, indices, 0), bags = sizeOf(b, offsets, 0);
  if (x.flag("include_last_offset"))
    bags = sub(b, bags, 1);
  // The bag of entry i: how many offsets are not beyond it, less one.
  Value place = iota(b, {count, sizeOf(b, offsets, 0)}, 0, i64);
  Value begun =
      compare(b, Direction::LE,
              broadcastInDim(b, offsets, sizesOf(b, place), {1}), place);
  Value bag = sub(b, reduceSum(b, convert(b, begun, i64), {1}, false), 1.0);
  Value rows = take(b, weight, indices, 0);
  if (x.has("per_sample_weights"))
    rows = mul(b, rows,
               broadcastInDim(b, x.tensor("per_sample_weights", element),
                              sizesOf(b, rows), {0}));
  Value ones = full(b, {count}, element, 1);
  if (padding >= 0) {
    Value counts = compare(b, Direction::NE, indices, double(padding));
    ones = convert(b, counts, element);
    // Entries that do not count go to a bag past the end, which drops them.
    bag = select(b, counts, bag, fill(b, bags.materialize(b), {count}));
  }
  Size width = sizeOf(b, weight, 1);
  Value sizes =
      indexUpdate(b, full(b, {bags}, element, 0), 0, bag, ones, Combine::Add);
  Value start = mode == 2 ? fill(b, lowestScalar(b, element), {bags, width})
                          : full(b, {bags, width}, element, 0);
  Value result = indexUpdate(b, start, 0, bag, rows,
                             mode == 2 ? Combine::Maximum : Combine::Add);
  auto spread = [&](Value value) {
    return broadcastInDim(b, value, sizesOf(b, result), {0});
  };
  if (mode == 1)
    result = div(b, result, spread(maximum(b, sizes, 1.0)));
  if (mode == 2)
    result = select(b, spread(compare(b, Direction::GT, sizes, 0.0)), result,
                    fullLike(b, result, 0));
  x.give({result, bag, sizes, Value()});
}

/// Distances of all pairs of rows i < j.
static void pdistOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  int64_t rows = typeOf(self).getDimSize(0);
  if (ShapedType::isDynamic(rows))
    return x.fail("needs a known number of rows");
  SmallVector<int64_t> left, right;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = i + 1; j < rows; ++j) {
      left.push_back(i);
      right.push_back(j);
    }
  Value gap = sub(b, take(b, self, constantI64(b, left), 0),
                  take(b, self, constantI64(b, right), 0));
  x.give(reduceNorm(b, gap, x.number("p", 2), {1}, /*keepDims=*/false));
}

static const LoweringEntry entries[] = {
    {"aten.im2col", im2colOp},
    {"aten.col2im", col2imOp},
    {"aten._embedding_bag", embeddingBagOp},
    {"aten._embedding_bag_forward_only", embeddingBagOp},
    {"aten._pdist_forward", pdistOp},
};

void torch::addWindowLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
