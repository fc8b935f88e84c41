#include "runtime/format/dim_expression.h"

#include <algorithm>

using namespace ferrule::format;

namespace ferrule::format {

class DimExpressionParser {
public:
  using Op = DimExpression::Op;
  DimExpressionParser(std::string_view text, std::vector<std::string> &symbols)
      : rest(text), symbols(symbols) {}

  bool parseAll() {
    if (!sum())
      return false;
    skipSpace();
    return rest.empty() || fail("unexpected '" + std::string(rest) + "'");
  }

  DimExpression result;
  std::string error;

private:
  bool fail(std::string message) {
    if (error.empty())
      error = std::move(message);
    return false;
  }
  void skipSpace() {
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (rest.substr(0, token.size()) != token)
      return false;
    rest.remove_prefix(token.size());
    return true;
  }
  bool expect(std::string_view token) {
    return accept(token) || fail("expected '" + std::string(token) + "'");
  }
  void push(Op op, int64_t number = 0) { result.steps.push_back({op, number}); }

  static bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '.';
  }
  std::string_view word() {
    skipSpace();
    size_t size = 0;
    while (size < rest.size() && isWord(rest[size]))
      ++size;
    return rest.substr(0, size);
  }
  bool acceptWord(std::string_view expected) {
    if (word() != expected)
      return false;
    rest.remove_prefix(expected.size());
    return true;
  }

  bool sum() {
    if (!term())
      return false;
    while (true) {
      if (accept("+")) {
        if (!term())
          return false;
        push(Op::Add);
      } else if (accept("-")) {
        if (!term())
          return false;
        push(Op::Sub);
      } else {
        return true;
      }
    }
  }

  bool term() {
    if (!atom())
      return false;
    while (true) {
      Op op;
      if (accept("*"))
        op = Op::Mul;
      else if (acceptWord("floordiv"))
        op = Op::FloorDiv;
      else if (acceptWord("ceildiv"))
        op = Op::CeilDiv;
      else if (acceptWord("mod"))
        op = Op::Mod;
      else
        return true;
      if (!atom())
        return false;
      push(op);
    }
  }

  bool atom() {
    // A hostile file may nest without end.
    if (++depth > 200)
      return fail("nested too deeply");
    bool good = atomBody();
    --depth;
    return good;
  }

  bool atomBody() {
    if (accept("-")) {
      push(Op::Number, 0);
      if (!atom())
        return false;
      push(Op::Sub);
      return true;
    }
    if (accept("("))
      return sum() && expect(")");
    std::string_view name = word();
    if (name.empty())
      return fail("expected a number or a name");
    rest.remove_prefix(name.size());
    if (name.front() >= '0' && name.front() <= '9')
      return number(name);
    if ((name == "min" || name == "max") && accept("(")) {
      if (!sum() || !expect(",") || !sum() || !expect(")"))
        return false;
      push(name == "min" ? Op::Min : Op::Max);
      return true;
    }
    auto found = std::find(symbols.begin(), symbols.end(), name);
    push(Op::Symbol, found - symbols.begin());
    if (found == symbols.end())
      symbols.emplace_back(name);
    return true;
  }

  bool number(std::string_view digits) {
    int64_t value = 0;
    for (char c : digits)
      if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, c - '0', &value))
        return fail("bad number '" + std::string(digits) + "'");
    push(Op::Number, value);
    return true;
  }

  std::string_view rest;
  std::vector<std::string> &symbols;
  unsigned depth = 0;
};

} // namespace ferrule::format

std::optional<DimExpression>
DimExpression::parse(std::string_view text, std::vector<std::string> &symbols,
                     std::string &error) {
  DimExpressionParser parser(text, symbols);
  if (parser.parseAll())
    return std::move(parser.result);
  error = "dim expression '" + std::string(text) + "': " + parser.error;
  return std::nullopt;
}

std::optional<uint32_t> DimExpression::asSymbol() const {
  if (steps.size() == 1 && steps[0].op == Op::Symbol)
    return static_cast<uint32_t>(steps[0].number);
  return std::nullopt;
}

std::optional<int64_t> DimExpression::evaluate(
    const std::vector<std::optional<int64_t>> &sizes) const {
  std::vector<int64_t> stack;
  for (const Step &step : steps) {
    if (step.op == Op::Number) {
      stack.push_back(step.number);
      continue;
    }
    if (step.op == Op::Symbol) {
      if (!sizes[step.number])
        return std::nullopt;
      stack.push_back(*sizes[step.number]);
      continue;
    }
    int64_t b = stack.back();
    stack.pop_back();
    int64_t a = stack.back(), &r = stack.back();
    bool divides =
        step.op == Op::FloorDiv || step.op == Op::CeilDiv || step.op == Op::Mod;
    if (divides && b <= 0)
      return std::nullopt;
    bool overflow = false;
    switch (step.op) {
    case Op::Add:
      overflow = __builtin_add_overflow(a, b, &r);
      break;
    case Op::Sub:
      overflow = __builtin_sub_overflow(a, b, &r);
      break;
    case Op::Mul:
      overflow = __builtin_mul_overflow(a, b, &r);
      break;
    case Op::FloorDiv:
      r = a / b - (a % b < 0);
      break;
    case Op::CeilDiv:
      r = a / b + (a % b > 0);
      break;
    case Op::Mod:
      r = a % b + (a % b < 0 ? b : 0);
      break;
    case Op::Min:
      r = std::min(a, b);
      break;
    default:
      r = std::max(a, b);
      break;
    }
    if (overflow)
      return std::nullopt;
  }
  return stack.back();
}
