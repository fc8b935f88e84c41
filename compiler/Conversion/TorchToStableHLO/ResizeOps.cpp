// Resampling of images.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Resize.h"
#include "compiler/Frontend/Support/Sampling.h"
#include <limits>

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

/// PyTorch's filter takes corners that are aligned for another scale only: the
/// coordinates stay those of the middles of pixels.
static ResizeScale alignedScale(HloBuilder &b, Size in, Size out) {
  if (in.isStatic() && out.isStatic()) {
    if (in.getStatic() <= 1 || out.getStatic() <= 1)
      return std::numeric_limits<double>::infinity();
    return double(out.getStatic() - 1) / double(in.getStatic() - 1);
  }
  Type f32 = b.getF32Type();
  Value steps = convert(b, sub(b, out, 1).materialize(b), f32);
  Value rows = convert(b, sub(b, in, 1).materialize(b), f32);
  Value several = bitAnd(b, compare(b, Direction::GT, steps, 0.0),
                         compare(b, Direction::GT, rows, 0.0));
  Value infinite = scalar(b, f32, std::numeric_limits<double>::infinity());
  ResizeScale scale;
  scale.value = select(b, several, div(b, steps, rows), infinite);
  return scale;
}

static void resize(OpLowering &x, ResizeSpec spec, bool hasAlign) {
  Value self = x.tensor(x.has("input") ? "input" : "self");
  Type element = elementOf(self);
  int64_t rank = rankOf(self) - 2;
  SmallVector<std::optional<double>> scales = readScales(x, rank);
  Sizes given = x.sizes("output_size");
  bool aligned = hasAlign && x.flag("align_corners");
  if (aligned && !spec.antialias)
    spec.coordinates = ResizeCoordinates::AlignCorners;
  Value result = self;
  if (spec.mode != ResizeMode::Nearest)
    result = convert(x.b, result, computeType(element));
  for (int64_t i = 0; i < rank; ++i) {
    std::optional<Size> size;
    if (i < int64_t(given.size()))
      size = given[i];
    Size out = outputSize(x, self, 2 + i, size, scales[i]);
    // Corners that are aligned fix the scale.
    ResizeScale scale = aligned ? std::nullopt : scales[i];
    if (spec.antialias && aligned)
      scale = alignedScale(x.b, sizeOf(x.b, self, 2 + i), out);
    result = resizeDim(x.b, result, 2 + i, out, scale, spec);
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

static void gridSampleOp(OpLowering &x) {
  int64_t mode = x.integer("interpolation_mode");
  int64_t padding = x.integer("padding_mode");
  SamplingSpec spec;
  spec.mode = mode == 0   ? SamplingMode::Linear
              : mode == 1 ? SamplingMode::Nearest
                          : SamplingMode::Cubic;
  spec.padding = padding == 0   ? SamplingPadding::Zeros
                 : padding == 1 ? SamplingPadding::Border
                                : SamplingPadding::Reflection;
  spec.alignCorners = x.flag("align_corners");
  x.give(gridSample(x.b, x.tensor("input"), x.tensor("grid"), spec));
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
    {"aten.grid_sampler_3d", gridSampleOp},
    {"aten.grid_sampler", gridSampleOp},
};

void torch::addResizeLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
