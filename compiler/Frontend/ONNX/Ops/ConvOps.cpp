// Convolutions.
#include "compiler/Frontend/ONNX/Windows.h"
#include "compiler/Frontend/Support/Convolution.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Checks ranks and returns the kernel's spatial sizes.
static FailureOr<SmallVector<int64_t>> kernelSizes(NodeContext &op, Value x,
                                                   Value weight) {
  RankedTensorType in = typeOf(x), kernel = typeOf(weight);
  if (in.getRank() < 3 || kernel.getRank() != in.getRank())
    return op.error() << "found input " << in << " and weight " << kernel
                      << ", expected equal ranks of at least 3";
  ArrayRef<int64_t> sizes = kernel.getShape().drop_front(2);
  if (ShapedType::isDynamicShape(kernel.getShape()))
    return op.error() << "found weight " << kernel << ", expected static sizes";
  SmallVector<int64_t> given = op.intsAttr("kernel_shape");
  if (!given.empty() && ArrayRef<int64_t>(given) != sizes)
    return op.error() << "found kernel_shape [" << given
                      << "], expected the weight's sizes [" << sizes << "]";
  return SmallVector<int64_t>(sizes);
}

static FailureOr<ConvolutionSpec> readConvolution(NodeContext &op, Value &x,
                                                  Value weight) {
  auto kernel = kernelSizes(op, x, weight);
  if (failed(kernel))
    return failure();
  auto window = readWindow(op, x, *kernel, 0);
  if (failed(window))
    return failure();
  ConvolutionSpec spec;
  spec.strides = window->strides;
  spec.dilations = window->dilations;
  spec.padLow = window->padLow;
  spec.padHigh = window->padHigh;
  spec.groups = op.intAttr("group", 1);
  if (spec.groups < 1)
    return op.error() << "found group " << spec.groups
                      << ", expected at least 1";
  return spec;
}

static LogicalResult checkChannels(NodeContext &op, Value x, int64_t channels) {
  int64_t found = typeOf(x).getDimSize(1);
  if (ShapedType::isStatic(found) && found != channels)
    return op.error() << "found an input of " << found << " channels, expected "
                      << channels << " for the weight and group";
  return success();
}

static LogicalResult importConv(NodeContext &op) {
  Value x = op.input(0), weight = op.input(1);
  auto spec = readConvolution(op, x, weight);
  if (failed(spec) ||
      failed(checkChannels(op, x, typeOf(weight).getDimSize(1) * spec->groups)))
    return failure();
  return op.result(convolution(op.b, x, weight, op.input(2), *spec));
}

/// Paddings that give a transposed convolution the size `wanted`.
static void padToOutput(NodeContext &op, Value x, Value weight,
                        ConvolutionSpec &spec, ArrayRef<int64_t> wanted,
                        bool upper) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    int64_t reach =
        (typeOf(weight).getDimSize(2 + i) - 1) * spec.dilations[i] + 1;
    int64_t total = spec.strides[i] * (typeOf(x).getDimSize(2 + i) - 1) +
                    spec.outputPadding[i] + reach - wanted[i];
    int64_t half = total >> 1;
    spec.padLow[i] = upper ? half : total - half;
    spec.padHigh[i] = upper ? total - half : half;
  }
}

static LogicalResult importConvTranspose(NodeContext &op) {
  Value x = op.input(0), weight = op.input(1);
  StringRef autoPad = op.stringAttr("auto_pad", "NOTSET");
  bool same = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
  bool upper = autoPad == "SAME_UPPER";
  auto kernel = kernelSizes(op, x, weight);
  if (failed(kernel) ||
      failed(checkChannels(op, x, typeOf(weight).getDimSize(0))))
    return failure();
  int64_t rank = kernel->size();
  ConvolutionSpec spec;
  spec.strides = op.intsAttr("strides");
  spec.dilations = op.intsAttr("dilations");
  spec.outputPadding = op.intsAttr("output_padding");
  spec.groups = op.intAttr("group", 1);
  SmallVector<int64_t> pads = op.intsAttr("pads");
  if (int64_t(pads.size()) == 2 * rank && (autoPad == "NOTSET" || same)) {
    spec.padLow.assign(pads.begin(), pads.begin() + rank);
    spec.padHigh.assign(pads.begin() + rank, pads.end());
  }
  spec.complete(rank);
  SmallVector<int64_t> wanted = op.intsAttr("output_shape");
  if (int64_t(wanted.size()) == rank + 2)
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  if (!wanted.empty()) {
    if (ShapedType::isDynamicShape(typeOf(x).getShape().drop_front(2)))
      return op.error() << "found output_shape with input " << typeOf(x)
                        << ", expected static spatial sizes";
    padToOutput(op, x, weight, spec, wanted, upper);
  } else if (same) {
    // The output is stride times the input, whatever the input's size.
    for (int64_t i = 0; i < rank; ++i) {
      int64_t reach = ((*kernel)[i] - 1) * spec.dilations[i] + 1;
      int64_t total = reach - spec.strides[i] + spec.outputPadding[i];
      int64_t half = total >> 1;
      spec.padLow[i] = upper ? half : total - half;
      spec.padHigh[i] = upper ? total - half : half;
    }
  }
  return op.result(transposedConvolution(op.b, x, weight, op.input(2), spec));
}

/// x - zero point as i32; the zero point is per tensor or per channel `dim`.
static Value centred(NodeContext &op, Value x, Value zero, int64_t dim) {
  Value wide = convert(op.b, x, op.b.getI32Type());
  if (!zero)
    return wide;
  Value wideZero = convert(op.b, zero, op.b.getI32Type());
  if (rankOf(zero) == 1 && typeOf(zero).getNumElements() != 1)
    wideZero = broadcastInDim(op.b, wideZero, sizesOf(op.b, x), {dim});
  return sub(op.b, wide, wideZero);
}

static LogicalResult importConvInteger(NodeContext &op) {
  Value x = centred(op, op.input(0), op.input(2), 1);
  Value weight = centred(op, op.input(1), op.input(3), 0);
  auto spec = readConvolution(op, x, weight);
  if (failed(spec))
    return failure();
  return op.result(convolution(op.b, x, weight, Value(), *spec));
}

/// Inputs: x, its scale and zero point; w, its scale and zero point; y's scale
/// and zero point; bias. The sum is exact in i32 and rounded once.
static LogicalResult importQLinearConv(NodeContext &op) {
  Value x = centred(op, op.input(0), op.input(2), 1);
  Value weight = centred(op, op.input(3), op.input(5), 0);
  auto spec = readConvolution(op, x, weight);
  if (failed(spec))
    return failure();
  Value sum = convolution(op.b, x, weight, op.input(8), *spec);
  Value scale = mul(op.b, op.input(1), op.input(4));
  scale = div(op.b, scale, op.input(6));
  Value scaled = convert(op.b, sum, op.b.getF32Type());
  if (rankOf(scale) == 1 && typeOf(scale).getNumElements() != 1)
    scale = broadcastInDim(op.b, scale, sizesOf(op.b, sum), {1});
  scaled = roundEven(op.b, mul(op.b, scaled, scale));
  Type target = elementOf(op.input(7));
  Value zero = convert(op.b, op.input(7), op.b.getF32Type());
  scaled = add(op.b, scaled, zero);
  bool isUnsigned = target.isUnsignedInteger();
  scaled = clamp(op.b, scaled, isUnsigned ? 0 : -128, isUnsigned ? 255 : 127);
  return op.result(convert(op.b, scaled, target));
}

void ferrule::onnx::registerConvOps(Registry &r) {
  r.add("Conv", importConv);
  r.add("ConvTranspose", importConvTranspose);
  r.add("ConvInteger", importConvInteger);
  r.add("QLinearConv", importQLinearConv);
}
