// Reading images at computed places, and the grids of such places.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/ONNX/Windows.h"
#include "compiler/Frontend/Support/Convolution.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Sampling.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// X [N, C, spatial...], grid [N, out..., spatial rank] with x before y.
static LogicalResult importGridSample(NodeContext &op) {
  Value image = op.input(0), grid = op.input(1);
  int64_t rank = rankOf(image);
  if (rank < 3 || rankOf(grid) != rank ||
      typeOf(grid).getDimSize(rank - 1) != rank - 2)
    return op.error() << "found input " << typeOf(image) << " and grid "
                      << typeOf(grid)
                      << ", expected equal ranks and one coordinate for each "
                         "spatial dimension";
  StringRef mode = op.stringAttr("mode", op.opset < 20 ? "bilinear" : "linear");
  StringRef padding = op.stringAttr("padding_mode", "zeros");
  auto foundMode = llvm::StringSwitch<std::optional<SamplingMode>>(mode)
                       .Cases({"linear", "bilinear"}, SamplingMode::Linear)
                       .Cases({"cubic", "bicubic"}, SamplingMode::Cubic)
                       .Case("nearest", SamplingMode::Nearest)
                       .Default(std::nullopt);
  auto foundPadding =
      llvm::StringSwitch<std::optional<SamplingPadding>>(padding)
          .Case("zeros", SamplingPadding::Zeros)
          .Case("border", SamplingPadding::Border)
          .Case("reflection", SamplingPadding::Reflection)
          .Default(std::nullopt);
  if (!foundMode || !foundPadding)
    return op.error() << "found mode '" << mode << "' and padding_mode '"
                      << padding << "', expected linear, cubic or nearest and "
                      << "zeros, border or reflection";
  SamplingSpec spec{*foundMode, *foundPadding,
                    op.intAttr("align_corners", 0) != 0};
  return op.result(gridSample(op.b, image, grid, spec));
}

/// theta [N, d, d + 1] and the sizes [N, C, spatial...] of an image give a grid
/// [N, spatial..., d] for GridSample.
static LogicalResult importAffineGrid(NodeContext &op) {
  HloBuilder &b = op.b;
  Value theta = op.input(0);
  auto sizes = sizesInput(op, 1, "size");
  if (failed(sizes))
    return failure();
  int64_t spatial = int64_t(sizes->size()) - 2;
  if (spatial < 1 || rankOf(theta) != 3)
    return op.error() << "found theta " << typeOf(theta) << " and "
                      << sizes->size() << " sizes, expected rank 3 and one "
                      << "size for each dimension of an image";
  Type element = elementOf(theta);
  bool align = op.intAttr("align_corners", 0);
  Sizes outer(sizes->begin() + 2, sizes->end());
  SmallVector<Value> coordinates;
  for (int64_t d = spatial - 1; d >= 0; --d) {
    Value i = iota(b, outer, d, element);
    Value n = fill(b, convert(b, outer[d].materialize(b), element), outer);
    Value half = mul(b, sub(b, n, 1.0), 0.5);
    // Relative to the middle; a single pixel lies there.
    Value middle = sub(b, i, half);
    Value reach = align ? maximum(b, half, 0.5) : mul(b, n, 0.5);
    coordinates.push_back(div(b, middle, reach));
  }
  coordinates.push_back(full(b, outer, element, 1));
  Value points = stack(b, coordinates, spatial);
  points = flatten(b, points, 0, spatial - 1);
  // [N, d, d + 1] by [P, d + 1]: [N, d, P].
  Value moved = swapDims(b, contract(b, theta, points, {}, {}, {2}, {1}), 1, 2);
  Sizes shape = {sizeOf(b, theta, 0)};
  shape.append(outer.begin(), outer.end());
  shape.push_back(spatial);
  return op.result(frontend::reshape(b, moved, shape));
}

namespace {
/// The sizes of a deformable convolution.
struct Deformation {
  WindowAttrs window;
  int64_t rank, offsetGroups, taps;
  Sizes out; // spatial
};
} // namespace

/// Where each tap of each window reads along dimension `d`, as
/// [N * offset groups, taps * windows]. `offset` is [N, groups, taps, rank,
/// out...].
static Value tapPositions(HloBuilder &b, const Deformation &s, Value offset,
                          int64_t d) {
  Value moved = selectIndex(b, offset, 3, d);
  Sizes sizes = sizesOf(b, moved);
  Type element = elementOf(moved);
  // The tap's place in the kernel along d.
  int64_t inner = 1;
  for (int64_t i = d + 1; i < s.rank; ++i)
    inner *= s.window.kernel[i];
  SmallVector<int64_t> places;
  for (int64_t tap = 0; tap < s.taps; ++tap)
    places.push_back(tap / inner % s.window.kernel[d] * s.window.dilations[d] -
                     s.window.padLow[d]);
  Value tap = convert(b, constantI64(b, places), element);
  Value start =
      mul(b, iota(b, {s.out[d]}, 0, element), double(s.window.strides[d]));
  Value fixed = add(b, broadcastInDim(b, tap, sizes, {2}),
                    broadcastInDim(b, start, sizes, {3 + d}));
  Value at = flatten(b, add(b, moved, fixed), 2, rankOf(moved) - 1);
  return flatten(b, at, 0, 1);
}

/// X, W, offset, B, mask.
static LogicalResult importDeformConv(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), weight = op.input(1), offset = op.input(2);
  int64_t rank = rankOf(x) - 2, groups = op.intAttr("group", 1);
  Deformation s{{}, rank, op.intAttr("offset_group", 1), 1, {}};
  ArrayRef<int64_t> kernel = typeOf(weight).getShape().drop_front(2);
  if (rank < 1 || rankOf(weight) != rank + 2 || rankOf(offset) != rank + 2 ||
      groups < 1 || s.offsetGroups < 1 ||
      llvm::any_of(kernel, ShapedType::isDynamic))
    return op.error() << "found input " << typeOf(x) << ", weight "
                      << typeOf(weight) << " and offset " << typeOf(offset)
                      << ", expected equal ranks and a static kernel";
  auto window = readWindow(op, x, kernel, 0);
  if (failed(window))
    return failure();
  s.window = *window;
  for (int64_t size : kernel)
    s.taps *= size;
  Sizes in = sizesOf(b, x), given = sizesOf(b, offset);
  s.out.assign(given.begin() + 2, given.end());
  Size channels = frontend::floorDiv(b, in[1], s.offsetGroups);
  Sizes split = {in[0], s.offsetGroups, s.taps, rank};
  split.append(s.out);
  offset = frontend::reshape(b, offset, split);
  SmallVector<Value> positions;
  for (int64_t d = 0; d < rank; ++d)
    positions.push_back(tapPositions(b, s, offset, d));
  Sizes image = {frontend::mul(b, in[0], s.offsetGroups), channels};
  image.append(in.begin() + 2, in.end());
  Value read = samplePixels(b, frontend::reshape(b, x, image), positions, {});
  // [N, offset groups, C / groups, taps, windows]
  Size windows = product(b, s.out);
  read = frontend::reshape(b, read,
                           {in[0], s.offsetGroups, channels, s.taps, windows});
  if (Value mask = op.input(4)) {
    mask =
        frontend::reshape(b, mask, {in[0], s.offsetGroups, 1, s.taps, windows});
    read = mul(b, read, mask);
  }
  // By groups of the convolution: [N, g, C / g * taps, windows] times
  // [g, O / g, C / g * taps].
  Size depth = frontend::mul(b, frontend::floorDiv(b, in[1], groups), s.taps);
  Size outs = sizeOf(b, weight, 0);
  read = frontend::reshape(b, read, {in[0], groups, depth, windows});
  Value matrix = frontend::reshape(
      b, weight, {groups, frontend::floorDiv(b, outs, groups), depth});
  // [g, N, windows, O / g]
  Value y = contract(b, read, matrix, {1}, {0}, {2}, {2});
  y = transpose(b, y, {1, 0, 3, 2});
  Sizes shape = {in[0], outs};
  shape.append(s.out);
  y = frontend::reshape(b, y, shape);
  return op.result(addChannelBias(b, y, op.input(3)));
}

/// A gate and a value side by side.
static LogicalResult importSwiGLU(NodeContext &op) {
  HloBuilder &b = op.b;
  Value gate = op.input(0), value = op.input(1);
  double alpha = op.floatAttr("alpha", 1);
  Value inner = alpha == 1 ? gate : mul(b, gate, alpha);
  return op.result(mul(b, mul(b, gate, sigmoid(b, inner)), value));
}

void ferrule::onnx::registerSamplingOps(Registry &r) {
  r.add("GridSample", importGridSample);
  r.add("AffineGrid", importAffineGrid);
  r.add("DeformConv", importDeformConv);
  r.add("SwiGLU", importSwiGLU);
}
