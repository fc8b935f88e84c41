#include "compiler/Frontend/ONNX/Windows.h"
#include "compiler/Frontend/Support/Constants.h"
#include "compiler/Frontend/Support/Padding.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// The padding that makes the result's size ceil(size / stride).
static Size samePadding(HloBuilder &b, Size size, int64_t reach,
                        int64_t stride) {
  if (stride == 1)
    return reach - 1;
  Size windows = ceilDiv(b, size, stride);
  Size needed = add(b, mul(b, sub(b, windows, 1), stride), reach);
  return maximum(b, sub(b, needed, size), 0);
}

/// Fills in the paddings of auto_pad SAME_UPPER (`upper`) or SAME_LOWER.
static void padSame(NodeContext &op, Value &x, WindowAttrs &window, bool upper,
                    double fill) {
  int64_t rank = window.kernel.size(), lead = rankOf(x) - rank;
  Sizes low(rankOf(x), Size(0)), high(rankOf(x), Size(0));
  for (int64_t i = 0; i < rank; ++i) {
    int64_t reach = (window.kernel[i] - 1) * window.dilations[i] + 1;
    Size total =
        samePadding(op.b, sizeOf(op.b, x, lead + i), reach, window.strides[i]);
    Size half = floorDiv(op.b, total, 2), rest = sub(op.b, total, half);
    Size before = upper ? half : rest, after = upper ? rest : half;
    if (total.isStatic()) {
      window.padLow[i] = before.getStatic();
      window.padHigh[i] = after.getStatic();
    } else {
      low[lead + i] = before;
      high[lead + i] = after;
    }
  }
  bool dynamic = !allStatic(low) || !allStatic(high);
  if (dynamic)
    x = padConstant(op.b, x, scalar(op.b, elementOf(x), fill), low, high);
}

FailureOr<WindowAttrs> ferrule::onnx::readWindow(NodeContext &op, Value &x,
                                                 ArrayRef<int64_t> kernel,
                                                 double fill) {
  WindowAttrs window;
  size_t rank = kernel.size();
  auto list = [&](StringRef name, int64_t otherwise, size_t length) {
    SmallVector<int64_t> values = op.intsAttr(name);
    if (values.empty())
      values.assign(length, otherwise);
    return values;
  };
  window.kernel.assign(kernel.begin(), kernel.end());
  window.strides = list("strides", 1, rank);
  window.dilations = list("dilations", 1, rank);
  SmallVector<int64_t> pads = list("pads", 0, 2 * rank);
  if (window.strides.size() != rank || window.dilations.size() != rank ||
      pads.size() != 2 * rank)
    return op.error() << "found strides, dilations and pads of length "
                      << window.strides.size() << ", "
                      << window.dilations.size() << " and " << pads.size()
                      << ", expected " << rank << ", " << rank << " and "
                      << 2 * rank;
  if (llvm::any_of(window.strides, [](int64_t n) { return n <= 0; }) ||
      llvm::any_of(window.dilations, [](int64_t n) { return n <= 0; }))
    return op.error() << "found a stride or dilation that is not positive";
  window.padLow.assign(pads.begin(), pads.begin() + rank);
  window.padHigh.assign(pads.begin() + rank, pads.end());
  StringRef autoPad = op.stringAttr("auto_pad", "NOTSET");
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
    padSame(op, x, window, autoPad == "SAME_UPPER", fill);
  } else if (autoPad == "VALID") {
    window.padLow.assign(rank, 0);
    window.padHigh.assign(rank, 0);
  } else if (autoPad != "NOTSET" && !autoPad.empty()) {
    return op.error() << "found auto_pad '" << autoPad
                      << "', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID";
  }
  return window;
}
