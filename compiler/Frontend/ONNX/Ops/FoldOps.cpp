// Windows put back into images, and convolutions that keep their past.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/ONNX/Windows.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Convolution.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Folding.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// input [N, C * block..., windows], image_shape, block_shape.
static LogicalResult importCol2Im(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto image = sizesInput(op, 1, "image_shape");
  auto block = sizesInput(op, 2, "block_shape");
  if (failed(image) || failed(block))
    return failure();
  if (rankOf(x) != 3 || image->size() != block->size() || !allStatic(*image) ||
      !allStatic(*block))
    return op.error() << "found input " << typeOf(x) << ", " << image->size()
                      << " image sizes and " << block->size()
                      << " block sizes, expected rank 3 and equally many "
                         "constants";
  auto window = readWindow(op, x, staticShape(*block), 0);
  if (failed(window))
    return failure();
  PoolingSpec spec;
  spec.kernel = window->kernel;
  spec.strides = window->strides;
  spec.dilations = window->dilations;
  spec.padLow = window->padLow;
  spec.padHigh = window->padHigh;
  return op.result(foldWindows(b, x, staticShape(*image), spec));
}

/// X, indices (positions in the whole unpooled tensor), output_shape.
static LogicalResult importMaxUnpool(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), indices = op.input(1);
  SmallVector<int64_t> kernel = op.intsAttr("kernel_shape");
  int64_t rank = kernel.size();
  if (rank < 1 || rankOf(x) != rank + 2 || rankOf(indices) != rank + 2)
    return op.error() << "found input " << typeOf(x) << ", indices "
                      << typeOf(indices) << " and kernel_shape of length "
                      << rank << ", expected a size for each spatial dimension";
  Value unpadded = x;
  auto window = readWindow(op, unpadded, kernel, 0);
  if (failed(window))
    return failure();
  Sizes in = sizesOf(b, x), shape = {in[0], in[1]};
  for (int64_t d = 0; d < rank; ++d) {
    Size steps =
        frontend::mul(b, frontend::sub(b, in[d + 2], 1), window->strides[d]);
    shape.push_back(frontend::add(
        b, steps, kernel[d] - window->padLow[d] - window->padHigh[d]));
  }
  Value zeros = full(b, {product(b, shape)}, elementOf(x), 0);
  Value flat = frontend::reshape(b, indices, {-1});
  Value y = scatterElements(b, zeros, convert(b, flat, b.getI64Type()),
                            frontend::reshape(b, x, {-1}), 0);
  y = frontend::reshape(b, y, shape);
  if (!op.has(2))
    return op.result(y);
  auto wanted = sizesInput(op, 2, "output_shape");
  if (failed(wanted))
    return failure();
  if (wanted->size() != shape.size())
    return op.error() << "found output_shape of length " << wanted->size()
                      << ", expected " << shape.size();
  Sizes low(shape.size(), Size(0)), high;
  for (auto [size, now] : llvm::zip(*wanted, shape))
    high.push_back(frontend::sub(b, size, now));
  return op.result(padConstant(b, y, scalar(b, elementOf(x), 0), low, high));
}

/// input [B, C, L], weight [C, 1, K], bias [C], past_state [B, C, K - 1]:
/// each channel by its own kernel, looking back only.
static LogicalResult importCausalConv(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), weight = op.input(1);
  StringRef activation = op.stringAttr("activation", "none");
  if (rankOf(x) != 3 || rankOf(weight) != 3 || !typeOf(weight).hasStaticShape())
    return op.error() << "found input " << typeOf(x) << " and weight "
                      << typeOf(weight)
                      << ", expected rank 3 and a static weight";
  bool silus = activation == "silu" || activation == "swish";
  if (!silus && activation != "none")
    return op.error() << "found activation '" << activation
                      << "', expected none, silu or swish";
  Sizes in = sizesOf(b, x);
  int64_t width = typeOf(weight).getDimSize(2);
  Value past = op.has(3) ? op.input(3)
                         : full(b, {in[0], in[1], width - 1}, elementOf(x), 0);
  Value padded = concat(b, {past, x}, 2);
  ConvolutionSpec spec;
  spec.groups = typeOf(weight).getDimSize(0);
  Value y = convolution(b, padded, weight, op.input(2), spec);
  op.set(0, silus ? silu(b, y) : y);
  Size length = sizeOf(b, padded, 2);
  op.set(1, slice(b, padded, 2, frontend::sub(b, length, width - 1), length));
  return success();
}

void ferrule::onnx::registerFoldOps(Registry &r) {
  r.add("Col2Im", importCol2Im);
  r.add("MaxUnpool", importMaxUnpool);
  r.add("CausalConvWithState", importCausalConv);
}
