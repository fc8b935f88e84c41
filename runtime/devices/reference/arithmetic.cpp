#include "runtime/devices/reference/arithmetic.h"

#include "runtime/devices/reference/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format::reference;
using format::ElementType;
using format::isFloat;
using namespace ferrule::runtime::reference;

static unsigned widthOf(ElementType type) {
  if (type == ElementType::I1)
    return 1;
  unsigned bits = format::bitWidth(type);
  return bits == 0 || bits > 64 ? 64 : bits;
}

int64_t reference::wrap(ElementType type, int64_t value) {
  unsigned width = widthOf(type);
  if (type == ElementType::I1)
    return value & 1;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - width)) >>
         (64 - width);
}

static uint64_t unsignedOf(ElementType type, int64_t value) {
  unsigned width = widthOf(type);
  return static_cast<uint64_t>(value) << (64 - width) >> (64 - width);
}

// An i1 is 0 or 1 in a register; as a signed number its one is -1.
static int64_t signedOf(ElementType type, int64_t value) {
  return type == ElementType::I1 ? -(value & 1) : value;
}

static bool compareIntegers(uint32_t predicate, ElementType type, int64_t a,
                            int64_t b) {
  int64_t x = signedOf(type, a), y = signedOf(type, b);
  uint64_t u = unsignedOf(type, a), v = unsignedOf(type, b);
  switch (predicate) { // As arith::CmpIPredicate.
  case 0:
    return u == v;
  case 1:
    return u != v;
  case 2:
    return x < y;
  case 3:
    return x <= y;
  case 4:
    return x > y;
  case 5:
    return x >= y;
  case 6:
    return u < v;
  case 7:
    return u <= v;
  case 8:
    return u > v;
  default:
    return u >= v;
  }
}

static bool compareFloats(uint32_t predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  // As arith::CmpFPredicate: false, the ordered ones, then the others.
  switch (predicate) {
  case 0:
    return false;
  case 1:
    return a == b;
  case 2:
    return a > b;
  case 3:
    return a >= b;
  case 4:
    return a < b;
  case 5:
    return a <= b;
  case 6:
    return !unordered && a != b;
  case 7:
    return !unordered;
  case 8:
    return unordered || a == b;
  case 9:
    return unordered || a > b;
  case 10:
    return unordered || a >= b;
  case 11:
    return unordered || a < b;
  case 12:
    return unordered || a <= b;
  case 13:
    return a != b;
  case 14:
    return unordered;
  default:
    return true;
  }
}

// Division by zero has no result; any does.
static int64_t divide(Op op, ElementType type, int64_t a, int64_t b) {
  uint64_t u = unsignedOf(type, a), v = unsignedOf(type, b);
  a = signedOf(type, a), b = signedOf(type, b);
  if (b == 0)
    return op == Op::RemS || op == Op::RemU ? a : -1;
  if (op == Op::DivU)
    return static_cast<int64_t>(u / v);
  if (op == Op::RemU)
    return static_cast<int64_t>(u % v);
  if (op == Op::CeilDivU)
    return static_cast<int64_t>(u / v + (u % v != 0));
  if (b == -1)
    return op == Op::RemS ? 0 : static_cast<int64_t>(-static_cast<uint64_t>(a));
  int64_t quotient = a / b, rest = a % b;
  if (op == Op::RemS)
    return rest;
  if (op == Op::FloorDivS && rest != 0 && (rest < 0) != (b < 0))
    return quotient - 1;
  if (op == Op::CeilDivS && rest != 0 && (rest < 0) == (b < 0))
    return quotient + 1;
  return quotient;
}

static int64_t shift(Op op, ElementType type, int64_t a, int64_t b) {
  unsigned width = widthOf(type);
  uint64_t count = unsignedOf(type, b);
  a = signedOf(type, a);
  if (op == Op::ShrS)
    return a >> std::min<uint64_t>(count, 63);
  if (count >= width)
    return 0;
  return static_cast<int64_t>(op == Op::Shl ? static_cast<uint64_t>(a) << count
                                            : unsignedOf(type, a) >> count);
}

static int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  uint64_t result = 1, factor = static_cast<uint64_t>(base);
  for (; exponent != 0; exponent >>= 1, factor *= factor)
    if (exponent & 1)
      result *= factor;
  return static_cast<int64_t>(result);
}

static int64_t highHalf(ElementType type, bool isSigned, int64_t a, int64_t b) {
  unsigned width = widthOf(type);
  if (isSigned)
    return static_cast<int64_t>(
        static_cast<__int128>(signedOf(type, a)) * signedOf(type, b) >> width);
  return static_cast<int64_t>(
      static_cast<unsigned __int128>(unsignedOf(type, a)) *
          unsignedOf(type, b) >>
      width);
}

static int64_t integerResult(Op op, ElementType type, int64_t a, int64_t b) {
  uint64_t u = unsignedOf(type, a), v = unsignedOf(type, b);
  int64_t x = signedOf(type, a), y = signedOf(type, b);
  switch (op) {
  case Op::AddI:
    return static_cast<int64_t>(u + v);
  case Op::SubI:
    return static_cast<int64_t>(u - v);
  case Op::MulI:
    return static_cast<int64_t>(u * v);
  case Op::MulHighS:
    return highHalf(type, true, a, b);
  case Op::MulHighU:
    return highHalf(type, false, a, b);
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Shl:
  case Op::ShrS:
  case Op::ShrU:
    return shift(op, type, a, b);
  case Op::MinS:
    return std::min(x, y);
  case Op::MaxS:
    return std::max(x, y);
  case Op::MinU:
    return static_cast<int64_t>(std::min(u, v));
  case Op::MaxU:
    return static_cast<int64_t>(std::max(u, v));
  case Op::AbsI:
    return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x;
  case Op::LeadingZeros:
    return std::countl_zero(u) - (64 - static_cast<int>(widthOf(type)));
  case Op::TrailingZeros:
    return std::min(std::countr_zero(u), static_cast<int>(widthOf(type)));
  case Op::PopCount:
    return std::popcount(u);
  case Op::PowI:
    return power(x, y);
  case Op::Wrap:
    return a;
  default:
    return divide(op, type, a, b);
  }
}

static double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

static double floatFunction(Op op, double a, double b) {
  switch (op) {
  case Op::AddF:
    return a + b;
  case Op::SubF:
    return a - b;
  case Op::MulF:
    return a * b;
  case Op::DivF:
    return a / b;
  case Op::RemF:
    return std::fmod(a, b);
  case Op::NegF:
    return -a;
  case Op::AbsF:
    return std::fabs(a);
  case Op::Minimum:
    return minimum(a, b);
  case Op::Maximum:
    return -minimum(-a, -b);
  case Op::MinNum:
    return std::fmin(a, b);
  case Op::MaxNum:
    return std::fmax(a, b);
  case Op::CopySign:
    return std::copysign(a, b);
  case Op::Sqrt:
    return std::sqrt(a);
  case Op::Rsqrt:
    return 1 / std::sqrt(a);
  case Op::Cbrt:
    return std::cbrt(a);
  case Op::Exp:
    return std::exp(a);
  case Op::Exp2:
    return std::exp2(a);
  case Op::ExpM1:
    return std::expm1(a);
  case Op::Log:
    return std::log(a);
  case Op::Log2:
    return std::log2(a);
  case Op::Log10:
    return std::log10(a);
  case Op::Log1P:
    return std::log1p(a);
  case Op::Sin:
    return std::sin(a);
  case Op::Cos:
    return std::cos(a);
  case Op::Tan:
    return std::tan(a);
  case Op::Asin:
    return std::asin(a);
  case Op::Acos:
    return std::acos(a);
  case Op::Atan:
    return std::atan(a);
  case Op::Sinh:
    return std::sinh(a);
  case Op::Cosh:
    return std::cosh(a);
  case Op::Tanh:
    return std::tanh(a);
  case Op::Asinh:
    return std::asinh(a);
  case Op::Acosh:
    return std::acosh(a);
  case Op::Atanh:
    return std::atanh(a);
  case Op::Erf:
    return std::erf(a);
  case Op::Erfc:
    return std::erfc(a);
  case Op::Floor:
    return std::floor(a);
  case Op::Ceil:
    return std::ceil(a);
  case Op::Trunc:
    return std::trunc(a);
  case Op::RoundAway:
    return std::round(a);
  case Op::RoundEven:
    return std::nearbyint(a);
  case Op::Pow:
    return std::pow(a, b);
  case Op::Atan2:
    return std::atan2(a, b);
  default:
    return a;
  }
}

/// Cut towards zero, and to the range of the type.
static int64_t toInteger(ElementType type, bool isSigned, double value) {
  unsigned width = widthOf(type);
  double end = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  double cut = std::trunc(value);
  if (std::isnan(cut))
    return 0;
  if (isSigned) {
    if (cut < -end || cut >= end)
      return static_cast<int64_t>((uint64_t(1) << (width - 1)) -
                                  (cut < 0 ? 0 : 1));
    return static_cast<int64_t>(cut);
  }
  if (cut < 0)
    return 0;
  return static_cast<int64_t>(cut >= end ? ~uint64_t(0) >> (64 - width)
                                         : static_cast<uint64_t>(cut));
}

/// Rounded once: a 64-bit integer may have more digits than a double.
static double fromInteger(ElementType type, bool isSigned, int64_t value,
                          uint64_t magnitude) {
  if (type == ElementType::F32)
    return isSigned ? static_cast<float>(value) : static_cast<float>(magnitude);
  return isSigned ? static_cast<double>(value) : static_cast<double>(magnitude);
}

static int64_t conversion(const Instruction &in, ElementType type,
                          ElementType other, int64_t a) {
  switch (in.op) {
  case Op::FloatToSigned:
  case Op::FloatToUnsigned:
    return wrap(type, toInteger(type, in.op == Op::FloatToSigned,
                                std::bit_cast<double>(a)));
  case Op::ExtendU:
    return wrap(type, static_cast<int64_t>(unsignedOf(other, a)));
  default:
    break;
  }
  // Bitcast: through the bits of both types.
  uint64_t bits = isFloat(other) ? encodeFloat(other, std::bit_cast<double>(a))
                                 : unsignedOf(other, a);
  return isFloat(type) ? std::bit_cast<int64_t>(decodeFloat(type, bits))
                       : wrap(type, static_cast<int64_t>(bits));
}

static double floatResult(const Instruction &in, ElementType type,
                          ElementType other, int64_t a, int64_t b, int64_t c) {
  double x = std::bit_cast<double>(a), y = std::bit_cast<double>(b),
         z = std::bit_cast<double>(c);
  switch (in.op) {
  case Op::Fma:
    if (type == ElementType::F32)
      return std::fmaf(static_cast<float>(x), static_cast<float>(y),
                       static_cast<float>(z));
    return std::fma(x, y, z);
  case Op::SignedToFloat:
    return fromInteger(type, true, signedOf(other, a), 0);
  case Op::UnsignedToFloat:
    return fromInteger(type, false, 0, unsignedOf(other, a));
  case Op::PowFI:
    return std::pow(x, static_cast<double>(b));
  default:
    return floatFunction(in.op, x, y);
  }
}

int64_t reference::evaluate(const Instruction &in, int64_t a, int64_t b,
                            int64_t c) {
  auto type = static_cast<ElementType>(in.type);
  auto other = static_cast<ElementType>(in.other);
  double x = std::bit_cast<double>(a);
  switch (in.op) {
  case Op::Move:
    return a;
  case Op::Select:
    return a & 1 ? b : c;
  case Op::CompareI:
    return compareIntegers(in.c, type, a, b);
  case Op::CompareF:
    return compareFloats(in.c, x, std::bit_cast<double>(b));
  case Op::AddCarry: {
    auto sum = static_cast<unsigned __int128>(unsignedOf(type, a)) +
               unsignedOf(type, b);
    return static_cast<int64_t>(sum >> widthOf(type) & 1);
  }
  case Op::IsNan:
    return std::isnan(x);
  case Op::IsInf:
    return std::isinf(x);
  case Op::IsFinite:
    return std::isfinite(x);
  case Op::FloatToSigned:
  case Op::FloatToUnsigned:
  case Op::ExtendU:
  case Op::Bitcast:
    return conversion(in, type, other, a);
  default:
    break;
  }
  if (!isFloat(type))
    return wrap(type, integerResult(in.op, type, a, b));
  double result = floatResult(in, type, other, a, b, c);
  return std::bit_cast<int64_t>(decodeFloat(type, encodeFloat(type, result)));
}
