// Products of matrices and vectors.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// The product of two arguments, whose names differ from operator to operator.
static Value productOf(OpLowering &x, StringRef left, StringRef right) {
  Type element = x.resultElement();
  return matmul(x.b, x.tensor(left, element), x.tensor(right, element));
}

static void matmulOp(OpLowering &x) {
  StringRef second = x.has("mat2") ? "mat2" : x.has("vec") ? "vec" : "other";
  x.give(productOf(x, "self", second));
}

static void dotOp(OpLowering &x) { x.give(productOf(x, "self", "tensor")); }

/// beta * self + alpha * (left right).
static void addProduct(OpLowering &x, Value product) {
  Type element = elementOf(product);
  if (!x.isOne("alpha"))
    product = mul(x.b, product, x.scalar("alpha", element));
  auto beta = x.has("beta") ? matchDouble(getArgument(x.op, "beta")) : 1.0;
  if (beta && *beta == 0)
    return x.give(product);
  Value self = x.tensor("self", element);
  if (!x.isOne("beta"))
    self = mul(x.b, self, x.scalar("beta", element));
  x.give(add(x.b, product, self));
}

static void addmmOp(OpLowering &x) {
  addProduct(x, productOf(x, "mat1", "mat2"));
}
static void baddbmmOp(OpLowering &x) {
  addProduct(x, productOf(x, "batch1", "batch2"));
}
static void addmvOp(OpLowering &x) {
  addProduct(x, productOf(x, "mat", "vec"));
}

static void addbmmOp(OpLowering &x) {
  Value product = productOf(x, "batch1", "batch2");
  addProduct(x, reduceSum(x.b, product, {0}, /*keepDims=*/false));
}

static Value outer(OpLowering &x, StringRef left, StringRef right) {
  Type element = x.resultElement();
  Value column = unsqueeze(x.b, x.tensor(left, element), {1});
  Value row = unsqueeze(x.b, x.tensor(right, element), {0});
  return mul(x.b, column, row);
}

static void outerOp(OpLowering &x) { x.give(outer(x, "self", "vec2")); }
static void addrOp(OpLowering &x) { addProduct(x, outer(x, "vec1", "vec2")); }

static void linearOp(OpLowering &x) {
  Type element = x.resultElement();
  Value bias = x.has("bias") ? x.tensor("bias", element) : Value();
  x.give(linear(x.b, x.tensor("input", element), x.tensor("weight", element),
                bias));
}

/// int8 matrices with an int32 sum.
static void integerMatmulOp(OpLowering &x) {
  x.give(matmul(x.b, x.tensor("self"), x.tensor("mat2"), x.resultElement()));
}

/// Distances between all pairs of rows, any order p.
static void cdistOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Type element = x.resultElement();
  Value left = unsqueeze(b, x.tensor("x1", element), {-2});
  Value right = x.tensor("x2", element);
  right = unsqueeze(b, right, {rankOf(right) - 2});
  Value gaps = sub(b, left, right);
  x.give(reduceNorm(b, gaps, x.number("p", 2), {-1}, /*keepDims=*/false));
}

static const LoweringEntry entries[] = {
    {"aten.mm", matmulOp},
    {"aten.bmm", matmulOp},
    {"aten.mv", matmulOp},
    {"aten.matmul", matmulOp},
    {"aten.dot", dotOp},
    {"aten.vdot", matmulOp},
    {"aten.addmm", addmmOp},
    {"aten.baddbmm", baddbmmOp},
    {"aten.addbmm", addbmmOp},
    {"aten.addmv", addmvOp},
    {"aten.addr", addrOp},
    {"aten.outer", outerOp},
    {"aten.ger", outerOp},
    {"aten.linear", linearOp},
    {"aten._int_mm", integerMatmulOp},
    {"aten._cdist_forward", cdistOp},
};

void torch::addLinearLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
