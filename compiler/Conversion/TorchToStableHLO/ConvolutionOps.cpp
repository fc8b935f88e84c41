// Convolutions and their gradients.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Convolution.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// The parameters that all overloads share.
static ConvolutionSpec readSpec(OpLowering &x, int64_t rank) {
  ConvolutionSpec spec;
  spec.strides = x.integers("stride");
  spec.dilations = x.integers("dilation");
  spec.outputPadding = x.integers("output_padding");
  spec.groups = x.integer("groups", 1);
  Value padding = getArgument(x.op, "padding");
  if (padding && matchString(padding)) {
    // "valid", or "same" with the odd row at the high end.
    spec.complete(rank);
    if (x.text("padding") == "same") {
      RankedTensorType weight = typeOf(x.tensor("weight"));
      for (int64_t i = 0; i < rank; ++i) {
        if (weight.isDynamicDim(2 + i)) {
          x.fail("keeps the size and has a kernel of unknown size");
          return spec;
        }
        int64_t total = spec.dilations[i] * (weight.getDimSize(2 + i) - 1);
        spec.padLow[i] = total / 2;
        spec.padHigh[i] = total - total / 2;
      }
    }
    return spec;
  }
  spec.padLow = x.integers("padding");
  spec.complete(rank);
  return spec;
}

static void convolve(OpLowering &x, bool transposed) {
  Type element = x.resultElement();
  Value input = x.tensor("input", element);
  Value weight = x.tensor("weight", element);
  Value bias = x.has("bias") ? x.tensor("bias", element) : Value();
  int64_t rank = rankOf(weight) - 2;
  ConvolutionSpec spec = readSpec(x, rank);
  if (x.failed())
    return;
  // One image without a batch dimension.
  bool single = rankOf(input) == rank + 1;
  if (single)
    input = unsqueeze(x.b, input, {0});
  Value result = transposed
                     ? transposedConvolution(x.b, input, weight, bias, spec)
                     : convolution(x.b, input, weight, bias, spec);
  x.give(single ? squeeze(x.b, result, {0}) : result);
}

static void convolutionOp(OpLowering &x) { convolve(x, x.flag("transposed")); }
static void directOp(OpLowering &x) { convolve(x, false); }
static void transposedOp(OpLowering &x) { convolve(x, true); }

/// Gradient of the input: the transposed convolution, with output padding
/// where the stride had skipped rows.
static Value inputGradient(OpLowering &x, Value grad, Value input, Value weight,
                           ConvolutionSpec spec) {
  for (int64_t i = 0, n = spec.strides.size(); i < n; ++i) {
    int64_t in = typeOf(input).getDimSize(2 + i);
    int64_t out = typeOf(grad).getDimSize(2 + i);
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(out)) {
      if (spec.strides[i] != 1)
        x.fail("has a stride and unknown sizes in its gradient");
      continue;
    }
    int64_t reach =
        spec.dilations[i] * (typeOf(weight).getDimSize(2 + i) - 1) + 1;
    spec.outputPadding[i] = in - ((out - 1) * spec.strides[i] + reach -
                                  spec.padLow[i] - spec.padHigh[i]);
  }
  return transposedConvolution(x.b, grad, weight, Value(), spec);
}

/// Gradient of the weight: a convolution of the input with the gradient, in
/// which batch and channels change places. `groups` at a time.
static Value weightGradient(OpLowering &x, Value grad, Value input,
                            Value weight, const ConvolutionSpec &spec) {
  HloBuilder &b = x.b;
  int64_t rank = spec.strides.size(), groups = spec.groups;
  ConvolutionSpec swapped;
  swapped.strides = spec.dilations;
  swapped.dilations = spec.strides;
  swapped.padLow = spec.padLow;
  swapped.padHigh = spec.padHigh;
  SmallVector<Value> parts;
  for (int64_t g = 0; g < groups; ++g) {
    auto part = [&](Value value) {
      int64_t channels = typeOf(value).getDimSize(1) / groups;
      Value own = groups == 1
                      ? value
                      : slice(b, value, 1, g * channels, (g + 1) * channels);
      return swapDims(b, own, 0, 1);
    };
    Value result = convolution(b, part(input), part(grad), Value(), swapped);
    parts.push_back(swapDims(b, result, 0, 1));
  }
  Value result = concat(b, parts, 0);
  // Rows that the stride never reached give extra rows here.
  for (int64_t i = 0; i < rank; ++i) {
    int64_t kernel = typeOf(weight).getDimSize(2 + i);
    if (typeOf(result).getDimSize(2 + i) != kernel)
      result = slice(b, result, 2 + i, 0, kernel);
  }
  return result;
}

static void backwardOp(OpLowering &x) {
  Value grad = x.tensor("grad_output"), input = x.tensor("input");
  Value weight = x.tensor("weight");
  SmallVector<bool> wanted = x.flags("output_mask");
  int64_t rank = rankOf(weight) - 2;
  ConvolutionSpec spec = readSpec(x, rank);
  if (x.failed() || wanted.size() != 3)
    return x.fail("needs a constant mask of three");
  Value results[3];
  bool transposed = x.flag("transposed");
  if (wanted[0])
    results[0] = transposed ? convolution(x.b, grad, weight, Value(), spec)
                            : inputGradient(x, grad, input, weight, spec);
  if (wanted[1])
    results[1] = transposed ? weightGradient(x, input, grad, weight, spec)
                            : weightGradient(x, grad, input, weight, spec);
  if (wanted[2]) {
    SmallVector<int64_t> dims = {0};
    llvm::append_range(dims, llvm::seq<int64_t>(2, 2 + rank));
    results[2] = reduceSum(x.b, grad, dims, /*keepDims=*/false);
  }
  x.give(ValueRange(results));
}

static const LoweringEntry entries[] = {
    {"aten.convolution", convolutionOp},
    {"aten._convolution", convolutionOp},
    {"aten.convolution_overrideable", convolutionOp},
    {"aten.conv1d", directOp},
    {"aten.conv2d", directOp},
    {"aten.conv3d", directOp},
    {"aten.conv1d.padding", directOp},
    {"aten.conv2d.padding", directOp},
    {"aten.conv3d.padding", directOp},
    {"aten.conv_transpose1d", transposedOp},
    {"aten.conv_transpose2d.input", transposedOp},
    {"aten.conv_transpose3d.input", transposedOp},
    {"aten.convolution_backward", backwardOp},
};

void torch::addConvolutionLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
