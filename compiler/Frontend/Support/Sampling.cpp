#include "compiler/Frontend/Support/Sampling.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

namespace {
/// An image [N, C, spatial...] with its spatial dimensions in one.
struct Sampler {
  HloBuilder &b;
  const SamplingSpec &spec;
  Value pixels;              // [N, C, H * W ...]
  SmallVector<Value> counts; // of pixels in each dimension, float scalars
};
} // namespace

static Value like(HloBuilder &b, Value scalar, Value x) {
  return fill(b, convert(b, scalar, elementOf(x)), sizesOf(b, x));
}

static Sampler samplerFor(HloBuilder &b, Value image, Type element,
                          const SamplingSpec &spec) {
  Sampler s{b, spec, flatten(b, image, 2, rankOf(image) - 1), {}};
  for (int64_t dim = 2; dim < rankOf(image); ++dim)
    s.counts.push_back(
        convert(b, sizeOf(b, image, dim).materialize(b), element));
  return s;
}

/// A coordinate in [-1, 1] as a position among `count` pixels.
static Value denormalize(Sampler &s, Value x, Value count) {
  HloBuilder &b = s.b;
  Value n = like(b, count, x), half = mul(b, add(b, x, 1.0), 0.5);
  if (s.spec.alignCorners)
    return mul(b, half, sub(b, n, 1.0));
  return sub(b, mul(b, half, n), 0.5);
}

/// A position mirrored at the borders until it lies inside.
static Value reflect(Sampler &s, Value x, Value count) {
  HloBuilder &b = s.b;
  Value n = like(b, count, x);
  double low = s.spec.alignCorners ? 0 : -0.5;
  Value range = s.spec.alignCorners ? sub(b, n, 1.0) : n;
  range = maximum(b, range, 1.0);
  Value away = frontend::abs(b, sub(b, x, low));
  Value rest = remainder(b, away, range);
  Value turns = frontend::floor(b, div(b, away, range));
  Value odd = compare(b, Direction::EQ,
                      remainder(b, turns, fullLike(b, turns, 2)), 1.0);
  return add(b, select(b, odd, sub(b, range, rest), rest), low);
}

static Value limit(Sampler &s, Value x, Value count) {
  HloBuilder &b = s.b;
  Value most = sub(b, like(b, count, x), 1.0);
  return minimum(b, maximum(b, x, 0.0), most);
}

/// The pixels at whole positions, each [N, P], as [N, C, P].
static Value pixelsAt(Sampler &s, ArrayRef<Value> positions) {
  HloBuilder &b = s.b;
  Type i64 = b.getI64Type();
  Value place, inside;
  for (auto [position, count] : llvm::zip(positions, s.counts)) {
    Value at = position;
    if (s.spec.padding == SamplingPadding::Reflection)
      at = reflect(s, at, count);
    Value bounded = limit(s, at, count);
    Value index = convert(b, roundEven(b, bounded), i64);
    place = place ? add(b, mul(b, place, like(b, count, index)), index) : index;
    Value same = compare(b, Direction::EQ, at, bounded);
    inside = inside ? bitAnd(b, inside, same) : same;
  }
  Sizes sizes = sizesOf(b, s.pixels);
  sizes[2] = sizeOf(b, place, 1);
  Value spread = broadcastInDim(b, place, sizes, {0, 2});
  Value result = gatherElements(b, s.pixels, spread, 2);
  if (s.spec.padding != SamplingPadding::Zeros)
    return result;
  inside = broadcastInDim(b, inside, sizes, {0, 2});
  return select(b, inside, result, fullLike(b, result, 0));
}

/// Keys' cubic weights of the four pixels around a fraction.
static SmallVector<Value> cubicWeights(HloBuilder &b, Value t) {
  constexpr double a = -0.75;
  auto outer = [&](Value d) {
    // ((d - 5) d + 8) d - 4, times a.
    Value p = mul(b, sub(b, d, 5.0), d);
    return mul(b, sub(b, mul(b, add(b, p, 8.0), d), 4.0), a);
  };
  auto inner = [&](Value d) {
    Value p = sub(b, mul(b, d, a + 2), a + 3);
    return add(b, mul(b, p, mul(b, d, d)), 1.0);
  };
  Value one = fullLike(b, t, 1);
  return {outer(add(b, t, 1.0)), inner(t), inner(sub(b, one, t)),
          outer(sub(b, fullLike(b, t, 2), t))};
}

static Value sample(Sampler &s, ArrayRef<Value> positions) {
  HloBuilder &b = s.b;
  SmallVector<Value> whole;
  if (s.spec.mode == SamplingMode::Nearest) {
    for (Value position : positions)
      whole.push_back(roundEven(b, position));
    return pixelsAt(s, whole);
  }
  bool cubic = s.spec.mode == SamplingMode::Cubic;
  SmallVector<SmallVector<Value>> weights;
  for (Value position : positions) {
    whole.push_back(frontend::floor(b, position));
    Value t = sub(b, position, whole.back());
    weights.push_back(
        cubic ? cubicWeights(b, t)
              : SmallVector<Value>{sub(b, fullLike(b, t, 1), t), t});
  }
  // All combinations of the pixels around, the last dimension fastest.
  int64_t taps = cubic ? 4 : 2, combinations = 1;
  for (size_t i = 0; i < positions.size(); ++i)
    combinations *= taps;
  Value total;
  for (int64_t n = 0; n < combinations; ++n) {
    SmallVector<Value> at(positions.size());
    Value weight;
    int64_t rest = n;
    for (int64_t d = int64_t(positions.size()) - 1; d >= 0; --d) {
      int64_t tap = rest % taps;
      rest /= taps;
      at[d] = add(b, whole[d], double(tap) - cubic);
      weight = weight ? mul(b, weight, weights[d][tap]) : weights[d][tap];
    }
    Value pixels = pixelsAt(s, at);
    Value part =
        mul(b, pixels, broadcastInDim(b, weight, sizesOf(b, pixels), {0, 2}));
    total = total ? add(b, total, part) : part;
  }
  return total;
}

Value frontend::samplePixels(HloBuilder &b, Value image,
                             ArrayRef<Value> positions,
                             const SamplingSpec &spec) {
  Type element = elementOf(image), compute = computeType(element);
  bool weighs = spec.mode != SamplingMode::Nearest;
  if (weighs)
    image = convert(b, image, compute);
  Sampler s = samplerFor(b, image, elementOf(positions[0]), spec);
  SmallVector<Value> converted(positions);
  if (weighs)
    for (Value &position : converted)
      position = convert(b, position, compute);
  return convert(b, sample(s, converted), element);
}

Value frontend::gridSample(HloBuilder &b, Value image, Value grid,
                           const SamplingSpec &spec) {
  Type compute = computeType(elementOf(grid));
  Sampler s = samplerFor(b, image, compute, spec);
  int64_t spatial = rankOf(image) - 2, last = rankOf(grid) - 1;
  Sizes outer = sizesOf(b, grid);
  SmallVector<Value> positions;
  for (int64_t d = 0; d < spatial; ++d) {
    Value x = selectIndex(b, grid, last, spatial - 1 - d);
    x = convert(b, flatten(b, x, 1, last - 1), compute);
    x = denormalize(s, x, s.counts[d]);
    // Cubic reads pixels around the position, each brought inside by itself.
    if (spec.mode != SamplingMode::Cubic) {
      if (spec.padding == SamplingPadding::Reflection)
        x = reflect(s, x, s.counts[d]);
      if (spec.padding != SamplingPadding::Zeros)
        x = limit(s, x, s.counts[d]);
    }
    positions.push_back(x);
  }
  Value result = samplePixels(b, image, positions, spec);
  Sizes sizes = {outer[0], sizeOf(b, image, 1)};
  sizes.append(outer.begin() + 1, outer.end() - 1);
  return reshape(b, result, sizes);
}
