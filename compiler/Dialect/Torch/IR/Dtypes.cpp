// Element types: PyTorch's numbers for them and their builtin equivalents.
#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace ferrule::torch {

Type toBuiltinElementType(Type dtype) {
  MLIRContext *context = dtype.getContext();
  if (auto integer = dyn_cast<IntegerType>(dtype))
    return integer.isSigned() ? IntegerType::get(context, integer.getWidth())
                              : dtype;
  if (isa<QInt8Type>(dtype))
    return IntegerType::get(context, 8);
  if (isa<QUInt8Type>(dtype))
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  if (isa<QInt16Type>(dtype))
    return IntegerType::get(context, 16);
  if (isa<QInt32Type>(dtype))
    return IntegerType::get(context, 32);
  return dtype;
}

ElementsAttr toBuiltinElements(ElementsAttr attr) {
  ShapedType type = attr.getShapedType();
  Type element = toBuiltinElementType(type.getElementType());
  if (element == type.getElementType())
    return attr;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return DenseResourceElementsAttr::get(type.clone(element),
                                          resource.getRawHandle());
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.bitcast(element);
  return attr;
}

namespace {
struct ScalarTypeRow {
  int64_t number;
  Type (*make)(MLIRContext *);
};

template <unsigned Width, IntegerType::SignednessSemantics Sign>
Type makeInteger(MLIRContext *context) {
  return IntegerType::get(context, Width, Sign);
}
template <typename T>
Type makeFloat(MLIRContext *context) {
  return T::get(context);
}
template <typename T>
Type makeComplex(MLIRContext *context) {
  return ComplexType::get(T::get(context));
}

constexpr auto Signed = IntegerType::Signed;
constexpr auto Unsigned = IntegerType::Unsigned;

// In the order of c10::ScalarType, whose numbers PyTorch keeps for ever.
const ScalarTypeRow scalarTypes[] = {
    {0, makeInteger<8, Unsigned>},
    {1, makeInteger<8, Signed>},
    {2, makeInteger<16, Signed>},
    {3, makeInteger<32, Signed>},
    {4, makeInteger<64, Signed>},
    {5, makeFloat<Float16Type>},
    {6, makeFloat<Float32Type>},
    {7, makeFloat<Float64Type>},
    {8, makeComplex<Float16Type>},
    {9, makeComplex<Float32Type>},
    {10, makeComplex<Float64Type>},
    {11, makeInteger<1, IntegerType::Signless>},
    {12, makeFloat<QInt8Type>},
    {13, makeFloat<QUInt8Type>},
    {14, makeFloat<QInt32Type>},
    {15, makeFloat<BFloat16Type>},
    {23, makeFloat<Float8E5M2Type>},
    {24, makeFloat<Float8E4M3FNType>},
    {25, makeFloat<Float8E5M2FNUZType>},
    {26, makeFloat<Float8E4M3FNUZType>},
    {27, makeInteger<16, Unsigned>},
    {28, makeInteger<32, Unsigned>},
    {29, makeInteger<64, Unsigned>},
    {44, makeFloat<Float8E8M0FNUType>},
    {45, makeFloat<Float4E2M1FNType>},
};
} // namespace

Type getTypeForScalarType(MLIRContext *context, int64_t scalarType) {
  for (const ScalarTypeRow &row : scalarTypes)
    if (row.number == scalarType)
      return row.make(context);
  return {};
}

std::optional<int64_t> getScalarTypeForType(Type dtype) {
  for (const ScalarTypeRow &row : scalarTypes)
    if (row.make(dtype.getContext()) == dtype)
      return row.number;
  return std::nullopt;
}

} // namespace ferrule::torch
