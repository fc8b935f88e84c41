// Comparisons, logic and selection.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

template <Direction direction>
static std::optional<Size> compareSmall(HloBuilder &b, Size x, Size y) {
  return compareSizes(b, stablehlo::stringifyComparisonDirection(direction), x,
                      y);
}

template <Direction direction> static LogicalResult compareOp(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  if (elementOf(x) != elementOf(y))
    return op.error() << "found element types " << elementOf(x) << " and "
                      << elementOf(y) << ", expected equal ones";
  if (Value small =
          combineSmall(op.b, x, y, compareSmall<direction>, op.b.getI1Type()))
    return op.result(small);
  return op.result(compare(op.b, direction, x, y));
}

static std::optional<Size> andSmall(HloBuilder &b, Size x, Size y) {
  if (x.is(0) || y.is(0))
    return Size(0);
  if (x.isStatic())
    return y;
  if (y.isStatic())
    return x;
  return frontend::mul(b, x, y);
}

static std::optional<Size> orSmall(HloBuilder &b, Size x, Size y) {
  if (x.is(1) || y.is(1))
    return Size(1);
  return frontend::maximum(b, x, y);
}

static std::optional<Size> notSmall(HloBuilder &b, Size x, Size) {
  return frontend::sub(b, 1, x);
}

template <Value (*fn)(HloBuilder &, Value, Value), SizeFunction small>
static LogicalResult logicOp(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  if (Value result = combineSmall(op.b, x, y, small, op.b.getI1Type()))
    return op.result(result);
  return op.result(fn(op.b, x, y));
}

static LogicalResult importNot(NodeContext &op) {
  Value x = op.input(0);
  if (Value small = combineSmall(op.b, x, x, notSmall, op.b.getI1Type()))
    return op.result(small);
  return op.result(logicalNot(op.b, x));
}

/// Where on sizes; null when an operand is not small.
static Value whereSmall(HloBuilder &b, Value condition, Value x, Value y) {
  if (!areSmall({condition, x, y}))
    return {};
  Sizes c = elementsOf(b, condition), xs = elementsOf(b, x),
        ys = elementsOf(b, y), result;
  size_t count = std::max({c.size(), xs.size(), ys.size()});
  for (const Sizes *list : {&c, &xs, &ys})
    if (list->size() != count && list->size() != 1)
      return {};
  auto at = [](const Sizes &list, size_t i) {
    return list[list.size() == 1 ? 0 : i];
  };
  for (size_t i = 0; i < count; ++i)
    result.push_back(selectSize(b, at(c, i), at(xs, i), at(ys, i)));
  return fromElements(b, result, elementOf(x),
                      std::max({rankOf(condition), rankOf(x), rankOf(y)}));
}

static LogicalResult importWhere(NodeContext &op) {
  Value condition = op.input(0), x = op.input(1), y = op.input(2);
  if (elementOf(x) != elementOf(y))
    return op.error() << "found element types " << elementOf(x) << " and "
                      << elementOf(y) << ", expected equal ones";
  if (Value small = whereSmall(op.b, condition, x, y))
    return op.result(small);
  return op.result(select(op.b, condition, x, y));
}

static LogicalResult importIsInf(NodeContext &op) {
  Value x = op.input(0);
  bool positive = op.intAttr("detect_positive", 1);
  bool negative = op.intAttr("detect_negative", 1);
  if (positive && negative)
    return op.result(isInf(op.b, x));
  double infinity = std::numeric_limits<double>::infinity();
  if (!positive && !negative)
    return op.result(full(op.b, sizesOf(op.b, x), op.b.getI1Type(), 0));
  return op.result(
      compare(op.b, Direction::EQ, x, positive ? infinity : -infinity));
}

static LogicalResult importIsNaN(NodeContext &op) {
  return op.result(isNaN(op.b, op.input(0)));
}

void ferrule::onnx::registerCompareOps(Registry &r) {
  r.add("Equal", compareOp<Direction::EQ>);
  r.add("Less", compareOp<Direction::LT>);
  r.add("LessOrEqual", compareOp<Direction::LE>);
  r.add("Greater", compareOp<Direction::GT>);
  r.add("GreaterOrEqual", compareOp<Direction::GE>);
  r.add("And", logicOp<bitAnd, andSmall>);
  r.add("Or", logicOp<bitOr, orSmall>);
  r.add("Xor", logicOp<bitXor, nullptr>);
  r.add("Not", importNot);
  r.add("Where", importWhere);
  r.add("IsNaN", importIsNaN);
  r.add("IsInf", importIsInf);
}
