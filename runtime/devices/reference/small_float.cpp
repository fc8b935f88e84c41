#include "runtime/devices/reference/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace ferrule;
using namespace ferrule::runtime;
using format::ElementType;

namespace {

enum class Special : uint8_t {
  Ieee,    ///< The highest exponent holds infinities and NaNs.
  OneNan,  ///< Only all ones is NaN, there is no infinity.
  ZeroNan, ///< Only negative zero is NaN, there is no infinity.
  None,    ///< All bits are finite.
};

struct Format {
  ElementType type;
  int exponentBits, mantissaBits, bias;
  Special special;
};

constexpr Format kFormats[] = {
    {ElementType::F16, 5, 10, 15, Special::Ieee},
    {ElementType::BF16, 8, 7, 127, Special::Ieee},
    {ElementType::F8E3M4, 3, 4, 3, Special::Ieee},
    {ElementType::F8E4M3, 4, 3, 7, Special::Ieee},
    {ElementType::F8E4M3FN, 4, 3, 7, Special::OneNan},
    {ElementType::F8E4M3FNUZ, 4, 3, 8, Special::ZeroNan},
    {ElementType::F8E4M3B11FNUZ, 4, 3, 11, Special::ZeroNan},
    {ElementType::F8E5M2, 5, 2, 15, Special::Ieee},
    {ElementType::F8E5M2FNUZ, 5, 2, 16, Special::ZeroNan},
    {ElementType::F4E2M1FN, 2, 1, 1, Special::None},
    {ElementType::F6E2M3FN, 2, 3, 1, Special::None},
    {ElementType::F6E3M2FN, 3, 2, 3, Special::None},
};

const Format *findFormat(ElementType type) {
  for (const Format &format : kFormats)
    if (format.type == type)
      return &format;
  return nullptr;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double decode(const Format &format, uint64_t bits) {
  int width = format.exponentBits + format.mantissaBits;
  bool negative = bits >> width & 1;
  int exponent = static_cast<int>(bits >> format.mantissaBits &
                                  ((1u << format.exponentBits) - 1));
  int mantissa = static_cast<int>(bits & ((1u << format.mantissaBits) - 1));
  int highest = (1 << format.exponentBits) - 1;
  if (format.special == Special::Ieee && exponent == highest)
    return mantissa != 0 ? kNan : negative ? -kInfinity : kInfinity;
  if (format.special == Special::OneNan && exponent == highest &&
      mantissa == (1 << format.mantissaBits) - 1)
    return kNan;
  if (format.special == Special::ZeroNan && negative && exponent == 0 &&
      mantissa == 0)
    return kNan;
  int scale =
      (exponent == 0 ? 1 : exponent) - format.bias - format.mantissaBits;
  if (exponent != 0)
    mantissa += 1 << format.mantissaBits;
  double value = std::ldexp(mantissa, scale);
  return negative ? -value : value;
}

/// The largest finite magnitude's bits.
uint64_t largestBits(const Format &format) {
  uint64_t ones =
      (uint64_t(1) << (format.exponentBits + format.mantissaBits)) - 1;
  if (format.special == Special::Ieee)
    return ones - (uint64_t(1) << format.mantissaBits);
  return format.special == Special::OneNan ? ones - 1 : ones;
}

uint64_t encode(const Format &format, double value) {
  int width = format.exponentBits + format.mantissaBits;
  uint64_t sign = std::signbit(value) ? uint64_t(1) << width : 0;
  uint64_t largest = largestBits(format);
  uint64_t quiet = (uint64_t(1) << width) - 1;
  if (format.special == Special::Ieee)
    quiet = largest + 1 + (uint64_t(1) << (format.mantissaBits - 1));
  if (format.special == Special::ZeroNan)
    quiet = uint64_t(1) << width, sign = std::isnan(value) ? 0 : sign;
  if (std::isnan(value))
    return format.special == Special::None ? 0 : sign | quiet;
  double magnitude = std::fabs(value);
  // In units of the last place of the value's binade, or of the subnormals.
  int exponent = magnitude == 0 || std::isinf(value)
                     ? 1 - format.bias
                     : std::max(std::ilogb(magnitude), 1 - format.bias);
  double units =
      std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent));
  double implicit = std::ldexp(1.0, format.mantissaBits);
  bool tooLarge = std::isinf(value);
  uint64_t bits = 0;
  if (!tooLarge) {
    if (units == 2 * implicit)
      units = implicit, ++exponent;
    bits = static_cast<uint64_t>(units);
    // A normal number's implicit one makes its exponent one larger.
    bits += static_cast<uint64_t>(exponent + format.bias - 1)
            << format.mantissaBits;
    tooLarge =
        exponent + format.bias >= 1 << format.exponentBits || bits > largest;
  }
  if (tooLarge) {
    if (format.special == Special::Ieee)
      return sign | (largest + 1);
    if (format.special == Special::None)
      return sign | largest;
    return format.special == Special::OneNan ? sign | quiet : quiet;
  }
  if (format.special == Special::ZeroNan && bits == 0)
    return 0;
  return sign | bits;
}

} // namespace

double ferrule::runtime::reference::decodeFloat(ElementType type,
                                                uint64_t bits) {
  if (type == ElementType::F64)
    return std::bit_cast<double>(bits);
  if (type == ElementType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == ElementType::F8E8M0FNU) // A power of two, or NaN.
    return (bits & 0xff) == 0xff
               ? kNan
               : std::ldexp(1.0, static_cast<int>(bits & 0xff) - 127);
  const Format *format = findFormat(type);
  return format ? decode(*format, bits) : 0;
}

uint64_t ferrule::runtime::reference::encodeFloat(ElementType type,
                                                  double value) {
  if (type == ElementType::F64)
    return std::bit_cast<uint64_t>(value);
  if (type == ElementType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == ElementType::F8E8M0FNU) {
    if (!(value > 0) || std::isinf(value))
      return 0xff;
    int exponent;
    double fraction = std::frexp(value, &exponent); // In [1/2, 1).
    // Halfway between two powers, the even exponent is nearest.
    int power = exponent - 1 + 127;
    if (fraction > 0.75 || (fraction == 0.75 && power % 2 != 0))
      ++power;
    return static_cast<uint64_t>(power < 0 ? 0 : power > 254 ? 0xff : power);
  }
  const Format *format = findFormat(type);
  return format ? encode(*format, value) : 0;
}
