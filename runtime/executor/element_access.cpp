#include "runtime/base/float16.h"
#include "runtime/executor/compute.h"
#include "runtime/format/element_type.h"

#include <cstring>

using namespace ferrule;
using namespace ferrule::runtime;
using format::ElementType;

template <typename T> static T get(const char *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void put(char *data, int64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

static int64_t floatSlot(float value) {
  return static_cast<int64_t>(std::bit_cast<uint32_t>(value));
}

static float slotFloat(int64_t slot) {
  return std::bit_cast<float>(static_cast<uint32_t>(slot));
}

// Packed elements, the first in the low bits.
static int64_t getPacked(const char *data, int64_t index, unsigned bits,
                         bool isSigned) {
  int64_t perByte = 8 / bits;
  auto byte = static_cast<unsigned char>(data[index / perByte]);
  unsigned value = byte >> (index % perByte * bits) & ((1u << bits) - 1);
  if (isSigned && (value >> (bits - 1)))
    return static_cast<int64_t>(value) - (int64_t(1) << bits);
  return value;
}

static void putPacked(char *data, int64_t index, unsigned bits, int64_t slot) {
  int64_t perByte = 8 / bits;
  unsigned place = static_cast<unsigned>(index % perByte) * bits;
  unsigned mask = ((1u << bits) - 1) << place;
  auto byte = static_cast<unsigned char>(data[index / perByte]);
  byte = static_cast<unsigned char>(
      (byte & ~mask) | (static_cast<unsigned>(slot) << place & mask));
  data[index / perByte] = static_cast<char>(byte);
}

int64_t ferrule::runtime::loadElement(ElementType type, const char *data,
                                      int64_t index) {
  switch (type) {
  case ElementType::I1:
    return get<uint8_t>(data, index) & 1;
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::U2:
  case ElementType::U4:
    return getPacked(data, index, format::bitWidth(type),
                     format::isSignedInteger(type));
  case ElementType::I8:
    return get<int8_t>(data, index);
  case ElementType::I16:
    return get<int16_t>(data, index);
  case ElementType::I32:
    return get<int32_t>(data, index);
  case ElementType::U8:
    return get<uint8_t>(data, index);
  case ElementType::U16:
    return get<uint16_t>(data, index);
  case ElementType::U32:
    return get<uint32_t>(data, index);
  case ElementType::F16:
    return floatSlot(float16ToFloat(get<uint16_t>(data, index)));
  case ElementType::BF16:
    return floatSlot(bfloat16ToFloat(get<uint16_t>(data, index)));
  case ElementType::F32:
    return get<uint32_t>(data, index);
  default:
    return get<int64_t>(data, index); // I64, U64, F64
  }
}

void ferrule::runtime::storeElement(ElementType type, char *data, int64_t index,
                                    int64_t slot) {
  switch (type) {
  case ElementType::I1:
    return put(data, index, static_cast<uint8_t>(slot & 1));
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::U2:
  case ElementType::U4:
    return putPacked(data, index, format::bitWidth(type), slot);
  case ElementType::I8:
  case ElementType::U8:
    return put(data, index, static_cast<uint8_t>(slot));
  case ElementType::I16:
  case ElementType::U16:
    return put(data, index, static_cast<uint16_t>(slot));
  case ElementType::I32:
  case ElementType::U32:
  case ElementType::F32:
    return put(data, index, static_cast<uint32_t>(slot));
  case ElementType::F16:
    return put(data, index, floatToFloat16(slotFloat(slot)));
  case ElementType::BF16:
    return put(data, index, floatToBfloat16(slotFloat(slot)));
  default:
    return put(data, index, slot);
  }
}
