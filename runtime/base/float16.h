// Conversions of 16-bit floats for scalar loads, stores and file printing.
#ifndef FERRULE_BASE_FLOAT16_H
#define FERRULE_BASE_FLOAT16_H

#include <bit>
#include <cstdint>

namespace ferrule::runtime {

inline float bfloat16ToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// Rounds to nearest, ties to even.
inline uint16_t floatToBfloat16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline float float16ToFloat(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 0x1f;
  uint32_t mantissa = half & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0)
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  if (mantissa == 0)
    return std::bit_cast<float>(sign);
  // A subnormal half is a normal float: move its leading one into place.
  int shift = std::countl_zero(mantissa) - 21;
  return std::bit_cast<float>(sign | (113 - shift) << 23 |
                              ((mantissa << shift) & 0x3ff) << 13);
}

/// Rounds to nearest, ties to even; what exceeds the range becomes infinity.
inline uint16_t floatToFloat16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
  if (magnitude >= 0x477ff000)
    return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude < 0x33000000)
    return static_cast<uint16_t>(sign);
  uint32_t exponent = magnitude >> 23;
  uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  // Normal halves drop 13 bits, subnormal ones as many as the exponent says.
  uint32_t drop = exponent >= 113 ? 13 : 126 - exponent;
  uint32_t kept = mantissa >> drop;
  uint32_t rest = mantissa & ((1u << drop) - 1);
  uint32_t halfway = 1u << (drop - 1);
  kept += rest > halfway || (rest == halfway && (kept & 1));
  if (exponent >= 113)
    kept += (exponent - 113) << 10;
  return static_cast<uint16_t>(sign | kept);
}

} // namespace ferrule::runtime

#endif // FERRULE_BASE_FLOAT16_H
