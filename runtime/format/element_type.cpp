#include "runtime/format/element_type.h"

using namespace ferrule::format;

namespace {
enum class Kind : uint8_t { Other, Bool, Signed, Unsigned, Float, Complex };
struct Row {
  ElementType type;
  std::string_view name;
  uint8_t bits;
  Kind kind;
};
} // namespace

using E = ElementType;
static constexpr Row kRows[] = {
    {E::None, "none", 0, Kind::Other},
    {E::I1, "i1", 8, Kind::Bool},
    {E::I2, "i2", 2, Kind::Signed},
    {E::I4, "i4", 4, Kind::Signed},
    {E::I8, "i8", 8, Kind::Signed},
    {E::I16, "i16", 16, Kind::Signed},
    {E::I32, "i32", 32, Kind::Signed},
    {E::I64, "i64", 64, Kind::Signed},
    {E::U2, "ui2", 2, Kind::Unsigned},
    {E::U4, "ui4", 4, Kind::Unsigned},
    {E::U8, "ui8", 8, Kind::Unsigned},
    {E::U16, "ui16", 16, Kind::Unsigned},
    {E::U32, "ui32", 32, Kind::Unsigned},
    {E::U64, "ui64", 64, Kind::Unsigned},
    {E::F16, "f16", 16, Kind::Float},
    {E::BF16, "bf16", 16, Kind::Float},
    {E::F32, "f32", 32, Kind::Float},
    {E::F64, "f64", 64, Kind::Float},
    {E::F8E3M4, "f8E3M4", 8, Kind::Float},
    {E::F8E4M3, "f8E4M3", 8, Kind::Float},
    {E::F8E4M3FN, "f8E4M3FN", 8, Kind::Float},
    {E::F8E4M3FNUZ, "f8E4M3FNUZ", 8, Kind::Float},
    {E::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8, Kind::Float},
    {E::F8E5M2, "f8E5M2", 8, Kind::Float},
    {E::F8E5M2FNUZ, "f8E5M2FNUZ", 8, Kind::Float},
    {E::F8E8M0FNU, "f8E8M0FNU", 8, Kind::Float},
    {E::F4E2M1FN, "f4E2M1FN", 4, Kind::Float},
    {E::F6E2M3FN, "f6E2M3FN", 8, Kind::Float},
    {E::F6E3M2FN, "f6E3M2FN", 8, Kind::Float},
    {E::C64, "c64", 64, Kind::Complex},
    {E::C128, "c128", 128, Kind::Complex},
    {E::String, "string", 0, Kind::Other},
    {E::Token, "token", 0, Kind::Other},
};
static_assert(sizeof(kRows) / sizeof(Row) ==
              static_cast<size_t>(ElementType::MAX) + 1);

static const Row &row(ElementType type) {
  size_t index = static_cast<size_t>(type);
  return kRows[index < std::size(kRows) ? index : 0];
}

unsigned ferrule::format::bitWidth(ElementType type) { return row(type).bits; }

std::string_view ferrule::format::elementTypeName(ElementType type) {
  return row(type).name;
}

std::optional<ElementType>
ferrule::format::parseElementType(std::string_view name) {
  for (const Row &candidate : kRows)
    if (candidate.name == name && candidate.type != ElementType::None)
      return candidate.type;
  return std::nullopt;
}

bool ferrule::format::isFloat(ElementType type) {
  return row(type).kind == Kind::Float;
}

bool ferrule::format::isSignedInteger(ElementType type) {
  return row(type).kind == Kind::Signed;
}

bool ferrule::format::isUnsignedInteger(ElementType type) {
  return row(type).kind == Kind::Unsigned;
}

ElementType ferrule::format::signless(ElementType type) {
  if (!isUnsignedInteger(type))
    return type;
  int shift =
      static_cast<int>(ElementType::U2) - static_cast<int>(ElementType::I2);
  return static_cast<ElementType>(static_cast<int>(type) - shift);
}

bool ferrule::format::isPacked(ElementType type) {
  return bitWidth(type) > 0 && bitWidth(type) < 8;
}

bool ferrule::format::holds(ElementType registerType, ElementType value) {
  if (isPacked(value))
    return registerType == E::I8;
  bool isByteFloat = isFloat(value) && bitWidth(value) == 8;
  return signless(registerType) == signless(value) ||
         (isByteFloat && registerType == E::I8);
}

std::optional<ScalarType> ferrule::format::scalarTypeFor(ElementType type) {
  switch (row(type).kind) {
  case Kind::Bool:
    return ScalarType::I1;
  case Kind::Signed:
  case Kind::Unsigned:
    return ScalarType::I64;
  case Kind::Float:
    if (type == ElementType::F64)
      return ScalarType::F64;
    if (bitWidth(type) >= 16)
      return ScalarType::F32;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t>
ferrule::format::elementCount(std::span<const int64_t> dims) {
  uint64_t count = 1;
  bool empty = false;
  for (int64_t dim : dims) {
    if (dim < 0)
      return std::nullopt;
    if (dim == 0)
      empty = true;
    else if (__builtin_mul_overflow(count, static_cast<uint64_t>(dim), &count))
      return std::nullopt;
  }
  if (count > uint64_t(1) << 62)
    return std::nullopt;
  return empty ? 0 : count;
}

std::optional<uint64_t>
ferrule::format::byteSize(ElementType type, std::span<const int64_t> dims) {
  std::optional<uint64_t> count = elementCount(dims);
  uint64_t bits;
  if (!count ||
      __builtin_mul_overflow(*count, uint64_t(bitWidth(type)), &bits) ||
      bits > uint64_t(1) << 62)
    return std::nullopt;
  return (bits + 7) / 8;
}

std::string ferrule::format::typeText(ElementType type,
                                      std::span<const int64_t> dims) {
  std::string text;
  for (int64_t dim : dims)
    text += (dim < 0 ? "?" : std::to_string(dim)) + "x";
  return text + std::string(elementTypeName(type));
}
