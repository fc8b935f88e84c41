#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
namespace ferrule::stablehlo {

bool isPredElement(Type type) { return type.isSignlessInteger(1); }

static bool hasIntegerWidth(IntegerType type) {
  switch (type.getWidth()) {
  case 2:
  case 4:
  case 8:
  case 16:
  case 32:
  case 64:
    return true;
  default:
    return false;
  }
}

bool isSIntElement(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.isSignless() && hasIntegerWidth(integer);
}

bool isIntElement(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && !integer.isSigned() && hasIntegerWidth(integer);
}

bool isFloatElement(Type type) {
  return isa<FloatType>(type) &&
         !isa<FloatTF32Type, Float80Type, Float128Type>(type);
}

bool isComplexElement(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex && isa<Float32Type, Float64Type>(complex.getElementType());
}

bool isQuantizedElement(Type type) {
  auto quantized = dyn_cast<quant::QuantizedType>(type);
  return quantized &&
         isa<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
             type) &&
         hasIntegerWidth(cast<IntegerType>(quantized.getStorageType())) &&
         isFloatElement(quantized.getExpressedType());
}

bool areCompatibleElements(Type left, Type right) {
  if (left == right)
    return true;
  auto l = dyn_cast<quant::QuantizedType>(left);
  auto r = dyn_cast<quant::QuantizedType>(right);
  if (!l || !r || l.getTypeID() != r.getTypeID() ||
      l.getStorageType() != r.getStorageType() ||
      l.getStorageTypeMin() != r.getStorageTypeMin() ||
      l.getStorageTypeMax() != r.getStorageTypeMax() ||
      l.getExpressedType() != r.getExpressedType())
    return false;
  auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(left);
  return !axis || axis.getQuantizedDimension() ==
                      cast<quant::UniformQuantizedPerAxisType>(right)
                          .getQuantizedDimension();
}

/// The upper bound of a dimension, dynamic when there is none.
static int64_t boundOf(ShapedType type, int64_t dim) {
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (auto bounds =
            dyn_cast_or_null<TypeExtensionsAttr>(tensor.getEncoding()))
      return bounds.getBounds()[dim];
  return ShapedType::kDynamic;
}

static bool areCompatibleShapes(ShapedType left, ShapedType right) {
  if (!left.hasRank() || !right.hasRank())
    return true;
  if (left.getRank() != right.getRank())
    return false;
  for (int64_t i = 0; i < left.getRank(); ++i) {
    int64_t l = left.getDimSize(i), r = right.getDimSize(i);
    bool lDynamic = ShapedType::isDynamic(l),
         rDynamic = ShapedType::isDynamic(r);
    if (!lDynamic && !rDynamic && l != r)
      return false;
    int64_t bound = lDynamic ? boundOf(left, i) : boundOf(right, i);
    if (lDynamic != rDynamic && !ShapedType::isDynamic(bound) &&
        bound < (lDynamic ? r : l))
      return false;
  }
  return true;
}

bool areCompatibleTypes(Type left, Type right) {
  if (left == right)
    return true;
  if (auto tuple = dyn_cast<TupleType>(left)) {
    auto other = dyn_cast<TupleType>(right);
    return other && areCompatibleTypes(tuple.getTypes(), other.getTypes());
  }
  if (auto future = dyn_cast<FutureType>(left)) {
    auto other = dyn_cast<FutureType>(right);
    return other && areCompatibleTypes(TypeRange(future.getTypes()),
                                       TypeRange(other.getTypes()));
  }
  auto l = dyn_cast<ShapedType>(left), r = dyn_cast<ShapedType>(right);
  if (!l || !r || isa<TensorType>(left) != isa<TensorType>(right))
    return false;
  return areCompatibleElements(l.getElementType(), r.getElementType()) &&
         areCompatibleShapes(l, r);
}

bool areCompatibleTypes(TypeRange left, TypeRange right) {
  if (left.size() != right.size())
    return false;
  for (auto [l, r] : llvm::zip(left, right))
    if (!areCompatibleTypes(l, r))
      return false;
  return true;
}

} // namespace ferrule::stablehlo
