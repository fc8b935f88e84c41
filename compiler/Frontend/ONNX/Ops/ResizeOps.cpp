// Resampling.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Resize.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// A dimension's new size, and the scale that the user wrote.
struct Resampling {
  Size size = 0;
  ResizeScale scale;
};

/// floor(size * scale) for a constant scale.
static Size scaledSize(HloBuilder &b, Size size, double scale) {
  if (size.isStatic())
    return static_cast<int64_t>(std::floor(size.getStatic() * scale));
  if (scale == std::floor(scale))
    return frontend::mul(b, size, static_cast<int64_t>(scale));
  if (1 / scale == std::floor(1 / scale))
    return frontend::floorDiv(b, size, static_cast<int64_t>(1 / scale));
  Value exact = convert(b, size.getScalar(), b.getF64Type());
  Value result = frontend::floor(b, mul(b, exact, scale));
  return toSize(b, convert(b, result, b.getI64Type()));
}

/// The new sizes from a list of scales, which may be computed at run time.
static LogicalResult readScales(NodeContext &op, Value scales,
                                ArrayRef<int64_t> axes,
                                MutableArrayRef<Resampling> result) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto known = constantFloats(scales);
  if (known && known->size() != axes.size())
    return op.error() << "found " << known->size() << " scales, expected "
                      << axes.size();
  for (auto [i, axis] : llvm::enumerate(axes)) {
    Size size = sizeOf(b, x, axis);
    if (known) {
      if ((*known)[i] <= 0)
        return op.error() << "found a scale that is not positive";
      result[axis] = {scaledSize(b, size, (*known)[i]), (*known)[i]};
      continue;
    }
    Value scale = selectIndex(b, scales, 0, i);
    Value exact = convert(b, size.materialize(b), elementOf(scale));
    Value scaled = frontend::floor(b, mul(b, exact, scale));
    result[axis] = {toSize(b, convert(b, scaled, b.getI64Type())), scale};
  }
  return success();
}

/// Sizes of which one side follows from the other's scale.
static LogicalResult keepAspect(NodeContext &op, ArrayRef<int64_t> axes,
                                bool larger,
                                MutableArrayRef<Resampling> result) {
  double scale = larger ? 0 : std::numeric_limits<double>::infinity();
  for (int64_t axis : axes) {
    Size in = sizeOf(op.b, op.input(0), axis), out = result[axis].size;
    if (!in.isStatic() || !out.isStatic())
      return op.error() << "found keep_aspect_ratio_policy with sizes computed "
                           "at run time, expected constants";
    double own = double(out.getStatic()) / in.getStatic();
    scale = larger ? std::max(scale, own) : std::min(scale, own);
  }
  for (int64_t axis : axes) {
    Size in = sizeOf(op.b, op.input(0), axis);
    result[axis] = {static_cast<int64_t>(std::round(in.getStatic() * scale)),
                    scale};
  }
  return success();
}

static FailureOr<ResizeSpec> readSpec(NodeContext &op) {
  ResizeSpec spec;
  StringRef mode = op.stringAttr("mode", "nearest");
  StringRef coordinates =
      op.stringAttr("coordinate_transformation_mode",
                    op.opset < 11 ? "asymmetric" : "half_pixel");
  StringRef rounding = op.stringAttr(
      "nearest_mode", op.opset < 11 ? "floor" : "round_prefer_floor");
  auto foundMode = llvm::StringSwitch<std::optional<ResizeMode>>(mode)
                       .Case("nearest", ResizeMode::Nearest)
                       .Cases({"linear", "bilinear"}, ResizeMode::Linear)
                       .Case("cubic", ResizeMode::Cubic)
                       .Default(std::nullopt);
  using C = ResizeCoordinates;
  auto foundCoordinates =
      llvm::StringSwitch<std::optional<C>>(coordinates)
          .Case("half_pixel", C::HalfPixel)
          .Case("pytorch_half_pixel", C::PytorchHalfPixel)
          .Case("align_corners", C::AlignCorners)
          .Case("asymmetric", C::Asymmetric)
          .Case("half_pixel_symmetric", C::HalfPixelSymmetric)
          // Its coordinates are made here.
          .Case("tf_crop_and_resize", C::Asymmetric)
          .Default(std::nullopt);
  using R = ResizeRounding;
  auto foundRounding = llvm::StringSwitch<std::optional<R>>(rounding)
                           .Case("floor", R::Floor)
                           .Case("ceil", R::Ceil)
                           .Case("round_prefer_floor", R::PreferFloor)
                           .Case("round_prefer_ceil", R::PreferCeil)
                           .Default(std::nullopt);
  if (!foundMode || !foundCoordinates || !foundRounding)
    return op.error() << "found mode '" << mode
                      << "', coordinate_transformation_mode '" << coordinates
                      << "' and nearest_mode '" << rounding
                      << "', which are not supported together";
  spec.mode = *foundMode;
  spec.coordinates = *foundCoordinates;
  spec.rounding = *foundRounding;
  spec.cubicCoefficient = op.floatAttr("cubic_coeff_a", -0.75f);
  spec.divides = true;
  spec.antialias = op.intAttr("antialias", 0);
  spec.excludeOutside = op.intAttr("exclude_outside", 0);
  return spec;
}

static LogicalResult resample(NodeContext &op, const ResizeSpec &spec,
                              ArrayRef<Resampling> wanted) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  Type element = elementOf(x);
  bool rounds = isa<IntegerType>(element) && spec.mode != ResizeMode::Nearest;
  if (rounds)
    x = convert(b, x, b.getF32Type());
  for (auto [dim, resampling] : llvm::enumerate(wanted)) {
    bool same = knownEqual(resampling.size, sizeOf(b, x, dim));
    if (same && !resampling.scale.value &&
        resampling.scale.number.value_or(1) == 1)
      continue;
    bool isStatic = resampling.size.isStatic() && !resampling.scale.value &&
                    typeOf(x).getDimSize(dim) != ShapedType::kDynamic;
    if ((spec.antialias || spec.excludeOutside) && !isStatic &&
        spec.mode != ResizeMode::Nearest)
      return op.error() << "found antialias or exclude_outside with sizes "
                           "computed at run time, expected constants";
    x = resizeDim(b, x, dim, resampling.size, resampling.scale, spec);
  }
  return op.result(rounds ? convert(b, roundEven(b, x), element) : x);
}

/// Samples between two places of each axis, given from 0 (the first row) to 1
/// (the last one): roi [2 * axes], all starts before all ends.
static LogicalResult cropAndResize(NodeContext &op, const ResizeSpec &spec,
                                   ArrayRef<int64_t> axes,
                                   ArrayRef<Resampling> wanted) {
  HloBuilder &b = op.b;
  Type f32 = b.getF32Type();
  Value x = op.input(0), roi = op.input(1);
  int64_t count = axes.size();
  if (!roi || rankOf(roi) != 1 || typeOf(roi).getDimSize(0) != 2 * count)
    return op.error() << "found no roi of length " << 2 * count
                      << ", expected one for tf_crop_and_resize";
  Type element = elementOf(x);
  bool rounds = isa<IntegerType>(element);
  x = convert(b, x, rounds ? f32 : element);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    Value start = convert(b, selectIndex(b, roi, 0, i), f32);
    Value end = convert(b, selectIndex(b, roi, 0, count + i), f32);
    Size size = wanted[axis].size;
    Value last =
        convert(b, frontend::sub(b, sizeOf(b, x, axis), 1).materialize(b), f32);
    Value steps = convert(
        b, frontend::maximum(b, frontend::sub(b, size, 1), 1).materialize(b),
        f32);
    // One row alone is the middle one.
    Value single = compare(b, Direction::EQ, size.materialize(b), 1.0);
    Value first = select(b, single, mul(b, add(b, start, end), 0.5), start);
    Value step = mul(b, div(b, sub(b, end, start), steps), last);
    Value at = add(b, mul(b, iota(b, {size}, 0, f32), fill(b, step, {size})),
                   fill(b, mul(b, first, last), {size}));
    Value inside = bitAnd(b, compare(b, Direction::GE, at, 0.0),
                          compare(b, Direction::LE, at, fill(b, last, {size})));
    x = resampleRows(b, x, axis, at, spec);
    x = select(b, broadcastInDim(b, inside, sizesOf(b, x), {axis}), x,
               fullLike(b, x, op.floatAttr("extrapolation_value", 0)));
  }
  return op.result(rounds ? convert(b, roundEven(b, x), element) : x);
}

/// Opset 10: X, scales. Since 11: X, roi, scales, sizes.
static LogicalResult importResize(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto spec = readSpec(op);
  if (failed(spec))
    return failure();
  SmallVector<int64_t> axes = op.intsAttr("axes");
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  for (int64_t &axis : axes) {
    auto wrapped = op.axis(axis, rankOf(x));
    if (failed(wrapped))
      return failure();
    axis = *wrapped;
  }
  SmallVector<Resampling> wanted;
  for (Size size : sizesOf(b, x))
    wanted.push_back({size, std::nullopt});
  Value scales = op.input(op.opset < 11 ? 1 : 2);
  bool hasScales = scales && !(typeOf(scales).hasStaticShape() &&
                               typeOf(scales).getNumElements() == 0);
  auto give = [&] {
    return op.stringAttr("coordinate_transformation_mode", "") ==
                   "tf_crop_and_resize"
               ? cropAndResize(op, *spec, axes, wanted)
               : resample(op, *spec, wanted);
  };
  if (hasScales)
    return failed(readScales(op, scales, axes, wanted)) ? failure() : give();
  auto sizes = sizesInput(op, 3, "sizes");
  if (failed(sizes))
    return failure();
  if (sizes->size() != axes.size())
    return op.error() << "found " << sizes->size() << " sizes, expected "
                      << axes.size();
  for (auto [axis, size] : llvm::zip(axes, *sizes))
    wanted[axis] = {size, std::nullopt};
  StringRef policy = op.stringAttr("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" &&
      failed(keepAspect(op, axes, policy == "not_smaller", wanted)))
    return failure();
  return give();
}

/// The ancestor of Resize: scales, from an attribute before opset 9.
static LogicalResult importUpsample(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), scales = op.input(1);
  if (!scales) {
    const NodeAttribute *attr = op.attribute("scales");
    if (!attr)
      return op.error() << "found no scales, expected them";
    scales =
        constant(b, DenseElementsAttr::get(
                        RankedTensorType::get({int64_t(attr->floats.size())},
                                              b.getF32Type()),
                        ArrayRef<float>(attr->floats)));
  }
  ResizeSpec spec;
  spec.mode = op.stringAttr("mode", "nearest") == "nearest"
                  ? ResizeMode::Nearest
                  : ResizeMode::Linear;
  spec.coordinates = ResizeCoordinates::Asymmetric;
  spec.rounding = ResizeRounding::Floor;
  spec.divides = true;
  SmallVector<Resampling> wanted(rankOf(x));
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  if (failed(readScales(op, scales, axes, wanted)))
    return failure();
  return resample(op, spec, wanted);
}

void ferrule::onnx::registerResizeOps(Registry &r) {
  r.add("Resize", importResize);
  r.add("Upsample", importUpsample);
}
