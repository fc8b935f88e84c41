#include "runtime/format/dim_expression.h"

#include <gtest/gtest.h>

using ferrule::format::DimExpression;

static std::string evaluate(const std::string &text) {
  std::string error;
  std::vector<std::string> symbols = {"n", "seq"};
  auto parsed = DimExpression::parse(text, symbols, error);
  if (!parsed)
    return error;
  auto value = parsed->evaluate({10, 7, std::nullopt});
  return value ? std::to_string(*value) : "none";
}

TEST(DimExpression, evaluates) {
  EXPECT_EQ(evaluate("n"), "10");
  EXPECT_EQ(evaluate("seq + 2 * n - 1"), "26");
  EXPECT_EQ(evaluate("(n + seq) floordiv 4"), "4");
  EXPECT_EQ(evaluate("-n floordiv 4"), "-3");
  EXPECT_EQ(evaluate("n ceildiv 4"), "3");
  EXPECT_EQ(evaluate("n mod 4"), "2");
  EXPECT_EQ(evaluate("min(n, max(seq, 3))"), "7");
  EXPECT_EQ(evaluate("n floordiv 0"), "none");
  EXPECT_EQ(evaluate("other + n"), "none");
  EXPECT_EQ(evaluate("9223372036854775807 + n"), "none");
}

TEST(DimExpression, refuses) {
  EXPECT_EQ(evaluate("n +"),
            "dim expression 'n +': expected a number or a name");
  EXPECT_EQ(evaluate("(n"), "dim expression '(n': expected ')'");
  EXPECT_EQ(evaluate("n n"), "dim expression 'n n': unexpected 'n'");
  EXPECT_NE(evaluate(std::string(100000, '(')).find("nested too deeply"),
            std::string::npos);
}
