#include "compiler/Frontend/Support/Constants.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::constant(HloBuilder &b, ElementsAttr value) {
  return stablehlo::ConstantOp::create(
      b, cast<RankedTensorType>(value.getType()), value);
}

Value frontend::constantI64(HloBuilder &b, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({int64_t(values.size())}, b.getI64Type());
  return constant(b, DenseIntElementsAttr::get(type, values));
}

static Value scalarOf(HloBuilder &b, Type element, Attribute value) {
  return constant(
      b, DenseElementsAttr::get(RankedTensorType::get({}, element), value));
}

static Value scalarOf(HloBuilder &b, FloatType type, const APFloat &value) {
  return scalarOf(b, type, FloatAttr::get(type, value));
}

static Value scalarOf(HloBuilder &b, IntegerType type, const APInt &value) {
  return scalarOf(b, type, IntegerAttr::get(type, value));
}

static APFloat toFloat(FloatType type, double number) {
  APFloat value(number);
  bool loses;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return value;
}

Value frontend::scalar(HloBuilder &b, Type element, double number) {
  if (auto type = dyn_cast<FloatType>(element))
    return scalarOf(b, type, toFloat(type, number));
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = cast<FloatType>(complex.getElementType());
    std::complex<APFloat> value(toFloat(part, number), toFloat(part, 0));
    return constant(
        b, DenseElementsAttr::get(RankedTensorType::get({}, element), value));
  }
  if (element.isInteger(1))
    return scalarInt(b, element, number != 0);
  return scalarInt(b, element, int64_t(number));
}

Value frontend::scalarInt(HloBuilder &b, Type element, int64_t number) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type)
    return scalar(b, element, double(number));
  if (type.getWidth() == 1)
    number = number != 0;
  return scalarOf(b, type,
                  APInt(64, uint64_t(number)).sextOrTrunc(type.getWidth()));
}

Value frontend::lowestScalar(HloBuilder &b, Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return scalarOf(b, type, APFloat::getInf(type.getFloatSemantics(), true));
  auto type = cast<IntegerType>(element);
  bool zero = type.isUnsigned() || type.getWidth() == 1;
  return scalarOf(b, type,
                  zero ? APInt::getMinValue(type.getWidth())
                       : APInt::getSignedMinValue(type.getWidth()));
}

Value frontend::highestScalar(HloBuilder &b, Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return scalarOf(b, type, APFloat::getInf(type.getFloatSemantics()));
  auto type = cast<IntegerType>(element);
  bool ones = type.isUnsigned() || type.getWidth() == 1;
  return scalarOf(b, type,
                  ones ? APInt::getMaxValue(type.getWidth())
                       : APInt::getSignedMaxValue(type.getWidth()));
}

Value frontend::largestFiniteScalar(HloBuilder &b, Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return scalarOf(b, type, APFloat::getLargest(type.getFloatSemantics()));
  return highestScalar(b, element);
}

Value frontend::fill(HloBuilder &b, Value value, ArrayRef<Size> sizes) {
  RankedTensorType type = tensorOf(sizes, elementOf(value));
  if (type.hasStaticShape()) {
    // A splat constant is what folders and printers like best.
    DenseElementsAttr attr;
    if (matchPattern(value, m_Constant(&attr)))
      return constant(
          b, DenseElementsAttr::get(type, attr.getSplatValue<Attribute>()));
    if (sizes.empty())
      return value;
    return stablehlo::BroadcastInDimOp::create(b, type, value,
                                               ArrayRef<int64_t>{});
  }
  return stablehlo::DynamicBroadcastInDimOp::create(
      b, type, value, shapeTensor(b, sizes), b.getDenseI64ArrayAttr({}),
      DenseI64ArrayAttr(), DenseI64ArrayAttr());
}

Value frontend::full(HloBuilder &b, ArrayRef<Size> sizes, Type element,
                     double number) {
  return fill(b, scalar(b, element, number), sizes);
}

Value frontend::fullLike(HloBuilder &b, Value like, double number) {
  RankedTensorType type = typeOf(like);
  if (type.hasStaticShape())
    return full(b, toSizes(type.getShape()), type.getElementType(), number);
  return full(b, sizesOf(b, like), type.getElementType(), number);
}

Value frontend::iota(HloBuilder &b, ArrayRef<Size> sizes, int64_t dim,
                     Type element) {
  RankedTensorType type = tensorOf(sizes, element);
  if (type.hasStaticShape())
    return stablehlo::IotaOp::create(b, type, b.getI64IntegerAttr(dim));
  return stablehlo::DynamicIotaOp::create(b, type, shapeTensor(b, sizes),
                                          b.getI64IntegerAttr(dim));
}
