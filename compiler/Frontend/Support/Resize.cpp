#include "compiler/Frontend/Support/Resize.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

namespace {
/// Output row i lies at `i * scale + offset` of the input.
struct Line {
  double scale = 1, offset = 0;
};
} // namespace

static Line staticLine(int64_t in, int64_t out, std::optional<double> given,
                       ResizeCoordinates coordinates) {
  // Frameworks compute in single precision, and nearest mode shows it.
  float scale = given ? float(1.0 / *given) : float(in) / float(out);
  switch (coordinates) {
  case ResizeCoordinates::PytorchHalfPixel:
    if (out <= 1)
      return {0, 0};
    [[fallthrough]];
  case ResizeCoordinates::HalfPixel:
    return {scale, 0.5 * scale - 0.5};
  case ResizeCoordinates::AlignCorners:
    // A given scale means the size before it was rounded.
    if (given && out > 1)
      return {float((in - 1) / (*given * in - 1)), 0};
    return out <= 1 ? Line{0, 0} : Line{float(in - 1) / float(out - 1), 0};
  case ResizeCoordinates::Asymmetric:
    return {scale, 0};
  case ResizeCoordinates::HalfPixelSymmetric: {
    double exact = given ? *given * in : double(out);
    double adjust = out / exact, centre = in / 2.0;
    return {scale, centre * (1 - adjust) + 0.5 * scale - 0.5};
  }
  }
  llvm_unreachable("all coordinates handled");
}

/// The coordinates of all output rows, f32 [out].
static Value staticCoordinates(HloBuilder &b, int64_t in, int64_t out,
                               std::optional<double> given,
                               const ResizeSpec &spec) {
  Line line = staticLine(in, out, given, spec.coordinates);
  bool half = line.offset != 0 &&
              spec.coordinates != ResizeCoordinates::HalfPixelSymmetric;
  bool divides = spec.divides &&
                 (half || spec.coordinates == ResizeCoordinates::Asymmetric);
  float scale = line.scale;
  float divisor = given ? float(*given) : float(out) / float(in);
  auto unscale = [&](float x) { return divides ? x / divisor : scale * x; };
  SmallVector<float> values;
  for (int64_t i = 0; i < out; ++i)
    values.push_back(half ? unscale(float(i) + 0.5f) - 0.5f
                          : unscale(float(i)) + float(line.offset));
  auto type = RankedTensorType::get({out}, b.getF32Type());
  return constant(b, DenseElementsAttr::get(type, ArrayRef(values)));
}

/// The same where sizes or the scale are known at run time only.
static Value dynamicCoordinates(HloBuilder &b, Size in, Size out,
                                const ResizeScale &given,
                                const ResizeSpec &spec) {
  using C = ResizeCoordinates;
  Type f32 = b.getF32Type();
  Value rows = iota(b, {out}, 0, f32);
  Value inRows = convert(b, in.materialize(b), f32);
  Value outRows = convert(b, out.materialize(b), f32);
  Value scale;
  if (given.value)
    scale = convert(b, given.value, f32);
  else if (given.number)
    scale = scalar(b, f32, *given.number);
  if (spec.coordinates == C::AlignCorners) {
    // A given scale means the size before it was rounded.
    Value steps = sub(b, scale ? mul(b, scale, inRows) : outRows, 1.0);
    Value several = compare(b, Direction::GT, outRows, 1.0);
    steps = select(b, several, steps, fullLike(b, steps, 1));
    return mul(b, rows, div(b, sub(b, inRows, 1.0), steps));
  }
  auto unscale = [&](Value x) {
    if (spec.divides)
      return div(b, x, scale ? scale : div(b, outRows, inRows));
    if (given.number)
      return mul(b, x, double(float(1.0 / *given.number)));
    if (scale)
      return mul(b, x, div(b, fullLike(b, scale, 1), scale));
    return mul(b, x, div(b, inRows, outRows));
  };
  if (spec.coordinates == C::Asymmetric)
    return unscale(rows);
  Value result = sub(b, unscale(add(b, rows, 0.5)), 0.5);
  if (spec.coordinates == C::PytorchHalfPixel)
    result = select(b, compare(b, Direction::GT, outRows, 1.0), result,
                    fullLike(b, result, 0));
  if (spec.coordinates == C::HalfPixelSymmetric && scale) {
    // The middle of the input stays in the middle.
    Value adjust = div(b, outRows, mul(b, scale, inRows));
    Value middle = mul(b, inRows, 0.5);
    result =
        add(b, result, mul(b, middle, sub(b, fullLike(b, adjust, 1), adjust)));
  }
  return result;
}

static Value coordinatesOf(HloBuilder &b, Size in, Size out,
                           const ResizeScale &given, const ResizeSpec &spec) {
  if (in.isStatic() && out.isStatic() && !given.value)
    return staticCoordinates(b, in.getStatic(), out.getStatic(), given.number,
                             spec);
  return dynamicCoordinates(b, in, out, given, spec);
}

/// Float rows as indices inside the input.
static Value toRows(HloBuilder &b, Value rows, Size in) {
  Type i64 = b.getI64Type();
  Value last = sub(b, in, 1).materialize(b);
  return clamp(b, convert(b, rows, i64), scalarInt(b, i64, 0), last);
}

static Value nearestRows(HloBuilder &b, Value at, ResizeRounding rounding) {
  switch (rounding) {
  case ResizeRounding::Floor:
    return floor(b, at);
  case ResizeRounding::Ceil:
    return ceil(b, at);
  case ResizeRounding::PreferFloor:
    return ceil(b, sub(b, at, 0.5));
  case ResizeRounding::PreferCeil:
    return floor(b, add(b, at, 0.5));
  }
  llvm_unreachable("all roundings handled");
}

/// Keys' kernel for distance t >= 0; a is the coefficient.
static double cubic(double t, double a) {
  if (t < 1)
    return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
}

/// The same on tensors, t in [0, 1) or [1, 2].
static Value cubicNear(HloBuilder &b, Value t, double a) {
  return add(b, mul(b, mul(b, sub(b, mul(b, t, a + 2), a + 3), t), t), 1.0);
}
static Value cubicFar(HloBuilder &b, Value t, double a) {
  return mul(b, sub(b, mul(b, add(b, mul(b, sub(b, t, 5.0), t), 8.0), t), 4.0),
             a);
}

/// Rows from a matrix [in, out] of weights.
static Value byMatrix(HloBuilder &b, Value x, int64_t dim,
                      ArrayRef<float> weights, int64_t in, int64_t out) {
  auto type = RankedTensorType::get({in, out}, b.getF32Type());
  Value matrix = constant(b, DenseElementsAttr::get(type, weights));
  Value product =
      contract(b, x, convert(b, matrix, elementOf(x)), {}, {}, {dim}, {0});
  return moveDim(b, product, -1, dim);
}

/// Weights of linear and cubic modes for known sizes, as a matrix: needed
/// when shrinking is filtered or when rows outside do not count.
static Value filtered(HloBuilder &b, Value x, int64_t dim, int64_t out,
                      std::optional<double> given, const ResizeSpec &spec) {
  int64_t in = typeOf(x).getDimSize(dim);
  Line line = staticLine(in, out, given, spec.coordinates);
  double stretch = spec.antialias ? std::max(line.scale, 1.0) : 1.0;
  double reach = (spec.mode == ResizeMode::Cubic ? 2 : 1) * stretch;
  SmallVector<float> weights(in * out, 0.0f);
  for (int64_t i = 0; i < out; ++i) {
    double centre = i * line.scale + line.offset, sum = 0;
    auto weight = [&](int64_t row) {
      double t = std::abs(row - centre) / stretch;
      return spec.mode == ResizeMode::Cubic ? cubic(t, spec.cubicCoefficient)
                                            : std::max(0.0, 1 - t);
    };
    bool outsideCounts = !spec.excludeOutside;
    for (int64_t row = int64_t(std::floor(centre - reach));
         row <= int64_t(std::ceil(centre + reach)); ++row)
      if (outsideCounts || (row >= 0 && row < in))
        sum += weight(row);
    for (int64_t row = int64_t(std::floor(centre - reach));
         row <= int64_t(std::ceil(centre + reach)); ++row)
      if (outsideCounts || (row >= 0 && row < in))
        weights[std::clamp<int64_t>(row, 0, in - 1) * out + i] +=
            float(weight(row) / sum);
  }
  return byMatrix(b, x, dim, weights, in, out);
}

/// The same weights where a size is known at run time only, of the middles of
/// pixels and of rows inside alone.
static Value filteredOpen(HloBuilder &b, Value x, int64_t dim, Size out,
                          const ResizeScale &given, const ResizeSpec &spec) {
  Size in = sizeOf(b, x, dim);
  Type f32 = b.getF32Type();
  Sizes sizes = {in, out};
  Value inRows = convert(b, in.materialize(b), f32);
  Value outRows = convert(b, out.materialize(b), f32);
  Value one = scalar(b, f32, 1);
  Value scale = given.value    ? div(b, one, convert(b, given.value, f32))
                : given.number ? scalar(b, f32, 1.0 / *given.number)
                               : div(b, inRows, outRows);
  Value stretch = maximum(b, scale, 1.0);
  Value centre =
      sub(b, mul(b, add(b, iota(b, sizes, 1, f32), 0.5), scale), 0.5);
  Value t = div(b, abs(b, sub(b, iota(b, sizes, 0, f32), centre)), stretch);
  Value none = fullLike(b, t, 0), weights;
  if (spec.mode == ResizeMode::Cubic) {
    double a = spec.cubicCoefficient;
    Value far =
        select(b, compare(b, Direction::LT, t, 2.0), cubicFar(b, t, a), none);
    weights =
        select(b, compare(b, Direction::LT, t, 1.0), cubicNear(b, t, a), far);
  } else {
    weights = maximum(b, sub(b, fullLike(b, t, 1), t), none);
  }
  weights = div(b, weights, reduceSum(b, weights, {0}, /*keepDims=*/true));
  Value product =
      contract(b, x, convert(b, weights, elementOf(x)), {}, {}, {dim}, {0});
  return moveDim(b, product, -1, dim);
}

/// `weights` [out] spread along `dim` of `like`.
static Value along(HloBuilder &b, Value weights, Value like, int64_t dim) {
  return broadcastInDim(b, convert(b, weights, elementOf(like)),
                        sizesOf(b, like), {dim});
}

Value frontend::resizeDim(HloBuilder &b, Value x, int64_t dim, Size size,
                          ResizeScale scale, const ResizeSpec &spec) {
  Size in = sizeOf(b, x, dim);
  if (spec.mode != ResizeMode::Nearest &&
      (spec.antialias || spec.excludeOutside) && in.isStatic() &&
      size.isStatic())
    return filtered(b, x, dim, size.getStatic(), scale.number, spec);
  if (spec.mode != ResizeMode::Nearest && spec.antialias &&
      spec.coordinates == ResizeCoordinates::HalfPixel)
    return filteredOpen(b, x, dim, size, scale, spec);
  return resampleRows(b, x, dim, coordinatesOf(b, in, size, scale, spec), spec);
}

Value frontend::resampleRows(HloBuilder &b, Value x, int64_t dim, Value at,
                             const ResizeSpec &spec) {
  Size in = sizeOf(b, x, dim);
  if (spec.mode == ResizeMode::Nearest)
    return take(b, x, toRows(b, nearestRows(b, at, spec.rounding), in), dim);
  if (spec.mode == ResizeMode::Linear) {
    // Before the first row, the first row.
    at = maximum(b, at, 0.0);
    Value base = floor(b, at);
    Value low = take(b, x, toRows(b, base, in), dim);
    Value high = take(b, x, toRows(b, add(b, base, 1.0), in), dim);
    Value weight = sub(b, at, base);
    Value rest = sub(b, fullLike(b, weight, 1), weight);
    return add(b, mul(b, low, along(b, rest, low, dim)),
               mul(b, high, along(b, weight, high, dim)));
  }
  Value base = floor(b, at), t = sub(b, at, base);
  Value u = sub(b, fullLike(b, t, 1), t);
  double a = spec.cubicCoefficient;
  Value weights[4] = {cubicFar(b, add(b, t, 1.0), a), cubicNear(b, t, a),
                      cubicNear(b, u, a), cubicFar(b, add(b, u, 1.0), a)};
  Value result;
  for (int tap = 0; tap < 4; ++tap) {
    Value rows = toRows(b, add(b, base, double(tap - 1)), in);
    Value part = take(b, x, rows, dim);
    part = mul(b, part, along(b, weights[tap], part, dim));
    result = result ? add(b, result, part) : part;
  }
  return result;
}
