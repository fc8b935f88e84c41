#include "runtime/executor/compute.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

using namespace ferrule;
using O = format::Opcode;
using S = format::ScalarType;

static int64_t integer(O opcode, int64_t a, int64_t b = 0) {
  int64_t result = 0;
  EXPECT_EQ(runtime::compute(opcode, S::I64, S::I64, a, b, 0, result), nullptr);
  return result;
}

static double real(O opcode, double a, double b = 0) {
  int64_t result = 0;
  runtime::compute(opcode, S::F64, S::F64, std::bit_cast<int64_t>(a),
                   std::bit_cast<int64_t>(b), 0, result);
  return std::bit_cast<double>(result);
}

TEST(Compute, dividesIntegers) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b : {-4, -1, 1, 3, 7}) {
      EXPECT_EQ(integer(O::DivS, a, b), a / b);
      EXPECT_EQ(integer(O::RemS, a, b), a % b);
      EXPECT_EQ(integer(O::FloorDivS, a, b),
                static_cast<int64_t>(std::floor(double(a) / double(b))));
      EXPECT_EQ(integer(O::CeilDivS, a, b),
                static_cast<int64_t>(std::ceil(double(a) / double(b))));
    }
  EXPECT_EQ(integer(O::DivU, -1, 2), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(integer(O::RemU, -1, -1), 0);
  EXPECT_EQ(integer(O::CeilDivU, 7, 2), 4);
  int64_t result;
  EXPECT_STREQ(runtime::compute(O::DivS, S::I64, S::I64, 1, 0, 0, result),
               "division by zero");
  EXPECT_STREQ(runtime::compute(O::FloorDivS, S::I64, S::I64,
                                std::numeric_limits<int64_t>::min(), -1, 0,
                                result),
               "division overflows");
}

TEST(Compute, wrapsAndShifts) {
  EXPECT_EQ(integer(O::SignExtend32, 0xffffffff), -1);
  EXPECT_EQ(integer(O::ZeroExtend8, -1), 255);
  EXPECT_EQ(integer(O::Add, std::numeric_limits<int64_t>::max(), 1),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(integer(O::Shl, 1, 64), 0);
  EXPECT_EQ(integer(O::ShrS, -8, 1), -4);
  EXPECT_EQ(integer(O::ShrS, -8, 100), -1);
  EXPECT_EQ(integer(O::CountLeadingZeros, 1), 63);
}

TEST(Compute, handlesSpecialFloats) {
  double nan = std::nan("");
  EXPECT_TRUE(std::isnan(real(O::Minimum, nan, 1)));
  EXPECT_EQ(real(O::MinNum, nan, 1), 1);
  EXPECT_TRUE(std::signbit(real(O::Minimum, 0.0, -0.0)));
  EXPECT_FALSE(std::signbit(real(O::Maximum, -0.0, 0.0)));
  EXPECT_EQ(real(O::RoundEven, 2.5), 2);
  EXPECT_EQ(real(O::Round, 2.5), 3);
  int64_t result;
  runtime::compute(O::FloatToSigned, S::F64, S::I64,
                   std::bit_cast<int64_t>(1e30), 0, 0, result);
  EXPECT_EQ(result, std::numeric_limits<int64_t>::max());
  runtime::compute(O::UGt, S::F64, S::I1, std::bit_cast<int64_t>(nan), 0, 0,
                   result);
  EXPECT_EQ(result, 1);
}

TEST(Compute, loadsAndStoresPackedElements) {
  char data[2] = {0, 0};
  using E = format::ElementType;
  for (int i = 0; i < 4; ++i)
    runtime::storeElement(E::I4, data, i, i - 2);
  EXPECT_EQ(static_cast<unsigned char>(data[0]), 0xfe);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(runtime::loadElement(E::I4, data, i), i - 2);
  EXPECT_EQ(runtime::loadElement(E::U4, data, 0), 14);
}
