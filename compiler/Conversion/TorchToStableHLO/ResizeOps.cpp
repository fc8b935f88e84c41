// Resampling of images.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Resize.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// The scales as the user wrote them, one per spatial dimension.
static SmallVector<std::optional<double>> readScales(OpLowering &x,
                                                     int64_t rank) {
  SmallVector<std::optional<double>> scales(rank);
  if (x.has("scale_factors")) {
    for (auto [scale, number] : llvm::zip(scales, x.numbers("scale_factors")))
      scale = number;
    return scales;
  }
  static constexpr StringLiteral names[] = {"scales_d", "scales_h", "scales_w"};
  for (int64_t i = 0; i < rank; ++i) {
    StringRef name = names[3 - rank + i];
    if (rank == 1 && !x.has(name))
      name = "scales";
    if (x.has(name))
      scales[i] = x.number(name);
  }
  return scales;
}

/// The result's size in a dimension: given, or scaled and rounded down.
static Size outputSize(OpLowering &x, Value self, int64_t dim,
                       std::optional<Size> given, std::optional<double> scale) {
  int64_t known = x.resultType().getDimSize(dim);
  if (ShapedType::isStatic(known))
    return known;
  if (given)
    return *given;
  Size in = sizeOf(x.b, self, dim);
  if (!scale)
    return in;
  if (*scale == double(int64_t(*scale)))
    return mul(x.b, in, int64_t(*scale));
  Type f64 = x.b.getF64Type();
  Value rows = mul(x.b, convert(x.b, in.materialize(x.b), f64), *scale);
  return Size(convert(x.b, frontend::floor(x.b, rows), x.b.getI64Type()));
}

static void resize(OpLowering &x, ResizeSpec spec, bool hasAlign) {
  Value self = x.tensor(x.has("input") ? "input" : "self");
  Type element = elementOf(self);
  int64_t rank = rankOf(self) - 2;
  SmallVector<std::optional<double>> scales = readScales(x, rank);
  Sizes given = x.sizes("output_size");
  if (hasAlign && x.flag("align_corners")) {
    spec.coordinates = ResizeCoordinates::AlignCorners;
    scales.assign(rank, std::nullopt);
  }
  Value result = self;
  if (spec.mode != ResizeMode::Nearest)
    result = convert(x.b, result, computeType(element));
  for (int64_t i = 0; i < rank; ++i) {
    std::optional<Size> size;
    if (i < int64_t(given.size()))
      size = given[i];
    Size out = outputSize(x, self, 2 + i, size, scales[i]);
    if (spec.antialias && (!out.isStatic() || typeOf(self).isDynamicDim(2 + i)))
      return x.fail("filters a resampling of unknown sizes");
    result = resizeDim(x.b, result, 2 + i, out, scales[i], spec);
  }
  x.give(convert(x.b, result, element));
}

static void nearestOp(OpLowering &x) {
  ResizeSpec spec;
  spec.coordinates = ResizeCoordinates::Asymmetric;
  resize(x, spec, false);
}

/// Like Pillow: the nearest centre.
static void nearestExactOp(OpLowering &x) {
  ResizeSpec spec;
  spec.rounding = ResizeRounding::PreferCeil;
  resize(x, spec, false);
}

template <ResizeMode mode, bool antialias> static void smoothOp(OpLowering &x) {
  ResizeSpec spec;
  spec.mode = mode;
  spec.antialias = antialias;
  spec.excludeOutside = antialias;
  if (antialias && mode == ResizeMode::Cubic)
    spec.cubicCoefficient = -0.5;
  resize(x, spec, true);
}

/// Pixels [N, C, H, W] at positions that are clamped, or zero outside.
static Value pixelsAt(HloBuilder &b, Value input, Value row, Value column,
                      bool zerosOutside) {
  // Everything over the grid's shape [N, h, w].
  Type i64 = b.getI64Type(), element = elementOf(row);
  auto limited = [&](Value place, int64_t dim) {
    Value last = sub(b, sizeOf(b, input, dim), 1).materialize(b);
    Value bounded = frontend::clamp(b, place, frontend::scalar(b, element, 0),
                                    convert(b, last, element));
    return convert(b, bounded, i64);
  };
  Value rows = limited(row, 2), columns = limited(column, 3);
  Value batch = iota(b, sizesOf(b, rows), 0, i64);
  // [N, H, W, C] gathered by (n, row, column).
  Value last = transpose(b, input, {0, 2, 3, 1});
  Value pixels = gatherND(b, last, stack(b, {batch, rows, columns}, 3));
  if (zerosOutside) {
    Value inside;
    for (auto [place, dim] : {std::pair(row, 2), std::pair(column, 3)}) {
      Value size = convert(b, sizeOf(b, input, dim).materialize(b), element);
      Value in = bitAnd(b, compare(b, Direction::GE, place, 0.0),
                        compare(b, Direction::LT, place, size));
      inside = inside ? bitAnd(b, inside, in) : in;
    }
    Value mask = broadcastInDim(b, inside, sizesOf(b, pixels), {0, 1, 2});
    pixels = select(b, mask, pixels, fullLike(b, pixels, 0));
  }
  return pixels;
}

/// Mirrors coordinates into [low, high], both given doubled.
static Value reflected(HloBuilder &b, Value at, Value low2, Value high2) {
  Value low = mul(b, low2, 0.5);
  Value span = mul(b, sub(b, high2, low2), 0.5);
  Value none = compare(b, Direction::LE, span, 0.0);
  Value safe = select(b, none, fullLike(b, span, 1), span);
  Value distance = abs(b, sub(b, at, low));
  Value extra = remainder(b, distance, safe);
  Value flips = frontend::floor(b, div(b, distance, safe));
  Value even = compare(b, Direction::EQ,
                       remainder(b, flips, fullLike(b, flips, 2)), 0.0);
  Value result =
      select(b, even, add(b, extra, low), add(b, sub(b, safe, extra), low));
  return select(b, none, fullLike(b, at, 0), result);
}

static void gridSampleOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.tensor("input"), grid = x.tensor("grid");
  int64_t mode = x.integer("interpolation_mode");
  int64_t padding = x.integer("padding_mode");
  bool align = x.flag("align_corners");
  Type element = elementOf(grid);
  if (mode > 1)
    return x.fail("interpolates bicubically");
  // Normalised coordinates (x, y) in [-1, 1] to rows and columns.
  auto coordinate = [&](int64_t which, int64_t dim) {
    Value g = selectIndex(b, grid, 3, which);
    Value size = convert(b, sizeOf(b, input, dim).materialize(b), element);
    Value at = align ? mul(b, mul(b, add(b, g, 1.0), 0.5), sub(b, size, 1.0))
                     : mul(b, sub(b, mul(b, add(b, g, 1.0), size), 1.0), 0.5);
    if (padding == 1 || padding == 2) {
      if (padding == 2) {
        Value two = mul(b, size, 2.0);
        at = align ? reflected(b, at, fullLike(b, size, 0), sub(b, two, 2.0))
                   : reflected(b, at, fullLike(b, size, -1), sub(b, two, 1.0));
      }
      at = frontend::clamp(b, at, frontend::scalar(b, element, 0),
                           sub(b, size, 1.0));
    }
    return at;
  };
  Value column = coordinate(0, 3), row = coordinate(1, 2);
  bool zeros = padding == 0;
  Value result;
  if (mode == 1) {
    result = pixelsAt(b, input, roundEven(b, row), roundEven(b, column), zeros);
  } else {
    Value top = frontend::floor(b, row), left = frontend::floor(b, column);
    Value down = sub(b, row, top), right = sub(b, column, left);
    for (int corner = 0; corner < 4; ++corner) {
      bool low = corner & 1, far = corner & 2;
      auto rest = [&](Value weight) {
        return sub(b, fullLike(b, weight, 1), weight);
      };
      Value weight = mul(b, low ? down : rest(down), far ? right : rest(right));
      Value pixels = pixelsAt(b, input, low ? add(b, top, 1.0) : top,
                              far ? add(b, left, 1.0) : left, zeros);
      Value part = mul(b, pixels,
                       broadcastInDim(b, convert(b, weight, elementOf(pixels)),
                                      sizesOf(b, pixels), {0, 1, 2}));
      result = result ? add(b, result, part) : part;
    }
  }
  x.give(transpose(b, result, {0, 3, 1, 2}));
}

static const LoweringEntry entries[] = {
    {"aten.upsample_nearest1d", nearestOp},
    {"aten.upsample_nearest1d.vec", nearestOp},
    {"aten.upsample_nearest2d", nearestOp},
    {"aten.upsample_nearest2d.vec", nearestOp},
    {"aten.upsample_nearest3d", nearestOp},
    {"aten.upsample_nearest3d.vec", nearestOp},
    {"aten._upsample_nearest_exact1d", nearestExactOp},
    {"aten._upsample_nearest_exact1d.vec", nearestExactOp},
    {"aten._upsample_nearest_exact2d", nearestExactOp},
    {"aten._upsample_nearest_exact2d.vec", nearestExactOp},
    {"aten._upsample_nearest_exact3d", nearestExactOp},
    {"aten._upsample_nearest_exact3d.vec", nearestExactOp},
    {"aten.upsample_linear1d", smoothOp<ResizeMode::Linear, false>},
    {"aten.upsample_linear1d.vec", smoothOp<ResizeMode::Linear, false>},
    {"aten.upsample_bilinear2d", smoothOp<ResizeMode::Linear, false>},
    {"aten.upsample_bilinear2d.vec", smoothOp<ResizeMode::Linear, false>},
    {"aten.upsample_trilinear3d", smoothOp<ResizeMode::Linear, false>},
    {"aten.upsample_trilinear3d.vec", smoothOp<ResizeMode::Linear, false>},
    {"aten.upsample_bicubic2d", smoothOp<ResizeMode::Cubic, false>},
    {"aten.upsample_bicubic2d.vec", smoothOp<ResizeMode::Cubic, false>},
    {"aten._upsample_bilinear2d_aa", smoothOp<ResizeMode::Linear, true>},
    {"aten._upsample_bilinear2d_aa.vec", smoothOp<ResizeMode::Linear, true>},
    {"aten._upsample_bicubic2d_aa", smoothOp<ResizeMode::Cubic, true>},
    {"aten._upsample_bicubic2d_aa.vec", smoothOp<ResizeMode::Cubic, true>},
    {"aten.grid_sampler_2d", gridSampleOp},
    {"aten.grid_sampler", gridSampleOp},
};

void torch::addResizeLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
