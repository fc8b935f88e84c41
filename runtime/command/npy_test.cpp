#include "runtime/command/input_spec.h"
#include "runtime/command/scalar_text.h"

#include <gtest/gtest.h>

using namespace ferrule;
using namespace ferrule::command;

static std::string messageOf(const std::function<void()> &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST(Npy, roundTrips) {
  float values[6] = {0, 1, 2, 3, 4, 5};
  for (const std::vector<int64_t> &dims :
       {std::vector<int64_t>{6}, {2, 3}, {1, 6, 1}}) {
    std::string bytes = formatNpy({values, FERRULE_F32, dims, {}});
    Array array = parseNpy(bytes, "x.npy");
    EXPECT_EQ(array.type, FERRULE_F32);
    EXPECT_EQ(array.dims, dims);
    EXPECT_EQ(arrayText({array.data.data(), array.type, {6}, {}}),
              "[0, 1, 2, 3, 4, 5]");
    EXPECT_EQ((bytes.size() - 24) % 64, 0u);
  }
  std::string scalar = formatNpy({values, FERRULE_F32, {}, {}});
  EXPECT_TRUE(parseNpy(scalar, "x").dims.empty());
  EXPECT_EQ(parseNpy(formatNpy({values, FERRULE_BF16, {2}, {}}), "x").type,
            FERRULE_NONE);
}

TEST(Npy, refusesDamage) {
  float values[6] = {};
  std::string bytes = formatNpy({values, FERRULE_F32, {2, 3}, {}});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(messageOf([&] { parseNpy(bytes.substr(0, size), "x.npy"); }),
              "no error");
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x11);
    messageOf([&] { parseNpy(damaged, "x.npy"); });
  }
}

TEST(InputSpec, understandsAllForms) {
  FunctionInfo function = {
      "main",
      {{"x", FERRULE_F32, {2, 2}, {}, -1}, {"n", FERRULE_I64, {-1}, {"k"}, -1}},
      {},
      {},
      {}};
  auto make = [&](const std::vector<std::string> &texts, bool fill = false) {
    std::string text;
    for (Array &array : makeInputs(function, texts, fill))
      text += arrayText(array.view());
    return text;
  };
  EXPECT_EQ(make({"x=2x2xf32=1.5", "n=3xi64=1,2,-3"}),
            "[[1.5, 1.5], [1.5, 1.5]][1, 2, -3]");
  EXPECT_EQ(make({"x=7", "n=1xi64"}), "[[7, 7], [7, 7]][0]");
  EXPECT_EQ(make({"x=random", "n=2xi64=random"}),
            make({"n=2xi64=random"}, true));
  EXPECT_EQ(messageOf([&] { make({"y=1"}); }),
            "no input 'y', 'main' has: x: 2x2xf32, n: kxi64");
  EXPECT_EQ(messageOf([&] { make({"x=1"}); }),
            "input 'n' is missing, 'main' has: x: 2x2xf32, n: kxi64");
  EXPECT_EQ(
      messageOf([&] { make({"n=random"}, true); }),
      "input 'n' is kxi64: give its sizes, as in --input=n=2x3xf32=random");
  EXPECT_EQ(messageOf([&] { make({"x=2x2xf32=1,2"}); }),
            "input 'x' has 2 numbers, expected 1 or 4");
}
