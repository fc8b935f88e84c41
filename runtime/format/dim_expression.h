// The expressions of Value.dim_expressions; README.md has the grammar.
#ifndef FERRULE_FORMAT_DIM_EXPRESSION_H
#define FERRULE_FORMAT_DIM_EXPRESSION_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule::format {

class DimExpression {
public:
  /// Names are looked up in `symbols`, and added when they are new. On failure
  /// says why in `error`.
  static std::optional<DimExpression> parse(std::string_view text,
                                            std::vector<std::string> &symbols,
                                            std::string &error);

  /// The symbol's index when the expression is nothing but a name.
  std::optional<uint32_t> asSymbol() const;

  /// Value for the sizes of the symbols; none when one that it uses is unknown
  /// or the arithmetic overflows or divides by zero.
  std::optional<int64_t>
  evaluate(const std::vector<std::optional<int64_t>> &sizes) const;

private:
  friend class DimExpressionParser;
  enum class Op : uint8_t {
    Number,
    Symbol,
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max
  };
  struct Step {
    Op op;
    int64_t number;
  };
  std::vector<Step> steps; ///< In postfix order.
};

} // namespace ferrule::format

#endif // FERRULE_FORMAT_DIM_EXPRESSION_H
