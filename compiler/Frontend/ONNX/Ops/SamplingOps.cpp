// Reading images between their pixels.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

namespace {
/// A GridSample: images [N, C, H, W], read at x and y [N, P].
struct Sampler {
  HloBuilder &b;
  Value pixels;        // [N, C, H * W]
  Value height, width; // f32 scalars
  StringRef padding;
  bool alignCorners;
};
} // namespace

static Value like(HloBuilder &b, Value scalar, Value x) {
  return fill(b, convert(b, scalar, elementOf(x)), sizesOf(b, x));
}

/// A coordinate in [-1, 1] as a position among `size` pixels.
static Value denormalize(Sampler &s, Value x, Value size) {
  HloBuilder &b = s.b;
  Value n = like(b, size, x), half = mul(b, add(b, x, 1.0), 0.5);
  if (s.alignCorners)
    return mul(b, half, sub(b, n, 1.0));
  return sub(b, mul(b, half, n), 0.5);
}

/// A position mirrored at the borders until it lies inside.
static Value reflect(Sampler &s, Value x, Value size) {
  HloBuilder &b = s.b;
  Value n = like(b, size, x);
  double low = s.alignCorners ? 0 : -0.5;
  Value range = s.alignCorners ? sub(b, n, 1.0) : n;
  range = maximum(b, range, 1.0);
  Value away = frontend::abs(b, sub(b, x, low));
  Value rest = remainder(b, away, range);
  Value turns = frontend::floor(b, div(b, away, range));
  Value odd = compare(b, Direction::EQ,
                      remainder(b, turns, fullLike(b, turns, 2)), 1.0);
  return add(b, select(b, odd, sub(b, range, rest), rest), low);
}

static Value limit(Sampler &s, Value x, Value size) {
  HloBuilder &b = s.b;
  Value most = sub(b, like(b, size, x), 1.0);
  return minimum(b, maximum(b, x, 0.0), most);
}

/// The pixels at whole positions [N, P] as [N, C, P]; zeros outside unless
/// the padding says otherwise.
static Value pixelsAt(Sampler &s, Value x, Value y) {
  HloBuilder &b = s.b;
  if (s.padding == "reflection") {
    x = reflect(s, x, s.width);
    y = reflect(s, y, s.height);
  }
  Value column = limit(s, x, s.width), row = limit(s, y, s.height);
  Type i64 = b.getI64Type();
  Value place = add(b,
                    mul(b, convert(b, roundEven(b, row), i64),
                        fill(b, convert(b, s.width, i64), sizesOf(b, row))),
                    convert(b, roundEven(b, column), i64));
  Sizes sizes = sizesOf(b, s.pixels);
  sizes[2] = sizeOf(b, place, 1);
  Value spread = broadcastInDim(b, place, sizes, {0, 2});
  Value result = gatherElements(b, s.pixels, spread, 2);
  if (s.padding != "zeros")
    return result;
  Value inside = bitAnd(b, compare(b, Direction::EQ, x, column),
                        compare(b, Direction::EQ, y, row));
  inside = broadcastInDim(b, inside, sizes, {0, 2});
  return select(b, inside, result, fullLike(b, result, 0));
}

static Value weighted(HloBuilder &b, Value pixels, Value weight) {
  return mul(b, pixels, broadcastInDim(b, weight, sizesOf(b, pixels), {0, 2}));
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

static Value sample(Sampler &s, StringRef mode, Value x, Value y) {
  HloBuilder &b = s.b;
  if (mode == "nearest")
    return pixelsAt(s, roundEven(b, x), roundEven(b, y));
  Value left = frontend::floor(b, x), top = frontend::floor(b, y);
  Value tx = sub(b, x, left), ty = sub(b, y, top);
  bool cubic = mode == "cubic" || mode == "bicubic";
  SmallVector<Value> wx, wy;
  if (cubic) {
    wx = cubicWeights(b, tx);
    wy = cubicWeights(b, ty);
  } else {
    wx = {sub(b, fullLike(b, tx, 1), tx), tx};
    wy = {sub(b, fullLike(b, ty, 1), ty), ty};
  }
  Value total;
  for (auto [j, vertical] : llvm::enumerate(wy))
    for (auto [i, horizontal] : llvm::enumerate(wx)) {
      Value at = pixelsAt(s, add(b, left, double(i) - cubic),
                          add(b, top, double(j) - cubic));
      Value part = weighted(b, at, mul(b, horizontal, vertical));
      total = total ? add(b, total, part) : part;
    }
  return total;
}

/// X [N, C, H, W], grid [N, Ho, Wo, 2] with x before y, both in [-1, 1].
static LogicalResult importGridSample(NodeContext &op) {
  HloBuilder &b = op.b;
  Value image = op.input(0), grid = op.input(1);
  if (rankOf(image) != 4 || rankOf(grid) != 4)
    return op.error() << "found input " << typeOf(image) << " and grid "
                      << typeOf(grid) << ", expected rank 4";
  Sizes in = sizesOf(b, image), out = sizesOf(b, grid);
  Type f32 = b.getF32Type();
  StringRef padding = op.stringAttr("padding_mode", "zeros");
  Sampler s{b,
            flatten(b, image, 2, 3),
            convert(b, in[2].materialize(b), f32),
            convert(b, in[3].materialize(b), f32),
            padding,
            op.intAttr("align_corners", 0) != 0};
  grid =
      frontend::reshape(b, grid, {out[0], frontend::mul(b, out[1], out[2]), 2});
  StringRef mode = op.stringAttr("mode", "linear");
  Value x = denormalize(s, selectIndex(b, grid, 2, 0), s.width);
  Value y = denormalize(s, selectIndex(b, grid, 2, 1), s.height);
  bool cubic = mode == "cubic" || mode == "bicubic";
  // Cubic reads pixels around the position, each brought inside by itself.
  if (padding == "border" && !cubic) {
    x = limit(s, x, s.width);
    y = limit(s, y, s.height);
  } else if (padding == "reflection" && !cubic) {
    x = limit(s, reflect(s, x, s.width), s.width);
    y = limit(s, reflect(s, y, s.height), s.height);
  }
  Value result = sample(s, mode, x, y);
  return op.result(
      frontend::reshape(b, result, {in[0], in[1], out[1], out[2]}));
}

/// com.microsoft and ONNX SwiGLU: a gate and a value side by side.
static LogicalResult importSwiGLU(NodeContext &op) {
  HloBuilder &b = op.b;
  Value gate = op.input(0), value = op.input(1);
  double alpha = op.floatAttr("alpha", 1);
  Value inner = alpha == 1 ? gate : mul(b, gate, alpha);
  return op.result(mul(b, mul(b, gate, sigmoid(b, inner)), value));
}

void ferrule::onnx::registerSamplingOps(Registry &r) {
  r.add("GridSample", importGridSample);
  r.add("SwiGLU", importSwiGLU);
}
