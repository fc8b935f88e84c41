// Pooling over regions of interest: parts of images given by their corners.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

namespace {
/// The samples of all regions along one spatial dimension, each [regions,
/// bins, samples].
struct Samples {
  Value low, high; // rows on both sides (i64)
  Value lowWeight, highWeight;
  Value counts; // i1: whether the sample is one of its bin's
  Value number; // samples a bin, [regions]
};
} // namespace

/// Samples between `start` and `start + extent` [regions] for `bins` bins.
/// `ratio` samples a bin, or, when 0, one for each pixel begun.
static Samples placeSamples(HloBuilder &b, Value start, Value extent,
                            int64_t bins, int64_t ratio, Size pixels) {
  Type element = elementOf(start), i64 = b.getI64Type();
  Value binSize = div(b, extent, double(bins));
  Size most = ratio;
  Value number = fullLike(b, start, double(ratio));
  if (ratio <= 0) {
    number = frontend::ceil(b, binSize);
    Value greatest = reduceMax(b, number, {0}, /*keepDims=*/false);
    Value whole = convert(b, maximum(b, greatest, 0.0), i64);
    most = toSize(b, whole);
  }
  Sizes shape = {sizeOf(b, start, 0), bins, most};
  auto spread = [&](Value x) { return broadcastInDim(b, x, shape, {0}); };
  Value bin = iota(b, shape, 1, element), i = iota(b, shape, 2, element);
  Value share = div(b, mul(b, add(b, i, 0.5), spread(binSize)),
                    maximum(b, spread(number), 1.0));
  Value at = add(b, add(b, spread(start), mul(b, bin, spread(binSize))), share);
  Value last =
      fill(b, convert(b, frontend::sub(b, pixels, 1).materialize(b), element),
           shape);
  Value inside = bitAnd(b, compare(b, Direction::GE, at, -1.0),
                        compare(b, Direction::LE, at, add(b, last, 1.0)));
  at = minimum(b, maximum(b, at, 0.0), last);
  Value low = frontend::floor(b, at);
  Value t = sub(b, at, low);
  Value zero = fullLike(b, t, 0);
  Samples s;
  s.low = convert(b, low, i64);
  s.high = convert(b, minimum(b, add(b, low, 1.0), last), i64);
  s.lowWeight = select(b, inside, sub(b, fullLike(b, t, 1), t), zero);
  s.highWeight = select(b, inside, t, zero);
  s.counts = compare(b, Direction::LT, i, spread(number));
  s.number = number;
  return s;
}

/// X [N, C, H, W], rois [R, 4] as x1, y1, x2, y2, batch_indices [R]. The
/// result is [R, C, output_height, output_width].
static LogicalResult importRoiAlign(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), rois = op.input(1);
  StringRef mode = op.stringAttr("mode", "avg");
  int64_t height = op.intAttr("output_height", 1);
  int64_t width = op.intAttr("output_width", 1);
  int64_t ratio = op.intAttr("sampling_ratio", 0);
  if (rankOf(x) != 4 || rankOf(rois) != 2 || height < 1 || width < 1 ||
      ratio < 0 || (mode != "avg" && mode != "max"))
    return op.error() << "found input " << typeOf(x) << ", rois "
                      << typeOf(rois) << ", mode '" << mode
                      << "', expected ranks 4 and 2, mode avg or max and "
                         "positive output sizes";
  Type element = computeType(elementOf(x)), i64 = b.getI64Type();
  // Before opset 16 there was no half pixel.
  bool half = op.opset >= 16 && op.stringAttr("coordinate_transformation_mode",
                                              "half_pixel") == "half_pixel";
  rois = mul(b, convert(b, rois, element), op.floatAttr("spatial_scale", 1));
  if (half)
    rois = sub(b, rois, 0.5);
  auto side = [&](int64_t from) {
    Value extent = sub(b, selectIndex(b, rois, 1, from + 2),
                       selectIndex(b, rois, 1, from));
    return half ? extent : maximum(b, extent, 1.0);
  };
  Sizes in = sizesOf(b, x);
  Samples v = placeSamples(b, selectIndex(b, rois, 1, 1), side(1), height,
                           ratio, in[2]);
  Samples h =
      placeSamples(b, selectIndex(b, rois, 1, 0), side(0), width, ratio, in[3]);
  Sizes shape = {sizeOf(b, rois, 0), height, sizeOf(b, v.low, 2), width,
                 sizeOf(b, h.low, 2)};
  Value batch = broadcastInDim(b, convert(b, op.input(2), i64), shape, {0});
  Value last = convert(b, transpose(b, x, {0, 2, 3, 1}), element);
  auto down = [&](Value y) { return broadcastInDim(b, y, shape, {0, 1, 2}); };
  auto across = [&](Value y) { return broadcastInDim(b, y, shape, {0, 3, 4}); };
  Value total;
  for (auto [row, rowWeight] :
       {std::pair(v.low, v.lowWeight), std::pair(v.high, v.highWeight)})
    for (auto [column, columnWeight] :
         {std::pair(h.low, h.lowWeight), std::pair(h.high, h.highWeight)}) {
      Value pixels =
          gatherND(b, last, stack(b, {batch, down(row), across(column)}, 5));
      Value weight = mul(b, down(rowWeight), across(columnWeight));
      Value part =
          mul(b, pixels,
              broadcastInDim(b, weight, sizesOf(b, pixels), {0, 1, 2, 3, 4}));
      // The maximum is one of weighted pixels, not of samples.
      total = !total          ? part
              : mode == "max" ? maximum(b, total, part)
                              : add(b, total, part);
    }
  // [R, height, samples, width, samples, C]
  Value counts = broadcastInDim(b, bitAnd(b, down(v.counts), across(h.counts)),
                                sizesOf(b, total), {0, 1, 2, 3, 4});
  Value neutral = mode == "max"
                      ? fill(b, lowestScalar(b, element), sizesOf(b, total))
                      : fullLike(b, total, 0);
  total = select(b, counts, total, neutral);
  Value result;
  if (mode == "max") {
    result = reduceMax(b, total, {2, 4}, /*keepDims=*/false);
    Value none = compare(b, Direction::EQ, result,
                         -std::numeric_limits<double>::infinity());
    result = select(b, none, fullLike(b, result, 0), result);
  } else {
    result = reduceSum(b, total, {2, 4}, /*keepDims=*/false);
    Value number = maximum(b, mul(b, v.number, h.number), 1.0);
    result = div(b, result, broadcastInDim(b, number, sizesOf(b, result), {0}));
  }
  return op.result(
      convert(b, transpose(b, result, {0, 3, 1, 2}), elementOf(x)));
}

/// Which pixels [regions, bins, pixels] belong to which bin: from the floor of
/// a bin's start to the ceiling of its end.
static Value binMask(HloBuilder &b, Value from, Value to, int64_t bins,
                     Size pixels) {
  Type element = elementOf(from);
  Value extent = maximum(b, add(b, sub(b, to, from), 1.0), 1.0);
  Sizes shape = {sizeOf(b, from, 0), bins, pixels};
  auto spread = [&](Value x) { return broadcastInDim(b, x, shape, {0}); };
  Value size = spread(div(b, extent, double(bins)));
  Value bin = iota(b, shape, 1, element), pixel = iota(b, shape, 2, element);
  Value start = add(b, frontend::floor(b, mul(b, bin, size)), spread(from));
  Value end =
      add(b, frontend::ceil(b, mul(b, add(b, bin, 1.0), size)), spread(from));
  return bitAnd(b, compare(b, Direction::GE, pixel, start),
                compare(b, Direction::LT, pixel, end));
}

/// X [N, C, H, W], rois [R, 5] as batch, x1, y1, x2, y2.
static LogicalResult importMaxRoiPool(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), rois = op.input(1);
  SmallVector<int64_t> bins = op.intsAttr("pooled_shape");
  if (rankOf(x) != 4 || rankOf(rois) != 2 || bins.size() != 2)
    return op.error() << "found input " << typeOf(x) << ", rois "
                      << typeOf(rois) << " and " << bins.size()
                      << " sizes, expected ranks 4 and 2 and two sizes";
  double scale = op.floatAttr("spatial_scale", 1);
  auto corner = [&](int64_t i) {
    return frontend::floor(
        b, add(b, mul(b, selectIndex(b, rois, 1, i), scale), 0.5));
  };
  Value batch = convert(b, selectIndex(b, rois, 1, 0), b.getI64Type());
  Value images = take(b, x, batch, 0);
  Sizes in = sizesOf(b, images);
  double lowest = -std::numeric_limits<double>::infinity();
  // First over rows, then over columns: [R, C, bins, H, W] -> [R, C, bins, W].
  auto poolRows = [&](Value value, Value mask) {
    Sizes s = sizesOf(b, value);
    Sizes wide = {s[0], s[1], sizeOf(b, mask, 1), s[2], s[3]};
    Value kept = select(b, broadcastInDim(b, mask, wide, {0, 2, 3}),
                        broadcastInDim(b, value, wide, {0, 1, 3, 4}),
                        full(b, wide, elementOf(value), lowest));
    return reduceMax(b, kept, {3}, /*keepDims=*/false);
  };
  Value y = poolRows(images, binMask(b, corner(2), corner(4), bins[0], in[2]));
  y = poolRows(swapDims(b, y, 2, 3),
               binMask(b, corner(1), corner(3), bins[1], in[3]));
  y = swapDims(b, y, 2, 3);
  Value empty = compare(b, Direction::EQ, y, lowest);
  return op.result(select(b, empty, fullLike(b, y, 0), y));
}

void ferrule::onnx::registerRegionOps(Registry &r) {
  r.add("RoiAlign", importRoiAlign);
  r.add("MaxRoiPool", importMaxRoiPool);
}
