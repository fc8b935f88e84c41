#include "compiler/Export/ElementTypes.h"

using namespace mlir;
using namespace ferrule;
using E = ferrule::format::ElementType;
using S = ferrule::format::ScalarType;

static std::optional<E> convertInteger(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return E::I1;
  case 2:
    return isUnsigned ? E::U2 : E::I2;
  case 4:
    return isUnsigned ? E::U4 : E::I4;
  case 8:
    return isUnsigned ? E::U8 : E::I8;
  case 16:
    return isUnsigned ? E::U16 : E::I16;
  case 32:
    return isUnsigned ? E::U32 : E::I32;
  case 64:
    return isUnsigned ? E::U64 : E::I64;
  default:
    return std::nullopt;
  }
}

namespace {
struct FloatName {
  E element;
  Type (*get)(MLIRContext *);
};
} // namespace

template <typename T> static Type getFloat(MLIRContext *context) {
  return T::get(context);
}

static const FloatName kFloats[] = {
    {E::F16, getFloat<Float16Type>},
    {E::BF16, getFloat<BFloat16Type>},
    {E::F32, getFloat<Float32Type>},
    {E::F64, getFloat<Float64Type>},
    {E::F8E3M4, getFloat<Float8E3M4Type>},
    {E::F8E4M3, getFloat<Float8E4M3Type>},
    {E::F8E4M3FN, getFloat<Float8E4M3FNType>},
    {E::F8E4M3FNUZ, getFloat<Float8E4M3FNUZType>},
    {E::F8E4M3B11FNUZ, getFloat<Float8E4M3B11FNUZType>},
    {E::F8E5M2, getFloat<Float8E5M2Type>},
    {E::F8E5M2FNUZ, getFloat<Float8E5M2FNUZType>},
    {E::F8E8M0FNU, getFloat<Float8E8M0FNUType>},
    {E::F4E2M1FN, getFloat<Float4E2M1FNType>},
    {E::F6E2M3FN, getFloat<Float6E2M3FNType>},
    {E::F6E3M2FN, getFloat<Float6E3M2FNType>},
};

std::optional<E> ferrule::convertElementType(Type type) {
  if (type.isIndex())
    return E::I64;
  if (auto integer = dyn_cast<IntegerType>(type))
    return convertInteger(integer);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return E::C64;
    if (complex.getElementType().isF64())
      return E::C128;
    return std::nullopt;
  }
  for (const FloatName &name : kFloats)
    if (name.get(type.getContext()) == type)
      return name.element;
  return std::nullopt;
}

Type ferrule::convertElementType(E type, MLIRContext *context) {
  for (const FloatName &name : kFloats)
    if (name.element == type)
      return name.get(context);
  if (type == E::C64)
    return ComplexType::get(Float32Type::get(context));
  if (type == E::C128)
    return ComplexType::get(Float64Type::get(context));
  for (unsigned width : {1, 2, 4, 8, 16, 32, 64}) {
    auto plain = IntegerType::get(context, width);
    auto other = IntegerType::get(context, width, IntegerType::Unsigned);
    if (convertInteger(plain) == type)
      return plain;
    if (convertInteger(other) == type)
      return other;
  }
  return {};
}

std::optional<S> ferrule::convertScalarType(Type type) {
  if (type.isIndex())
    return S::I64;
  if (type.isInteger(1))
    return S::I1;
  if (type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
      type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return S::I64;
  if (type.isF64())
    return S::F64;
  if (type.isF32() || type.isF16() || type.isBF16())
    return S::F32;
  return std::nullopt;
}

Type ferrule::convertScalarType(S type, MLIRContext *context) {
  switch (type) {
  case S::I64:
    return IntegerType::get(context, 64);
  case S::I1:
    return IntegerType::get(context, 1);
  case S::F64:
    return Float64Type::get(context);
  case S::F32:
    return Float32Type::get(context);
  }
  return {};
}
