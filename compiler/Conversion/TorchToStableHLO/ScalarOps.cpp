// Arithmetic on Python's numbers: sizes, conditions, tensors read as numbers.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// Operand `index` as an integer.
static Size integerAt(OpLowering &x, unsigned index) {
  return x.sizeOf(x.op->getOperand(index));
}

/// Operand `index` as a scalar of the element type.
static Value numberAt(OpLowering &x, unsigned index, Type element) {
  Value value = x.mapped(x.op->getOperand(index));
  if (!value) {
    x.fail("has an operand that is not a number");
    return scalar(x.b, element, 0);
  }
  if (rankOf(value) != 0)
    value = reshape(x.b, value, {});
  return convert(x.b, value, element);
}

static void sizeOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (!x.has("dim")) {
    SmallVector<Value> sizes;
    for (Size size : sizesOf(x.b, self))
      sizes.push_back(size.materialize(x.b));
    return x.giveList(sizes);
  }
  int64_t dim = x.dim("dim", rankOf(self));
  x.give(sizeOf(x.b, self, dim).materialize(x.b));
}

static void numelOp(OpLowering &x) {
  x.give(numElements(x.b, x.tensor("self")).materialize(x.b));
}

/// Strides of a contiguous tensor.
static void strideOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  Sizes sizes = sizesOf(x.b, self);
  x.give(product(x.b, ArrayRef(sizes).drop_front(dim + 1)).materialize(x.b));
}

static void zeroOp(OpLowering &x) { x.give(scalar(x.b, x.b.getI64Type(), 0)); }

template <Size (*function)(HloBuilder &, Size, Size)>
static void integerOp(OpLowering &x) {
  x.give(function(x.b, integerAt(x, 0), integerAt(x, 1)).materialize(x.b));
}

static Size remainderOf(HloBuilder &b, Size left, Size right) {
  return frontend::sub(
      b, left, frontend::mul(b, frontend::floorDiv(b, left, right), right));
}

static Size powerOf(HloBuilder &b, Size base, Size exponent) {
  if (exponent.isStatic() && exponent.getStatic() >= 0 &&
      exponent.getStatic() <= 8) {
    Size result = 1;
    for (int64_t i = 0; i < exponent.getStatic(); ++i)
      result = frontend::mul(b, result, base);
    return result;
  }
  return Size(frontend::power(b, base.materialize(b), exponent.materialize(b)));
}

static void negOp(OpLowering &x) {
  x.give(frontend::sub(x.b, 0, integerAt(x, 0)).materialize(x.b));
}

static void absOp(OpLowering &x) {
  x.give(frontend::abs(x.b, integerAt(x, 0).materialize(x.b)));
}

/// On floats; integers are converted.
template <Value (*function)(HloBuilder &, Value, Value)>
static void floatOp(OpLowering &x) {
  Type f64 = x.b.getF64Type();
  x.give(function(x.b, numberAt(x, 0, f64), numberAt(x, 1, f64)));
}

template <Value (*function)(HloBuilder &, Value)>
static void floatUnaryOp(OpLowering &x) {
  x.give(function(x.b, numberAt(x, 0, x.b.getF64Type())));
}

template <Direction direction> static void compareOp(OpLowering &x) {
  Value left = x.mapped(x.op->getOperand(0));
  Value right = x.mapped(x.op->getOperand(1));
  if (!left || !right)
    return x.fail("compares what is not a number");
  Type element = promoteTypes(elementOf(left), elementOf(right));
  // Both known: the result is known too, and a branch on it folds.
  auto l = constantNumber(left), r = constantNumber(right);
  if (l && r) {
    bool result = direction == Direction::EQ   ? *l == *r
                  : direction == Direction::NE ? *l != *r
                  : direction == Direction::LT ? *l < *r
                  : direction == Direction::LE ? *l <= *r
                  : direction == Direction::GT ? *l > *r
                                               : *l >= *r;
    return x.give(scalar(x.b, x.b.getI1Type(), result));
  }
  x.give(compare(x.b, direction, numberAt(x, 0, element),
                 numberAt(x, 1, element)));
}

template <Value (*function)(HloBuilder &, Value, Value)>
static void booleanOp(OpLowering &x) {
  Type boolean = x.b.getI1Type();
  x.give(function(x.b, numberAt(x, 0, boolean), numberAt(x, 1, boolean)));
}

static void notOp(OpLowering &x) {
  x.give(logicalNot(x.b, numberAt(x, 0, x.b.getI1Type())));
}

/// Tensors and numbers read as another kind of number.
static void castOp(OpLowering &x) { x.give(numberAt(x, 0, x.resultElement())); }

static void itemOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(reshape(x.b, self, {}));
}

/// A number of the tensor's own element type, complex ones included.
static void scalarImplicitOp(OpLowering &x) {
  x.give(reshape(x.b, x.mapped(x.op->getOperand(0)), {}));
}

static const LoweringEntry entries[] = {
    {"aten.size.int", sizeOp},
    {"aten.size", sizeOp},
    {"aten.sym_size.int", sizeOp},
    {"aten.numel", numelOp},
    {"aten.sym_numel", numelOp},
    {"aten.stride.int", strideOp},
    {"aten.sym_stride.int", strideOp},
    {"aten.sym_storage_offset", zeroOp},
    {"aten.add.int", integerOp<frontend::add>},
    {"aten.sub.int", integerOp<frontend::sub>},
    {"aten.mul.int", integerOp<frontend::mul>},
    {"aten.floordiv.int", integerOp<frontend::floorDiv>},
    {"aten.remainder.int", integerOp<remainderOf>},
    {"aten.pow.int_to_int", integerOp<powerOf>},
    {"prim.max.int", integerOp<frontend::maximum>},
    {"prim.min.int", integerOp<frontend::minimum>},
    {"aten.neg.int", negOp},
    {"prim.abs.int", absOp},
    {"aten.add.float", floatOp<frontend::add>},
    {"aten.add.float_int", floatOp<frontend::add>},
    {"aten.add.int_float", floatOp<frontend::add>},
    {"aten.sub.float", floatOp<frontend::sub>},
    {"aten.sub.float_int", floatOp<frontend::sub>},
    {"aten.sub.int_float", floatOp<frontend::sub>},
    {"aten.mul.float", floatOp<frontend::mul>},
    {"aten.mul.float_int", floatOp<frontend::mul>},
    {"aten.mul.int_float", floatOp<frontend::mul>},
    {"aten.div.int", floatOp<frontend::div>},
    {"aten.div.float", floatOp<frontend::div>},
    {"aten.floordiv.float", floatOp<frontend::floorDiv>},
    {"aten.floordiv.float_int", floatOp<frontend::floorDiv>},
    {"aten.floordiv.int_float", floatOp<frontend::floorDiv>},
    {"aten.remainder.float", floatOp<frontend::floorMod>},
    {"aten.pow.float", floatOp<frontend::power>},
    {"prim.max.float", floatOp<frontend::maximum>},
    {"prim.min.float", floatOp<frontend::minimum>},
    {"aten.neg.float", floatUnaryOp<frontend::neg>},
    {"prim.abs.float", floatUnaryOp<frontend::abs>},
    {"aten.sqrt.int", floatUnaryOp<frontend::sqrt>},
    {"aten.sqrt.float", floatUnaryOp<frontend::sqrt>},
    {"aten.ceil.float", floatUnaryOp<frontend::ceil>},
    {"aten.floor.float", floatUnaryOp<frontend::floor>},
    {"aten.eq.int", compareOp<Direction::EQ>},
    {"aten.ne.int", compareOp<Direction::NE>},
    {"aten.lt.int", compareOp<Direction::LT>},
    {"aten.le.int", compareOp<Direction::LE>},
    {"aten.gt.int", compareOp<Direction::GT>},
    {"aten.ge.int", compareOp<Direction::GE>},
    {"aten.eq.float", compareOp<Direction::EQ>},
    {"aten.ne.float", compareOp<Direction::NE>},
    {"aten.lt.float", compareOp<Direction::LT>},
    {"aten.le.float", compareOp<Direction::LE>},
    {"aten.gt.float", compareOp<Direction::GT>},
    {"aten.ge.float", compareOp<Direction::GE>},
    {"aten.eq.bool", compareOp<Direction::EQ>},
    {"aten.ne.bool", compareOp<Direction::NE>},
    {"aten.lt.float_int", compareOp<Direction::LT>},
    {"aten.le.float_int", compareOp<Direction::LE>},
    {"aten.gt.float_int", compareOp<Direction::GT>},
    {"aten.ge.float_int", compareOp<Direction::GE>},
    {"aten.__and__.bool", booleanOp<bitAnd>},
    {"aten.__or__.bool", booleanOp<bitOr>},
    {"aten.__xor__.bool", booleanOp<bitXor>},
    {"aten.__not__", notOp},
    {"aten.Int.Tensor", castOp},
    {"aten.Int.float", castOp},
    {"aten.Int.bool", castOp},
    {"aten.Int.Scalar", castOp},
    {"aten.IntImplicit", castOp},
    {"aten.Float.Tensor", castOp},
    {"aten.Float.int", castOp},
    {"aten.Float.bool", castOp},
    {"aten.Float.Scalar", castOp},
    {"aten.FloatImplicit", castOp},
    {"aten.Bool.Tensor", castOp},
    {"aten.Bool.int", castOp},
    {"aten.Bool.float", castOp},
    {"aten.ScalarImplicit", scalarImplicitOp},
    {"aten.item", itemOp},
    {"aten._local_scalar_dense", itemOp},
};

void torch::addScalarLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
