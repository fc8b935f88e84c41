// Parts of tensors, and tensors put into larger ones.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// The slice of a rank-1 list whose elements are known one by one.
template <typename List>
static List sliceList(const List &list, int64_t start, int64_t end,
                      int64_t step) {
  int64_t size = list.size();
  auto wrap = [&](int64_t i) { return i < 0 ? i + size : i; };
  List result;
  if (step > 0) {
    start = std::clamp<int64_t>(wrap(start), 0, size);
    end = std::clamp<int64_t>(wrap(end), 0, size);
    for (int64_t i = start; i < end; i += step)
      result.push_back(list[i]);
  } else {
    start = std::clamp<int64_t>(wrap(start), -1, size - 1);
    end = end < -size ? -1 : std::clamp<int64_t>(wrap(end), -1, size - 1);
    for (int64_t i = start; i > end; i += step)
      result.push_back(list[i]);
  }
  return result;
}

/// A slice of a small tensor; null when it is not one.
static Value sliceSmall(HloBuilder &b, Value x, Size start, Size end,
                        Size step) {
  if (rankOf(x) != 1 || !isSmall(x) || !start.isStatic() || !end.isStatic() ||
      !step.isStatic() || step.is(0))
    return {};
  return fromElements(b,
                      sliceList(elementsOf(b, x), start.getStatic(),
                                end.getStatic(), step.getStatic()),
                      elementOf(x), 1);
}

/// A slice along one axis of a small constant of any rank; null otherwise.
static Value sliceConstant(HloBuilder &b, Value x, int64_t axis, Size start,
                           Size end, Size step) {
  if (!constantAttr(x) || typeOf(x).getNumElements() > 64 ||
      !start.isStatic() || !end.isStatic() || !step.isStatic() || step.is(0))
    return {};
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(x).getDimSize(axis)));
  SmallVector<int64_t> kept =
      sliceList(all, start.getStatic(), end.getStatic(), step.getStatic());
  SmallVector<int64_t> shape(typeOf(x).getShape());
  shape[axis] = kept.size();
  return rearrangeConstant(b, x, shape,
                           [&](ArrayRef<int64_t> place, int64_t dim) {
                             return dim == axis ? kept[place[dim]] : place[dim];
                           });
}

/// Where to start, to stop and how far to step, and along which axes.
struct SliceParameters {
  Sizes starts, ends, steps;
  SmallVector<int64_t> axes;
};

static FailureOr<SliceParameters> readSlice(NodeContext &op, int64_t rank) {
  SliceParameters p;
  if (op.opset < 10) {
    p.starts = toSizes(op.intsAttr("starts"));
    p.ends = toSizes(op.intsAttr("ends"));
    p.axes = op.intsAttr("axes");
  } else {
    auto starts = sizesInput(op, 1, "starts"), ends = sizesInput(op, 2, "ends");
    if (failed(starts) || failed(ends))
      return failure();
    p.starts = *starts;
    p.ends = *ends;
    if (op.has(4)) {
      auto steps = sizesInput(op, 4, "steps");
      if (failed(steps))
        return failure();
      p.steps = *steps;
    }
    if (op.has(3)) {
      auto axes = onnx::constantInts(op.input(3));
      if (!axes)
        return op.error() << "found axes computed at run time, expected "
                             "constants";
      p.axes = *axes;
    }
  }
  if (p.axes.empty())
    p.axes = llvm::to_vector(llvm::seq<int64_t>(0, p.starts.size()));
  if (p.steps.empty())
    p.steps.assign(p.starts.size(), Size(1));
  if (p.ends.size() != p.starts.size() || p.axes.size() != p.starts.size() ||
      p.steps.size() != p.starts.size())
    return op.error() << "found " << p.starts.size() << " starts, "
                      << p.ends.size() << " ends, " << p.axes.size()
                      << " axes and " << p.steps.size()
                      << " steps, expected equally many";
  for (int64_t &axis : p.axes) {
    auto wrapped = op.axis(axis, rank);
    if (failed(wrapped))
      return failure();
    axis = *wrapped;
  }
  return p;
}

/// "To the end" is written as any large number.
static std::optional<Size> bound(Size size) {
  if (size.isStatic() &&
      (size.getStatic() >= INT32_MAX || size.getStatic() <= INT32_MIN))
    return std::nullopt;
  return size;
}

static LogicalResult importSlice(NodeContext &op) {
  Value x = op.input(0);
  auto p = readSlice(op, rankOf(x));
  if (failed(p))
    return failure();
  for (size_t i = 0; i < p->axes.size(); ++i) {
    if (!p->steps[i].isStatic() || p->steps[i].is(0))
      return op.error() << "found a step that is zero or computed at run "
                           "time, expected a constant";
    Value known = sliceSmall(op.b, x, p->starts[i], p->ends[i], p->steps[i]);
    if (!known)
      known = sliceConstant(op.b, x, p->axes[i], p->starts[i], p->ends[i],
                            p->steps[i]);
    x = known ? known
              : pythonSlice(op.b, x, p->axes[i], bound(p->starts[i]),
                            bound(p->ends[i]), p->steps[i]);
  }
  return op.result(x);
}

/// The sizes of the parts of Split.
static FailureOr<Sizes> splitSizes(NodeContext &op, Value x, int64_t axis) {
  int64_t count = op.numOutputs();
  Size size = sizeOf(op.b, x, axis);
  if (op.has(1))
    return sizesInput(op, 1, "split");
  if (op.hasAttr("split"))
    return toSizes(op.intsAttr("split"));
  count = op.intAttr("num_outputs", count);
  if (count < 1)
    return op.error() << "found " << count << " parts, expected at least one";
  // Equal parts, rounded up; the last one may be smaller.
  Size part = ceilDiv(op.b, size, count);
  Sizes sizes(count, part);
  sizes.back() =
      frontend::sub(op.b, size, frontend::mul(op.b, part, count - 1));
  if (size.isStatic() && size.getStatic() % count == 0)
    sizes.back() = part;
  return sizes;
}

static LogicalResult importSplit(NodeContext &op) {
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(x));
  if (failed(axis))
    return failure();
  auto sizes = splitSizes(op, x, *axis);
  if (failed(sizes))
    return failure();
  if (sizes->size() != op.numOutputs())
    return op.error() << "found " << sizes->size() << " parts for "
                      << op.numOutputs() << " outputs, expected equally many";
  bool known = rankOf(x) == 1 && isSmall(x) && allStatic(*sizes);
  Size start = 0;
  for (auto [i, size] : llvm::enumerate(*sizes)) {
    Size end = frontend::add(op.b, start, size);
    Value part = known ? sliceSmall(op.b, x, start, end, 1)
                       : slice(op.b, x, *axis, start, end);
    op.set(i, part);
    start = end;
  }
  return success();
}

static FailureOr<PadMode> padMode(NodeContext &op) {
  StringRef mode = op.stringAttr("mode", "constant");
  auto found = llvm::StringSwitch<std::optional<PadMode>>(mode)
                   .Case("constant", PadMode::Constant)
                   .Case("reflect", PadMode::Reflect)
                   .Case("edge", PadMode::Edge)
                   .Case("wrap", PadMode::Wrap)
                   .Default(std::nullopt);
  if (!found)
    return op.error() << "found mode '" << mode
                      << "', expected constant, reflect, edge or wrap";
  return *found;
}

/// A scalar of x's type from a one-element tensor.
static Value fillValue(NodeContext &op, Value x) {
  if (op.opset < 11)
    return scalar(op.b, elementOf(x), op.floatAttr("value", 0));
  if (!op.has(2))
    return scalar(op.b, elementOf(x), 0);
  return frontend::reshape(op.b, op.input(2), {});
}

static LogicalResult importPad(NodeContext &op) {
  Value x = op.input(0);
  int64_t rank = rankOf(x);
  auto mode = padMode(op);
  FailureOr<Sizes> pads =
      toSizes(op.intsAttr(op.hasAttr("paddings") ? "paddings" : "pads"));
  if (op.opset >= 11 || op.has(1))
    pads = sizesInput(op, 1, "pads");
  if (failed(mode) || failed(pads))
    return failure();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (op.has(3)) {
    auto given = onnx::constantInts(op.input(3));
    if (!given)
      return op.error() << "found axes computed at run time, expected "
                           "constants";
    axes = *given;
  }
  if (pads->size() != 2 * axes.size())
    return op.error() << "found " << pads->size() << " pads, expected "
                      << 2 * axes.size();
  Sizes low(rank, Size(0)), high(rank, Size(0));
  for (auto [i, given] : llvm::enumerate(axes)) {
    auto axis = op.axis(given, rank);
    if (failed(axis))
      return failure();
    low[*axis] = (*pads)[i];
    high[*axis] = (*pads)[axes.size() + i];
  }
  return op.result(pad(op.b, x, *mode, fillValue(op, x), low, high));
}

/// Elements of the middle of the given sizes.
static LogicalResult importCenterCropPad(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto wanted = sizesInput(op, 1, "shape");
  if (failed(wanted))
    return failure();
  SmallVector<int64_t> axes = op.intsAttr("axes");
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, wanted->size()));
  Sizes low(rankOf(x), Size(0)), high(rankOf(x), Size(0));
  for (auto [given, size] : llvm::zip(axes, *wanted)) {
    auto axis = op.axis(given, rankOf(x));
    if (failed(axis))
      return failure();
    Size have = sizeOf(b, x, *axis);
    Size cut = frontend::maximum(b, frontend::sub(b, have, size), 0);
    Size grow = frontend::maximum(b, frontend::sub(b, size, have), 0);
    Size first = frontend::floorDiv(b, cut, 2);
    x = slice(b, x, *axis, first,
              frontend::add(b, first, frontend::minimum(b, have, size)));
    low[*axis] = frontend::floorDiv(b, grow, 2);
    high[*axis] = frontend::sub(b, grow, low[*axis]);
  }
  return op.result(padConstant(b, x, scalar(b, elementOf(x), 0), low, high));
}

void ferrule::onnx::registerSliceOps(Registry &r) {
  r.add("Slice", importSlice);
  r.add("Split", importSplit);
  r.add("Pad", importPad);
  r.add("CenterCropPad", importCenterCropPad);
}
