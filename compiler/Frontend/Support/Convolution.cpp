#include "compiler/Frontend/Support/Convolution.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

void ConvolutionSpec::complete(int64_t rank) {
  auto fill = [&](SmallVector<int64_t> &list, int64_t value) {
    // Frameworks give one number for all dimensions.
    if (list.size() == 1)
      value = list[0];
    if (int64_t(list.size()) != rank)
      list.assign(rank, value);
  };
  fill(strides, 1);
  fill(dilations, 1);
  fill(padLow, 0);
  if (padHigh.empty())
    padHigh = padLow;
  fill(padHigh, 0);
  fill(outputPadding, 0);
}

Size frontend::convolvedSize(HloBuilder &b, Size in, int64_t kernel,
                             int64_t stride, int64_t dilation, int64_t pads) {
  Size span = add(b, in, pads - dilation * (kernel - 1) - 1);
  return add(b, floorDiv(b, span, stride), 1);
}

Value frontend::addChannelBias(HloBuilder &b, Value x, Value bias) {
  if (!bias)
    return x;
  Value spread = broadcastInDim(b, bias, sizesOf(b, x), {1});
  return add(b, x, spread);
}

static DenseIntElementsAttr pairs(HloBuilder &b, ArrayRef<int64_t> low,
                                  ArrayRef<int64_t> high) {
  SmallVector<int64_t> values;
  for (auto [l, h] : llvm::zip(low, high))
    llvm::append_values(values, l, h);
  return DenseIntElementsAttr::get(
      RankedTensorType::get({int64_t(low.size()), 2}, b.getI64Type()), values);
}

/// Channels first on all sides, kernels output channels first.
static stablehlo::ConvDimensionNumbersAttr layout(HloBuilder &b,
                                                  int64_t spatialRank) {
  auto spatial = llvm::to_vector(llvm::seq<int64_t>(2, 2 + spatialRank));
  return stablehlo::ConvDimensionNumbersAttr::get(b.getContext(), 0, 1, spatial,
                                                  1, 0, spatial, 0, 1, spatial);
}

/// The op itself; paddings apply to the input after `inputDilation`.
static Value emit(HloBuilder &b, Value x, Value weight,
                  const ConvolutionSpec &spec,
                  ArrayRef<int64_t> inputDilation) {
  RankedTensorType in = typeOf(x), kernel = typeOf(weight);
  int64_t rank = in.getRank() - 2;
  SmallVector<int64_t> shape = {in.getDimSize(0), kernel.getDimSize(0)};
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = in.getDimSize(2 + i);
    if (ShapedType::isStatic(size)) {
      size = size == 0 ? 0 : (size - 1) * inputDilation[i] + 1;
      size += spec.padLow[i] + spec.padHigh[i];
      int64_t window = (kernel.getDimSize(2 + i) - 1) * spec.dilations[i] + 1;
      size = size < window ? 0 : (size - window) / spec.strides[i] + 1;
    }
    shape.push_back(size);
  }
  auto type = RankedTensorType::get(shape, in.getElementType());
  auto plain = [](ArrayRef<int64_t> list) {
    return llvm::all_of(list, [](int64_t n) { return n == 1; });
  };
  auto array = [&](ArrayRef<int64_t> list) {
    return plain(list) ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(list);
  };
  return stablehlo::ConvolutionOp::create(
      b, type, x, weight, array(spec.strides),
      pairs(b, spec.padLow, spec.padHigh), array(inputDilation),
      array(spec.dilations), DenseBoolArrayAttr(), layout(b, rank),
      b.getI64IntegerAttr(spec.groups), b.getI64IntegerAttr(1), ArrayAttr());
}

Value frontend::convolution(HloBuilder &b, Value x, Value weight, Value bias,
                            ConvolutionSpec spec) {
  int64_t rank = rankOf(x) - 2;
  spec.complete(rank);
  SmallVector<int64_t> ones(rank, 1);
  return addChannelBias(b, emit(b, x, weight, spec, ones), bias);
}

/// [C, O / groups, kernel...] -> [O, C / groups, kernel...], kernel reversed.
static Value flipKernel(HloBuilder &b, Value weight, int64_t groups) {
  RankedTensorType type = typeOf(weight);
  int64_t rank = type.getRank() - 2;
  Value kernel =
      reverse(b, weight, llvm::to_vector(llvm::seq<int64_t>(2, 2 + rank)));
  if (groups == 1)
    return swapDims(b, kernel, 0, 1);
  // [G, C/G, O/G, ...] -> [G, O/G, C/G, ...] -> [O, C/G, ...].
  int64_t in = type.getDimSize(0) / groups, out = type.getDimSize(1);
  SmallVector<int64_t> split = {groups, in, out};
  llvm::append_range(split, type.getShape().drop_front(2));
  kernel = swapDims(b, reshape(b, kernel, toSizes(split)), 1, 2);
  SmallVector<int64_t> joined = {groups * out, in};
  llvm::append_range(joined, type.getShape().drop_front(2));
  return reshape(b, kernel, toSizes(joined));
}

/// The input with zeros between its rows and around them, for a kernel of
/// unknown size.
static Value spreadInput(HloBuilder &b, Value x, Value weight,
                         const ConvolutionSpec &spec) {
  int64_t rank = rankOf(x) - 2;
  Sizes low(2, Size(0)), high(2, Size(0));
  SmallVector<int64_t> between(2, 0);
  SmallVector<int64_t> shape(typeOf(x).getShape().take_front(2));
  for (int64_t i = 0; i < rank; ++i) {
    Size reach = mul(b, sub(b, sizeOf(b, weight, 2 + i), 1), spec.dilations[i]);
    low.push_back(sub(b, reach, spec.padLow[i]));
    high.push_back(
        add(b, sub(b, reach, spec.padHigh[i]), spec.outputPadding[i]));
    between.push_back(spec.strides[i] - 1);
    shape.push_back(ShapedType::kDynamic);
  }
  auto type = RankedTensorType::get(shape, elementOf(x));
  return stablehlo::DynamicPadOp::create(
      b, type, x, scalar(b, elementOf(x), 0), shapeTensor(b, low),
      shapeTensor(b, high), constantI64(b, between));
}

Value frontend::transposedConvolution(HloBuilder &b, Value x, Value weight,
                                      Value bias, ConvolutionSpec spec) {
  int64_t rank = rankOf(x) - 2;
  spec.complete(rank);
  // A convolution over the input with zeros between its rows.
  ConvolutionSpec direct = spec;
  direct.strides.assign(rank, 1);
  Value kernel = flipKernel(b, weight, spec.groups);
  SmallVector<int64_t> between = spec.strides;
  if (llvm::is_contained(typeOf(weight).getShape().drop_front(2),
                         ShapedType::kDynamic)) {
    x = spreadInput(b, x, weight, spec);
    direct.padLow.assign(rank, 0);
    direct.padHigh.assign(rank, 0);
    between.assign(rank, 1);
    return addChannelBias(b, emit(b, x, kernel, direct, between), bias);
  }
  for (int64_t i = 0; i < rank; ++i) {
    int64_t reach = spec.dilations[i] * (typeOf(weight).getDimSize(2 + i) - 1);
    direct.padLow[i] = reach - spec.padLow[i];
    direct.padHigh[i] = reach - spec.padHigh[i] + spec.outputPadding[i];
  }
  return addChannelBias(b, emit(b, x, kernel, direct, between), bias);
}
