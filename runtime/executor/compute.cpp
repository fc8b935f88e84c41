#include "runtime/executor/compute.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace ferrule;
using namespace ferrule::runtime;
using O = format::Opcode;
using S = format::ScalarType;

namespace {

template <typename F> F fromSlot(int64_t slot) {
  if constexpr (sizeof(F) == 8)
    return std::bit_cast<double>(slot);
  else
    return std::bit_cast<float>(static_cast<uint32_t>(slot));
}

int64_t toSlot(double value) { return std::bit_cast<int64_t>(value); }
int64_t toSlot(float value) {
  return static_cast<int64_t>(std::bit_cast<uint32_t>(value));
}

const char *divide(O opcode, int64_t a, int64_t b, int64_t &r) {
  if (b == 0)
    return "division by zero";
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (opcode) {
  case O::DivU:
    r = static_cast<int64_t>(ua / ub);
    return nullptr;
  case O::RemU:
    r = static_cast<int64_t>(ua % ub);
    return nullptr;
  case O::CeilDivU:
    r = static_cast<int64_t>(ua / ub + (ua % ub != 0));
    return nullptr;
  default:
    break;
  }
  if (b == -1) {
    if (opcode == O::RemS) {
      r = 0;
      return nullptr;
    }
    if (a == std::numeric_limits<int64_t>::min())
      return "division overflows";
    r = -a;
    return nullptr;
  }
  int64_t quotient = a / b, rest = a % b;
  switch (opcode) {
  case O::DivS:
    r = quotient;
    break;
  case O::RemS:
    r = rest;
    break;
  case O::FloorDivS:
    r = quotient - (rest != 0 && (rest < 0) != (b < 0));
    break;
  default:
    r = quotient + (rest != 0 && (rest < 0) == (b < 0));
    break;
  }
  return nullptr;
}

bool isDivision(O opcode) { return (opcode >= O::DivS && opcode <= O::RemU); }

int64_t shift(O opcode, int64_t a, uint64_t by) {
  auto u = static_cast<uint64_t>(a);
  if (opcode == O::Shl)
    return by < 64 ? static_cast<int64_t>(u << by) : 0;
  if (opcode == O::ShrU)
    return by < 64 ? static_cast<int64_t>(u >> by) : 0;
  return a >> (by < 64 ? by : 63);
}

int64_t integer(O opcode, int64_t a, int64_t b) {
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (opcode) {
  case O::Add:
    return static_cast<int64_t>(ua + ub);
  case O::Sub:
    return static_cast<int64_t>(ua - ub);
  case O::Mul:
    return static_cast<int64_t>(ua * ub);
  case O::MinS:
    return a < b ? a : b;
  case O::MaxS:
    return a > b ? a : b;
  case O::MinU:
    return ua < ub ? a : b;
  case O::MaxU:
    return ua > ub ? a : b;
  case O::AbsI:
    return a < 0 ? static_cast<int64_t>(-ua) : a;
  case O::And:
    return a & b;
  case O::Or:
    return a | b;
  case O::Xor:
    return a ^ b;
  case O::Shl:
  case O::ShrS:
  case O::ShrU:
    return shift(opcode, a, ub);
  case O::CountLeadingZeros:
    return std::countl_zero(ua);
  case O::CountTrailingZeros:
    return std::countr_zero(ua);
  case O::PopCount:
    return std::popcount(ua);
  case O::Eq:
    return a == b;
  case O::Ne:
    return a != b;
  case O::LtS:
    return a < b;
  case O::LeS:
    return a <= b;
  case O::GtS:
    return a > b;
  case O::GeS:
    return a >= b;
  case O::LtU:
    return ua < ub;
  case O::LeU:
    return ua <= ub;
  case O::GtU:
    return ua > ub;
  case O::GeU:
    return ua >= ub;
  case O::SignExtend8:
    return static_cast<int8_t>(a);
  case O::SignExtend16:
    return static_cast<int16_t>(a);
  case O::SignExtend32:
    return static_cast<int32_t>(a);
  case O::ZeroExtend8:
    return static_cast<uint8_t>(a);
  case O::ZeroExtend16:
    return static_cast<uint16_t>(a);
  case O::ZeroExtend32:
    return static_cast<uint32_t>(a);
  case O::BoolToInt:
    return a & 1;
  case O::BoolToIntSigned:
    return a & 1 ? -1 : 0;
  case O::IntToBool:
    return a & 1;
  default:
    return a;
  }
}

// minimumf and maximumf of the compiler: NaN wins, -0 is below +0.
template <typename F> F minimum(F a, F b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<F>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename F> F maximum(F a, F b) { return -minimum(-a, -b); }

template <typename F> F floating(O opcode, F a, F b, F c) {
  switch (opcode) {
  case O::Add:
    return a + b;
  case O::Sub:
    return a - b;
  case O::Mul:
    return a * b;
  case O::Div:
    return a / b;
  case O::Rem:
    return std::fmod(a, b);
  case O::Neg:
    return -a;
  case O::Abs:
    return std::fabs(a);
  case O::Minimum:
    return minimum(a, b);
  case O::Maximum:
    return maximum(a, b);
  case O::MinNum:
    return std::fmin(a, b);
  case O::MaxNum:
    return std::fmax(a, b);
  case O::Floor:
    return std::floor(a);
  case O::Ceil:
    return std::ceil(a);
  case O::Trunc:
    return std::trunc(a);
  case O::Round:
    return std::round(a);
  case O::RoundEven:
    return std::nearbyint(a);
  case O::Sqrt:
    return std::sqrt(a);
  case O::Rsqrt:
    return F(1) / std::sqrt(a);
  case O::Exp:
    return std::exp(a);
  case O::Exp2:
    return std::exp2(a);
  case O::Log:
    return std::log(a);
  case O::Log2:
    return std::log2(a);
  case O::Pow:
    return std::pow(a, b);
  case O::Sin:
    return std::sin(a);
  case O::Cos:
    return std::cos(a);
  case O::Tan:
    return std::tan(a);
  case O::Tanh:
    return std::tanh(a);
  case O::Fma:
    return std::fma(a, b, c);
  default:
    return a;
  }
}

template <typename F> bool compare(O opcode, F a, F b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (opcode) {
  case O::OEq:
    return a == b;
  case O::OGt:
    return a > b;
  case O::OGe:
    return a >= b;
  case O::OLt:
    return a < b;
  case O::OLe:
    return a <= b;
  case O::ONe:
    return !unordered && a != b;
  case O::Ord:
    return !unordered;
  case O::UEq:
    return unordered || a == b;
  case O::UGt:
    return unordered || a > b;
  case O::UGe:
    return unordered || a >= b;
  case O::ULt:
    return unordered || a < b;
  case O::ULe:
    return unordered || a <= b;
  case O::UNe:
    return unordered || a != b;
  default:
    return unordered;
  }
}

// Saturating, NaN to 0: what is out of range has no right answer, but must
// not be undefined.
int64_t toSigned(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

int64_t toUnsigned(double value) {
  if (!(value > 0))
    return 0;
  if (value >= 0x1p64)
    return -1;
  return static_cast<int64_t>(static_cast<uint64_t>(value));
}

template <typename F>
int64_t floatOperation(O opcode, S resultType, int64_t a, int64_t b,
                       int64_t c) {
  F x = fromSlot<F>(a);
  if (opcode >= O::OEq && opcode <= O::Uno)
    return compare(opcode, x, fromSlot<F>(b));
  switch (opcode) {
  case O::FloatToSigned:
    return toSigned(x);
  case O::FloatToUnsigned:
    return toUnsigned(x);
  case O::FloatToFloat:
    return resultType == S::F64 ? toSlot(static_cast<double>(x))
                                : toSlot(static_cast<float>(x));
  case O::Bitcast:
    // A 32-bit integer is kept sign-extended.
    return sizeof(F) == 4 ? static_cast<int32_t>(a) : a;
  default:
    return toSlot(floating(opcode, x, fromSlot<F>(b), fromSlot<F>(c)));
  }
}

} // namespace

const char *ferrule::runtime::compute(O opcode, S type, S resultType, int64_t a,
                                      int64_t b, int64_t c, int64_t &result) {
  if (opcode == O::Move) {
    result = a;
    return nullptr;
  }
  if (opcode == O::Select) {
    result = c & 1 ? a : b;
    return nullptr;
  }
  if (type == S::F64) {
    result = floatOperation<double>(opcode, resultType, a, b, c);
    return nullptr;
  }
  if (type == S::F32) {
    result = floatOperation<float>(opcode, resultType, a, b, c);
    return nullptr;
  }
  if (isDivision(opcode))
    return divide(opcode, a, b, result);
  bool wide = resultType == S::F64;
  if (opcode == O::SignedToFloat)
    result =
        wide ? toSlot(static_cast<double>(a)) : toSlot(static_cast<float>(a));
  else if (opcode == O::UnsignedToFloat)
    result = wide ? toSlot(static_cast<double>(static_cast<uint64_t>(a)))
                  : toSlot(static_cast<float>(static_cast<uint64_t>(a)));
  else if (opcode == O::Bitcast)
    result = wide ? a : static_cast<int64_t>(static_cast<uint32_t>(a));
  else
    result = integer(opcode, a, b);
  return nullptr;
}
