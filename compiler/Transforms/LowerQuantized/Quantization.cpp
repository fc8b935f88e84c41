#include "compiler/Transforms/LowerQuantized/Quantization.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOValues.h"

using namespace mlir;
using namespace ferrule::stablehlo;

namespace ferrule::quantized {

/// A scale is a number of the expressed type, whatever the text said.
static double roundScale(double scale, Type expressed) {
  llvm::APFloat value(scale);
  bool lossy;
  value.convert(cast<FloatType>(expressed).getFloatSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &lossy);
  value.convert(llvm::APFloat::IEEEdouble(),
                llvm::APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

Parameters::Parameters(quant::QuantizedType type) {
  if (auto tensor = dyn_cast<quant::UniformQuantizedType>(type)) {
    scales = {tensor.getScale()};
    zeroPoints = {tensor.getZeroPoint()};
  } else {
    auto perAxis = cast<quant::UniformQuantizedPerAxisType>(type);
    scales.assign(perAxis.getScales().begin(), perAxis.getScales().end());
    zeroPoints.assign(perAxis.getZeroPoints().begin(),
                      perAxis.getZeroPoints().end());
    axis = perAxis.getQuantizedDimension();
  }
  for (double &scale : scales)
    scale = roundScale(scale, type.getExpressedType());
}

bool Parameters::hasZeroPoint() const {
  return llvm::any_of(zeroPoints, [](int64_t zero) { return zero != 0; });
}

quant::QuantizedType getQuantized(Type type) {
  return dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type));
}

IntegerType getStorage(quant::QuantizedType type) {
  return IntegerType::get(type.getContext(), type.getStorageTypeIntegralWidth(),
                          type.isSigned() ? IntegerType::Signless
                                          : IntegerType::Unsigned);
}

int64_t getLargestDistance(quant::QuantizedType type) {
  int64_t largest = 0;
  for (int64_t zero : Parameters(type).zeroPoints)
    largest = std::max({largest, zero - type.getStorageTypeMin(),
                        type.getStorageTypeMax() - zero});
  return largest;
}

/// `values` as constants of `element`, everywhere or along an axis of `like`.
template <typename T>
static Value spread(OpBuilder &b, Location loc, ArrayRef<T> values,
                    int64_t axis, Type element, Value like) {
  auto number = [&](T value) -> Attribute {
    if (isa<FloatType>(element))
      return b.getFloatAttr(element, static_cast<double>(value));
    return b.getIntegerAttr(element, static_cast<int64_t>(value));
  };
  auto likeType = cast<RankedTensorType>(like.getType());
  if (axis < 0 || values.size() == 1)
    return buildSplatLike(
        b, loc, number(values.front()), like,
        RankedTensorType::get(likeType.getShape(), element));
  SmallVector<Attribute> numbers = llvm::map_to_vector(values, number);
  auto vector = RankedTensorType::get(
      {static_cast<int64_t>(values.size())}, element);
  return buildVectorLike(b, loc, DenseElementsAttr::get(vector, numbers), like,
                         axis);
}

Value buildDistance(OpBuilder &b, Location loc, Value storage,
                    quant::QuantizedType type, unsigned width) {
  Parameters parameters(type);
  Type element = b.getIntegerType(width);
  Value wide = ConvertOp::create(b, loc, storage, element);
  if (!parameters.hasZeroPoint())
    return wide;
  Value zero = spread<int64_t>(b, loc, parameters.zeroPoints, parameters.axis,
                               element, wide);
  return SubtractOp::create(b, loc, wide.getType(), wide, zero);
}

Value buildScale(OpBuilder &b, Location loc, Value x,
                 const Parameters &parameters) {
  Value scale = spread<double>(b, loc, parameters.scales, parameters.axis,
                               getElementTypeOrSelf(x), x);
  return MulOp::create(b, loc, x.getType(), x, scale);
}

Value buildDequantize(OpBuilder &b, Location loc, Value storage,
                      quant::QuantizedType type) {
  // A difference of two numbers of 32 bits may need 33.
  unsigned width = type.getStorageTypeIntegralWidth() > 16 ? 64 : 32;
  Value distance = buildDistance(b, loc, storage, type, width);
  Value numbers = ConvertOp::create(b, loc, distance, type.getExpressedType());
  return buildScale(b, loc, numbers, Parameters(type));
}

Value buildQuantize(OpBuilder &b, Location loc, Value numbers,
                    quant::QuantizedType type) {
  Parameters parameters(type);
  auto tensor = cast<RankedTensorType>(numbers.getType());
  Type element = tensor.getElementType();
  Value scale = spread<double>(b, loc, parameters.scales, parameters.axis,
                               element, numbers);
  Value x = DivOp::create(b, loc, tensor, numbers, scale);
  if (parameters.hasZeroPoint()) {
    Value zero = spread<int64_t>(b, loc, parameters.zeroPoints,
                                 parameters.axis, element, numbers);
    x = AddOp::create(b, loc, tensor, x, zero);
  }
  auto limit = [&](int64_t value) -> Value {
    auto scalar = RankedTensorType::get({}, element);
    return ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(scalar, b.getFloatAttr(element, value)));
  };
  x = ClampOp::create(b, loc, tensor, limit(type.getStorageTypeMin()), x,
                      limit(type.getStorageTypeMax()));
  x = RoundNearestEvenOp::create(b, loc, tensor, x);
  return ConvertOp::create(b, loc, x, getStorage(type));
}

Value buildRequantize(OpBuilder &b, Location loc, Value storage,
                      quant::QuantizedType from, quant::QuantizedType to) {
  if (from == to)
    return storage;
  return buildQuantize(b, loc, buildDequantize(b, loc, storage, from), to);
}

} // namespace ferrule::quantized
