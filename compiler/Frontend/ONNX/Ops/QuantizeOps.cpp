// Quantised values: integers with a scale and a zero point.
#include "compiler/Frontend/ONNX/Quantized.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// A scale or zero point spread over x: one number, one per entry of `axis`,
/// or one per block of `block` entries.
static FailureOr<Value> spread(NodeContext &op, Value parameter, Value x,
                               int64_t axis, int64_t block) {
  HloBuilder &b = op.b;
  if (typeOf(parameter).hasStaticShape() &&
      typeOf(parameter).getNumElements() == 1)
    return fill(b, frontend::reshape(b, parameter, {}), sizesOf(b, x));
  auto dim = op.axis(axis, rankOf(x));
  if (failed(dim))
    return failure();
  if (rankOf(parameter) == 1)
    return broadcastInDim(b, parameter, sizesOf(b, x), {*dim});
  if (block <= 0 || rankOf(parameter) != rankOf(x))
    return op.error() << "found a scale of type " << typeOf(parameter)
                      << " for " << typeOf(x)
                      << ", expected one number, one per channel or blocks";
  return repeatInterleave(b, parameter, *dim, block);
}

/// The least and greatest value of an integer type.
static std::pair<double, double> rangeOf(IntegerType type) {
  unsigned width = type.getWidth();
  if (type.isUnsigned())
    return {0, std::ldexp(1.0, width) - 1};
  return {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1};
}

Value ferrule::onnx::saturate(HloBuilder &b, Value x, Value zero, Type target) {
  if (auto floatType = dyn_cast<FloatType>(target)) {
    double largest =
        APFloat::getLargest(floatType.getFloatSemantics()).convertToDouble();
    return convert(b, clamp(b, x, -largest, largest), target);
  }
  Value rounded = roundEven(b, x);
  if (zero)
    rounded = add(b, rounded, zero);
  auto [low, high] = rangeOf(cast<IntegerType>(target));
  return convert(b, clamp(b, rounded, low, high), target);
}

Value ferrule::onnx::toFloat(HloBuilder &b, Value x) {
  return convert(b, x, b.getF32Type());
}

/// Whether every element of a constant is zero.
static bool isZero(Value value) {
  if (auto ints = onnx::constantInts(value))
    return llvm::all_of(*ints, [](int64_t n) { return n == 0; });
  if (auto floats = constantFloats(value))
    return llvm::all_of(*floats, [](double n) { return n == 0; });
  return false;
}

static LogicalResult importQuantizeLinear(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), zero = op.input(2);
  int64_t axis = op.intAttr("axis", 1), block = op.intAttr("block_size", 0);
  Type target =
      zero ? elementOf(zero)
           : IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  if (int64_t number = op.intAttr("output_dtype", 0); number && !zero)
    target = op.elementType(number);
  auto scale = spread(op, toFloat(b, op.input(1)), x, axis, block);
  if (!target || failed(scale))
    return failure();
  Value scaled = div(b, toFloat(b, x), *scale);
  if (!zero || isZero(zero))
    return op.result(saturate(b, scaled, Value(), target));
  auto offset = spread(op, toFloat(b, zero), x, axis, block);
  if (failed(offset))
    return failure();
  return op.result(saturate(b, scaled, *offset, target));
}

static LogicalResult importDequantizeLinear(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), zero = op.input(2);
  int64_t axis = op.intAttr("axis", 1), block = op.intAttr("block_size", 0);
  Type target = elementOf(op.input(1));
  if (int64_t number = op.intAttr("output_dtype", 0))
    target = op.elementType(number);
  auto scale = spread(op, toFloat(b, op.input(1)), x, axis, block);
  if (!target || failed(scale))
    return failure();
  Value centred = toFloat(b, x);
  if (zero && !isZero(zero)) {
    auto offset = spread(op, toFloat(b, zero), x, axis, block);
    if (failed(offset))
      return failure();
    centred = sub(b, centred, *offset);
  }
  return op.result(convert(b, mul(b, centred, *scale), target));
}

DynamicQuantized ferrule::onnx::quantizeByRange(HloBuilder &b, Value x) {
  Value low = minimum(b, reduceMin(b, x, allDims(x), false), 0.0);
  Value high = maximum(b, reduceMax(b, x, allDims(x), false), 0.0);
  Value scale = div(b, sub(b, high, low), 255.0);
  // All zeros: any scale will do, but not zero.
  Value isZeroScale = compare(b, Direction::EQ, scale, 0.0);
  Value divisor = select(b, isZeroScale, fullLike(b, scale, 1), scale);
  Value zero = roundEven(b, clamp(b, div(b, neg(b, low), divisor), 0, 255));
  Type u8 = IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  Value scaled = div(b, x, fill(b, divisor, sizesOf(b, x)));
  return {saturate(b, scaled, fill(b, zero, sizesOf(b, x)), u8), scale,
          convert(b, zero, u8)};
}

static LogicalResult importDynamicQuantizeLinear(NodeContext &op) {
  DynamicQuantized q = quantizeByRange(op.b, op.input(0));
  op.set(0, q.values);
  op.set(1, q.scale);
  op.set(2, q.zero);
  return success();
}

/// x - zero as i32; a zero point of rank 1 belongs to rows (`dim` -2) or
/// columns (-1).
static Value centred(HloBuilder &b, Value x, Value zero, int64_t dim) {
  Value wide = convert(b, x, b.getI32Type());
  if (!zero || isZero(zero))
    return wide;
  Value offset = convert(b, zero, b.getI32Type());
  bool one =
      typeOf(zero).hasStaticShape() && typeOf(zero).getNumElements() == 1;
  if (one)
    offset = frontend::reshape(b, offset, {});
  else if (rankOf(zero) == 1 && dim == -2)
    offset = unsqueeze(b, offset, {1});
  return sub(b, wide, offset);
}

Value ferrule::onnx::integerProduct(HloBuilder &b, Value x, Value xZero,
                                    Value y, Value yZero) {
  return matmul(b, centred(b, x, xZero, -2), centred(b, y, yZero, -1));
}

static LogicalResult importMatMulInteger(NodeContext &op) {
  return op.result(
      integerProduct(op.b, op.input(0), op.input(2), op.input(1), op.input(3)));
}

Value ferrule::onnx::scaleOf(HloBuilder &b, Value scale, int64_t dim) {
  scale = toFloat(b, scale);
  if (typeOf(scale).hasStaticShape() && typeOf(scale).getNumElements() == 1)
    return frontend::reshape(b, scale, {});
  return rankOf(scale) == 1 && dim == -2 ? unsqueeze(b, scale, {1}) : scale;
}

static LogicalResult importQLinearMatMul(NodeContext &op) {
  HloBuilder &b = op.b;
  Value sum =
      integerProduct(b, op.input(0), op.input(2), op.input(3), op.input(5));
  Value scale =
      mul(b, scaleOf(b, op.input(1), -2), scaleOf(b, op.input(4), -1));
  scale = div(b, scale, scaleOf(b, op.input(6), -2));
  Value zero = scaleOf(b, op.input(7), -2);
  Value scaled = mul(b, toFloat(b, sum), scale);
  zero = broadcastTo(b, zero, sizesOf(b, scaled));
  return op.result(saturate(b, scaled, zero, elementOf(op.input(7))));
}

static Value oneNumber(HloBuilder &b, Value x, Value like) {
  x = toFloat(b, frontend::reshape(b, x, {}));
  return fill(b, x, sizesOf(b, like));
}

Value ferrule::onnx::dequantized(NodeContext &op, size_t i) {
  HloBuilder &b = op.b;
  Value x = toFloat(b, op.input(i));
  if (op.has(i + 2))
    x = sub(b, x, oneNumber(b, op.input(i + 2), x));
  return mul(b, x, oneNumber(b, op.input(i + 1), x));
}

Value ferrule::onnx::quantized(NodeContext &op, Value x, size_t i,
                               Type target) {
  HloBuilder &b = op.b;
  Value scaled = div(b, x, oneNumber(b, op.input(i), x));
  Value zero = op.has(i + 1) ? oneNumber(b, op.input(i + 1), x) : Value();
  return saturate(b, scaled, zero, target);
}

void ferrule::onnx::registerQuantizeOps(Registry &r) {
  r.add("QuantizeLinear", importQuantizeLinear);
  r.add("DequantizeLinear", importDequantizeLinear);
  r.add("DynamicQuantizeLinear", importDynamicQuantizeLinear);
  r.add("MatMulInteger", importMatMulInteger);
  r.add("QLinearMatMul", importQLinearMatMul);
  r.add(microsoft, "QuantizeLinear", importQuantizeLinear);
  r.add(microsoft, "DequantizeLinear", importDequantizeLinear);
}
