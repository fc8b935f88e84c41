#include "runtime/devices/reference/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace ferrule::runtime::reference;
using ferrule::format::ElementType;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SmallFloat, EveryValueComesBack) {
  for (ElementType type :
       {ElementType::F16, ElementType::BF16, ElementType::F8E3M4,
        ElementType::F8E4M3, ElementType::F8E4M3FN, ElementType::F8E4M3FNUZ,
        ElementType::F8E4M3B11FNUZ, ElementType::F8E5M2,
        ElementType::F8E5M2FNUZ, ElementType::F8E8M0FNU, ElementType::F4E2M1FN,
        ElementType::F6E2M3FN, ElementType::F6E3M2FN}) {
    unsigned bits =
        type == ElementType::F6E2M3FN || type == ElementType::F6E3M2FN
            ? 6
            : ferrule::format::bitWidth(type);
    for (uint64_t raw = 0; raw < uint64_t(1) << bits; ++raw) {
      double value = decodeFloat(type, raw);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(decodeFloat(type, encodeFloat(type, value))));
      else
        EXPECT_EQ(encodeFloat(type, value), raw)
            << ferrule::format::elementTypeName(type) << " " << value;
    }
  }
}

TEST(SmallFloat, KnownValues) {
  EXPECT_EQ(decodeFloat(ElementType::F16, 0x3c00), 1.0);
  EXPECT_EQ(decodeFloat(ElementType::F16, 1), std::ldexp(1.0, -24));
  EXPECT_EQ(decodeFloat(ElementType::F8E4M3FN, 0x7e), 448.0);
  EXPECT_EQ(decodeFloat(ElementType::F8E5M2, 0x7b), 57344.0);
  EXPECT_EQ(decodeFloat(ElementType::F4E2M1FN, 7), 6.0);
  EXPECT_EQ(decodeFloat(ElementType::F8E8M0FNU, 127), 1.0);
}

TEST(SmallFloat, RoundsToNearestEven) {
  // Halfway between 1 and the next f16, and between that and the one after.
  EXPECT_EQ(encodeFloat(ElementType::F16, 1 + std::ldexp(1.0, -11)), 0x3c00u);
  EXPECT_EQ(encodeFloat(ElementType::F16, 1 + 3 * std::ldexp(1.0, -11)),
            0x3c02u);
  EXPECT_EQ(encodeFloat(ElementType::F16, std::ldexp(1.0, -25)), 0u);
  EXPECT_EQ(encodeFloat(ElementType::F16, 1.5 * std::ldexp(1.0, -25)), 1u);
}

TEST(SmallFloat, WhatExceedsTheRange) {
  EXPECT_EQ(encodeFloat(ElementType::F16, 65520), 0x7c00u);
  EXPECT_EQ(encodeFloat(ElementType::F16, 65519), 0x7bffu);
  EXPECT_EQ(encodeFloat(ElementType::F16, -kInfinity), 0xfc00u);
  EXPECT_EQ(encodeFloat(ElementType::F8E4M3FN, 1000), 0x7fu);
  EXPECT_EQ(encodeFloat(ElementType::F8E4M3FNUZ, 1000), 0x80u);
  EXPECT_EQ(encodeFloat(ElementType::F4E2M1FN, 1000), 7u);
  EXPECT_EQ(encodeFloat(ElementType::F4E2M1FN, -1000), 15u);
}
