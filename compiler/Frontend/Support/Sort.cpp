#include "compiler/Frontend/Support/Sort.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

std::pair<Value, Value> frontend::sortPairs(HloBuilder &b, Value x, int64_t dim,
                                            bool descending) {
  Type i64 = b.getI64Type();
  if (rankOf(x) == 0)
    return {x, scalarInt(b, i64, 0)};
  dim = wrapDim(dim, rankOf(x));
  Type element = elementOf(x);
  if (element.isInteger(1))
    x = convert(b, x, b.getI8Type());
  Value places = iota(b, sizesOf(b, x), dim, i64);
  auto op = stablehlo::SortOp::create(
      b, ValueRange{x, places}, dim, /*isStable=*/true,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        HloBuilder body(loc, inner);
        Value left = args[0], right = args[1];
        Value before = compare(body, descending ? Direction::GT : Direction::LT,
                               left, right);
        if (isa<FloatType>(elementOf(left))) {
          Value leftNaN = compare(body, Direction::NE, left, left);
          Value rightNaN = compare(body, Direction::NE, right, right);
          Value first = descending
                            ? bitAnd(body, leftNaN, logicalNot(body, rightNaN))
                            : bitAnd(body, rightNaN, logicalNot(body, leftNaN));
          before = bitOr(body, before, first);
        }
        stablehlo::ReturnOp::create(body, ValueRange{before});
      });
  Value sorted = op->getResult(0);
  if (element.isInteger(1))
    sorted = convert(b, sorted, element);
  return {sorted, op->getResult(1)};
}

std::pair<Value, Value> frontend::topK(HloBuilder &b, Value x, Size k,
                                       int64_t dim, bool largest) {
  if (rankOf(x) == 0)
    return sortPairs(b, x, 0, largest);
  dim = wrapDim(dim, rankOf(x));
  auto [values, places] = sortPairs(b, x, dim, largest);
  return {slice(b, values, dim, 0, k), slice(b, places, dim, 0, k)};
}
