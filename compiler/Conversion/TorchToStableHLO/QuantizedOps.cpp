// Quantisation as the exporter writes it: integers with a scale and a zero
// point, explicit conversions between them and floats.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// Operand `index` as a scalar, or as a vector along `axis` of `like`.
static Value parameter(OpLowering &x, unsigned index, Value like,
                       std::optional<int64_t> axis) {
  HloBuilder &b = x.b;
  Value value = x.mapped(x.op->getOperand(index));
  if (!value) {
    x.fail("has no number as operand " + Twine(index));
    return fullLike(b, like, 1);
  }
  value = convert(b, value, elementOf(like));
  if (axis && rankOf(value) == 1)
    return broadcastInDim(b, value, sizesOf(b, like), {*axis});
  return value;
}

static int64_t constantOperand(OpLowering &x, unsigned index) {
  if (auto value = matchInt(x.op->getOperand(index)))
    return *value;
  x.fail("needs a constant as operand " + Twine(index));
  return 0;
}

/// round(x / scale) + zero point, limited: operands x, scale, zero point,
/// [axis,] least, greatest, type.
template <bool perChannel> static void quantizeOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.mapped(x.op->getOperand(0));
  if (!input)
    return x.fail("has no tensor to quantise");
  input = convert(b, input, computeType(elementOf(input)));
  std::optional<int64_t> axis;
  if (perChannel)
    axis = wrapDim(constantOperand(x, 3), rankOf(input));
  unsigned bounds = perChannel ? 4 : 3;
  double least = constantOperand(x, bounds);
  double greatest = constantOperand(x, bounds + 1);
  Value scaled = mul(b, input, reciprocal(b, parameter(x, 1, input, axis)));
  Value moved = add(b, roundEven(b, scaled), parameter(x, 2, input, axis));
  x.give(frontend::clamp(b, moved, least, greatest));
}

/// (q - zero point) * scale.
template <bool perChannel> static void dequantizeOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.mapped(x.op->getOperand(0));
  if (!input)
    return x.fail("has no tensor to dequantise");
  input = convert(b, input, computeType(x.resultElement()));
  std::optional<int64_t> axis;
  if (perChannel)
    axis = wrapDim(constantOperand(x, 3), rankOf(input));
  bool hasZero = !isNone(x.op->getOperand(2));
  Value moved = hasZero ? sub(b, input, parameter(x, 2, input, axis)) : input;
  x.give(mul(b, moved, parameter(x, 1, input, axis)));
}

static const LoweringEntry entries[] = {
    {"quantized_decomposed.quantize_per_tensor", quantizeOp<false>},
    {"quantized_decomposed.quantize_per_tensor.tensor", quantizeOp<false>},
    {"quantized_decomposed.quantize_per_channel", quantizeOp<true>},
    {"quantized_decomposed.dequantize_per_tensor", dequantizeOp<false>},
    {"quantized_decomposed.dequantize_per_tensor.tensor", dequantizeOp<false>},
    {"quantized_decomposed.dequantize_per_channel", dequantizeOp<true>},
};

void torch::addQuantizedLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
