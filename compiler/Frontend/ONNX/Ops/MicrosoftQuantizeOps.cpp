// Quantised ops of com.microsoft.
#include "compiler/Frontend/ONNX/Quantized.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Two operands (value, scale, zero point), then the result's scale and zero.
template <Value (*fn)(HloBuilder &, Value, Value)>
static LogicalResult qlinearBinary(NodeContext &op) {
  Value y = fn(op.b, dequantized(op, 0), dequantized(op, 3));
  return op.result(quantized(op, y, 6, elementOf(op.input(0))));
}

/// One operand (value, scale, zero point), then the result's scale and zero.
template <typename Function>
static LogicalResult qlinearUnary(NodeContext &op, Function fn) {
  Value y = fn(dequantized(op, 0));
  return op.result(quantized(op, y, 3, elementOf(op.input(0))));
}

static LogicalResult importQLinearSigmoid(NodeContext &op) {
  return qlinearUnary(op, [&](Value x) { return sigmoid(op.b, x); });
}

static LogicalResult importQLinearLeakyRelu(NodeContext &op) {
  return qlinearUnary(op, [&](Value x) {
    return leakyRelu(op.b, x, op.floatAttr("alpha", 0.01f));
  });
}

static LogicalResult importQLinearSoftmax(NodeContext &op) {
  HloBuilder &b = op.b;
  auto axis = op.axis(op.intAttr("axis", -1), rankOf(op.input(0)));
  if (failed(axis))
    return failure();
  // Before opset 13 a row was all dimensions from the axis on.
  bool rows = op.intAttr("opset", 13) < 13;
  return qlinearUnary(op, [&](Value x) {
    if (!rows)
      return softmax(b, x, *axis);
    Value flat = flatten(b, x, *axis, rankOf(x) - 1);
    return frontend::reshape(b, softmax(b, flat, *axis), sizesOf(b, x));
  });
}

static LogicalResult importQLinearGlobalAveragePool(NodeContext &op) {
  bool last = op.intAttr("channels_last", 0);
  return qlinearUnary(op, [&](Value x) {
    SmallVector<int64_t> dims;
    for (int64_t d = last ? 1 : 2; d < rankOf(x) - last; ++d)
      dims.push_back(d);
    return reduceMean(op.b, x, dims, /*keepDims=*/true);
  });
}

static LogicalResult importQLinearReduceMean(NodeContext &op) {
  SmallVector<int64_t> axes = op.intsAttr("axes");
  for (int64_t &axis : axes) {
    auto wrapped = op.axis(axis, rankOf(op.input(0)));
    if (failed(wrapped))
      return failure();
    axis = *wrapped;
  }
  if (axes.empty())
    axes = allDims(op.input(0));
  return qlinearUnary(op, [&](Value x) {
    return reduceMean(op.b, x, axes, op.intAttr("keepdims", 1));
  });
}

static LogicalResult importQLinearAveragePool(NodeContext &op) {
  HloBuilder &b = op.b;
  Type target = elementOf(op.input(0));
  bool last = op.intAttr("channels_last", 0);
  Value x = dequantized(op, 0);
  op.replaceInput(0, last ? moveDim(b, x, -1, 1) : x);
  if (failed(Registry::get().find("", "AveragePool")(op)))
    return failure();
  Value y = op.outputs[0].tensor;
  return op.result(quantized(op, last ? moveDim(b, y, 1, -1) : y, 3, target));
}

/// The result's scale and zero point, then value, scale and zero of each.
static LogicalResult importQLinearConcat(NodeContext &op) {
  if (op.numInputs() < 5 || (op.numInputs() - 2) % 3)
    return op.error() << "found " << op.numInputs()
                      << " inputs, expected two and three for each value";
  SmallVector<Value> values;
  for (size_t i = 2; i < op.numInputs(); i += 3) {
    if (!op.has(i) || !op.has(i + 1))
      return op.error() << "input " << i << " or its scale is missing";
    values.push_back(dequantized(op, i));
  }
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(values[0]));
  if (failed(axis))
    return failure();
  Value y = concat(op.b, values, *axis);
  return op.result(quantized(op, y, 0, elementOf(op.input(2))));
}

static LogicalResult importQLinearWhere(NodeContext &op) {
  Value y = select(op.b, op.input(0), dequantized(op, 1), dequantized(op, 4));
  return op.result(quantized(op, y, 7, elementOf(op.input(1))));
}

/// A and B with scale and zero point each, C (i32), then the result's scale
/// and zero point; without a scale the result is f32.
static LogicalResult importQGemm(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), y = op.input(3);
  Value yScale = op.input(4), yZero = op.input(5);
  if (rankOf(x) != 2 || rankOf(y) != 2)
    return op.error() << "found inputs " << typeOf(x) << " and " << typeOf(y)
                      << ", expected matrices";
  if (op.intAttr("transA", 0))
    x = swapDims(b, x, 0, 1);
  if (op.intAttr("transB", 0))
    y = swapDims(b, y, 0, 1);
  Value sum = integerProduct(b, x, op.input(2), y, yZero);
  if (op.has(6))
    sum = add(b, sum, op.input(6));
  Value scale = mul(b, scaleOf(b, op.input(1), -2), scaleOf(b, yScale, -1));
  Value result = mul(b, toFloat(b, sum), scale);
  if (double alpha = op.floatAttr("alpha", 1); alpha != 1)
    result = mul(b, result, alpha);
  if (!op.has(7))
    return op.result(result);
  Type target = op.has(8) ? elementOf(op.input(8)) : elementOf(x);
  return op.result(quantized(op, result, 7, target));
}

/// (A - zero) (B - zero) * scales + bias in f32.
static LogicalResult importMatMulIntegerToFloat(NodeContext &op) {
  HloBuilder &b = op.b;
  Value sum =
      integerProduct(b, op.input(0), op.input(4), op.input(1), op.input(5));
  Value result = mul(b, toFloat(b, sum), scaleOf(b, op.input(2), -2));
  result = mul(b, result, scaleOf(b, op.input(3), -1));
  return op.result(op.has(6) ? add(b, result, op.input(6)) : result);
}

/// A (f32, quantised by its own range), B, its scale and zero point, bias.
static LogicalResult importDynamicQuantizeMatMul(NodeContext &op) {
  HloBuilder &b = op.b;
  DynamicQuantized q = quantizeByRange(b, op.input(0));
  Value sum = integerProduct(b, q.values, q.zero, op.input(1), op.input(3));
  Value result = mul(b, toFloat(b, sum), q.scale);
  result = mul(b, result, scaleOf(b, op.input(2), -1));
  return op.result(op.has(4) ? add(b, result, op.input(4)) : result);
}

static LogicalResult importMatMulInteger16(NodeContext &op) {
  return op.result(
      integerProduct(op.b, op.input(0), Value(), op.input(1), Value()));
}

/// Numbers of `bits` bits packed low bits first into bytes [..., n], as floats
/// [..., n * 8 / bits].
static Value unpack(HloBuilder &b, Value bytes, int64_t bits, Type element) {
  if (bits == 8)
    return convert(b, bytes, element);
  int64_t last = rankOf(bytes), parts = 8 / bits;
  Value wide = convert(b, bytes, b.getI32Type());
  SmallVector<Value> list;
  for (int64_t i = 0; i < parts; ++i) {
    Value shifted =
        i == 0
            ? wide
            : binary<stablehlo::ShiftRightLogicalOp>(b, wide, double(i * bits));
    list.push_back(bitAnd(b, shifted, double((1 << bits) - 1)));
  }
  Value all = flatten(b, stack(b, list, last), last - 1, last);
  return convert(b, all, element);
}

/// A [..., K] times the transpose of a weight of blocks of few bits: B
/// [N, blocks, bytes], scales [N, blocks], zero_points (packed, or floats),
/// g_idx, bias [N].
static LogicalResult importMatMulNBits(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), packed = op.input(1);
  int64_t k = op.intAttr("K", 0), n = op.intAttr("N", 0);
  int64_t bits = op.intAttr("bits", 4), block = op.intAttr("block_size", 0);
  if (k < 1 || n < 1 || block < 1 || (bits != 2 && bits != 4 && bits != 8) ||
      op.has(4) || rankOf(packed) != 3)
    return op.error() << "found K " << k << ", N " << n << ", bits " << bits
                      << ", block_size " << block << " and B " << typeOf(packed)
                      << ", expected sizes, 2, 4 or 8 bits, rank 3 and no "
                         "g_idx";
  int64_t blocks = (k + block - 1) / block;
  Type element = elementOf(x);
  Value weight = unpack(b, packed, bits, element); // [N, blocks, block]
  Value scales = frontend::reshape(b, op.input(2), {n, blocks});
  Sizes shape = {n, blocks, block};
  auto spread = [&](Value v) { return broadcastInDim(b, v, shape, {0, 1}); };
  Value zero = op.input(3);
  if (!zero) {
    weight = sub(b, weight, double(1 << (bits - 1)));
  } else {
    if (!isa<FloatType>(elementOf(zero))) {
      // The zero points of a row fill whole bytes.
      zero = frontend::reshape(b, zero, {n, (blocks * bits + 7) / 8});
      zero = slice(b, unpack(b, zero, bits, element), 1, 0, blocks);
    }
    zero = frontend::reshape(b, convert(b, zero, element), {n, blocks});
    weight = sub(b, weight, spread(zero));
  }
  weight = mul(b, weight, spread(convert(b, scales, element)));
  weight = slice(b, frontend::reshape(b, weight, {n, blocks * block}), 1, 0, k);
  return op.result(linear(b, x, weight, op.input(5)));
}

/// QLinearConv with channels last, when the attribute says so.
static LogicalResult importMicrosoftQLinearConv(NodeContext &op) {
  HloBuilder &b = op.b;
  bool last = op.intAttr("channels_last", 0);
  if (last)
    op.replaceInput(0, moveDim(b, op.input(0), -1, 1));
  if (failed(Registry::get().find("", "QLinearConv")(op)))
    return failure();
  Value y = op.outputs[0].tensor;
  return op.result(last ? moveDim(b, y, 1, -1) : y);
}

void ferrule::onnx::registerMicrosoftQuantizeOps(Registry &r) {
  r.add(microsoft, "QLinearAdd", qlinearBinary<add>);
  r.add(microsoft, "QLinearMul", qlinearBinary<mul>);
  r.add(microsoft, "QLinearSigmoid", importQLinearSigmoid);
  r.add(microsoft, "QLinearLeakyRelu", importQLinearLeakyRelu);
  r.add(microsoft, "QLinearSoftmax", importQLinearSoftmax);
  r.add(microsoft, "QLinearGlobalAveragePool", importQLinearGlobalAveragePool);
  r.add(microsoft, "QLinearAveragePool", importQLinearAveragePool);
  r.add(microsoft, "QLinearReduceMean", importQLinearReduceMean);
  r.add(microsoft, "QLinearConcat", importQLinearConcat);
  r.add(microsoft, "QLinearWhere", importQLinearWhere);
  r.add(microsoft, "QLinearConv", importMicrosoftQLinearConv);
  r.add(microsoft, "QGemm", importQGemm);
  r.add(microsoft, "MatMulIntegerToFloat", importMatMulIntegerToFloat);
  r.add(microsoft, "DynamicQuantizeMatMul", importDynamicQuantizeMatMul);
  r.add(microsoft, "MatMulInteger16", importMatMulInteger16);
  r.add(microsoft, "MatMulNBits", importMatMulNBits);
}
