// Activation functions and their gradients.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// `self` in a type to compute in.
static Value input(OpLowering &x, StringRef name = "self") {
  return x.tensor(name, computeType(x.resultElement()));
}

template <Value (*function)(HloBuilder &, Value)>
static void simple(OpLowering &x) {
  x.give(function(x.b, input(x)));
}

static Value relu6(HloBuilder &b, Value x) {
  return frontend::clamp(b, x, 0, 6);
}
static Value hardSigmoid6(HloBuilder &b, Value x) {
  return hardSigmoid(b, x, 1.0 / 6, 0.5);
}
static Value plainSilu(HloBuilder &b, Value x) { return silu(b, x); }
static Value tanhShrink(HloBuilder &b, Value x) {
  return sub(b, x, tanh(b, x));
}
static Value integerRelu(HloBuilder &b, Value x) { return relu(b, x); }

static void hardtanhOp(OpLowering &x) {
  Value self = x.tensor("self");
  Type element = elementOf(self);
  Value low = x.has("min_val") ? x.scalar("min_val", element)
                               : frontend::scalar(x.b, element, -1);
  Value high = x.has("max_val") ? x.scalar("max_val", element)
                                : frontend::scalar(x.b, element, 1);
  x.give(frontend::clamp(x.b, self, low, high));
}

static void leakyReluOp(OpLowering &x) {
  x.give(leakyRelu(x.b, input(x), x.number("negative_slope", 0.01)));
}

static void geluOp(OpLowering &x) {
  x.give(gelu(x.b, input(x), x.text("approximate", "none") == "tanh"));
}

static void eluOp(OpLowering &x) {
  x.give(elu(x.b, input(x), x.number("alpha", 1), x.number("scale", 1),
             x.number("input_scale", 1)));
}

static void celuOp(OpLowering &x) {
  x.give(celu(x.b, input(x), x.number("alpha", 1)));
}

static void softplusOp(OpLowering &x) {
  x.give(
      softplus(x.b, input(x), x.number("beta", 1), x.number("threshold", 20)));
}

static void softshrinkOp(OpLowering &x) {
  double lambda = x.number("lambd", 0.5);
  x.give(softShrink(x.b, input(x), lambda, lambda));
}

static void hardshrinkOp(OpLowering &x) {
  x.give(hardShrink(x.b, input(x), x.number("lambd", 0.5)));
}

static void thresholdOp(OpLowering &x) {
  x.give(thresholded(x.b, input(x), x.number("threshold"), x.number("value")));
}

/// The slope [C] put along dimension 1.
static void preluOp(OpLowering &x) {
  Value self = input(x), weight = input(x, "weight");
  if (rankOf(weight) == 1 && rankOf(self) > 1 &&
      !typeOf(weight).getShape().equals({1}))
    weight = broadcastInDim(x.b, weight, sizesOf(x.b, self), {1});
  x.give(prelu(x.b, self, weight));
}

static void gluOp(OpLowering &x) {
  Value self = input(x);
  int64_t dim = x.dim("dim", rankOf(self), -1);
  Sizes sizes = sizesOf(x.b, self);
  Value split =
      unflatten(x.b, self, dim, {2, frontend::floorDiv(x.b, sizes[dim], 2)});
  auto half = [&](Size index) {
    Sizes starts(rankOf(split), Size(0)), steps(rankOf(split), Size(1));
    Sizes limits = sizesOf(x.b, split);
    starts[dim] = index;
    limits[dim] = frontend::add(x.b, index, 1);
    return squeeze(x.b, slice(x.b, split, starts, limits, steps), {dim});
  };
  x.give(mul(x.b, half(0), sigmoid(x.b, half(1))));
}

template <Value (*function)(HloBuilder &, Value, int64_t)>
static void softmaxOp(OpLowering &x) {
  Value self = x.tensor("self", x.resultElement());
  x.give(function(x.b, self, x.dim("dim", rankOf(self))));
}

/// Rows that are masked whole give 0, not NaN.
static void safeSoftmaxOp(OpLowering &x) {
  Value self = x.tensor("self", x.resultElement());
  int64_t dim = x.dim("dim", rankOf(self));
  Value most = reduceMax(x.b, self, {dim}, /*keepDims=*/true);
  Value masked =
      compare(x.b, Direction::EQ, most, lowestScalar(x.b, elementOf(self)));
  Value result = softmax(x.b, self, dim);
  x.give(
      select(x.b, masked, frontend::scalar(x.b, elementOf(self), 0), result));
}

static void softmaxBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), output = input(x, "output");
  int64_t dim = x.dim("dim", rankOf(output));
  Value product = mul(x.b, grad, output);
  Value sum = reduceSum(x.b, product, {dim}, /*keepDims=*/true);
  x.give(sub(x.b, product, mul(x.b, output, sum)));
}

static void logSoftmaxBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), output = input(x, "output");
  int64_t dim = x.dim("dim", rankOf(output));
  Value sum = reduceSum(x.b, grad, {dim}, /*keepDims=*/true);
  x.give(sub(x.b, grad, mul(x.b, exp(x.b, output), sum)));
}

static void thresholdBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), self = input(x);
  Value open = compare(x.b, Direction::GT, self, x.number("threshold"));
  x.give(select(x.b, open, grad, fullLike(x.b, grad, 0)));
}

static void sigmoidBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), output = input(x, "output");
  Value rest = sub(x.b, fullLike(x.b, output, 1), output);
  x.give(mul(x.b, grad, mul(x.b, output, rest)));
}

static void tanhBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), output = input(x, "output");
  Value rest = sub(x.b, fullLike(x.b, output, 1), square(x.b, output));
  x.give(mul(x.b, grad, rest));
}

static void geluBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), self = input(x);
  HloBuilder &b = x.b;
  if (x.text("approximate", "none") == "tanh") {
    constexpr double beta = 0.7978845608028654, kappa = 0.044715;
    Value inner = mul(
        b, add(b, self, mul(b, mul(b, square(b, self), self), kappa)), beta);
    Value t = tanh(b, inner);
    Value left = mul(b, add(b, t, 1.0), 0.5);
    Value slope = mul(b, add(b, mul(b, square(b, self), 3 * kappa), 1.0), beta);
    Value rest = sub(b, fullLike(b, t, 1), square(b, t));
    Value right = mul(b, mul(b, self, rest), mul(b, slope, 0.5));
    return x.give(mul(b, grad, add(b, left, right)));
  }
  Value cdf =
      mul(b, add(b, erf(b, mul(b, self, 0.70710678118654752)), 1.0), 0.5);
  Value pdf = mul(b, exp(b, mul(b, square(b, self), -0.5)), 0.3989422804014327);
  x.give(mul(b, grad, add(b, cdf, mul(b, self, pdf))));
}

static void siluBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), self = input(x);
  Value s = sigmoid(x.b, self);
  Value rest = sub(x.b, fullLike(x.b, s, 1), s);
  Value slope = mul(x.b, s, add(x.b, mul(x.b, self, rest), 1.0));
  x.give(mul(x.b, grad, slope));
}

static void hardtanhBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), self = input(x);
  Value open =
      bitAnd(x.b, compare(x.b, Direction::GT, self, x.number("min_val", -1)),
             compare(x.b, Direction::LT, self, x.number("max_val", 1)));
  x.give(select(x.b, open, grad, fullLike(x.b, grad, 0)));
}

static void leakyReluBackwardOp(OpLowering &x) {
  Value grad = input(x, "grad_output"), self = input(x);
  Value open = compare(x.b, Direction::GT, self, 0.0);
  x.give(select(x.b, open, grad,
                mul(x.b, grad, x.number("negative_slope", 0.01))));
}

static const LoweringEntry entries[] = {
    {"aten.relu", simple<integerRelu>},
    {"aten.relu6", simple<relu6>},
    {"aten.sigmoid", simple<sigmoid>},
    {"aten.special_expit", simple<sigmoid>},
    {"aten.silu", simple<plainSilu>},
    {"aten.mish", simple<mish>},
    {"aten.selu", simple<selu>},
    {"aten.hardsigmoid", simple<hardSigmoid6>},
    {"aten.hardswish", simple<hardSwish>},
    {"aten.log_sigmoid", simple<logSigmoid>},
    {"aten.log_sigmoid_forward", simple<logSigmoid>},
    {"aten.softsign", simple<softsign>},
    {"aten.tanhshrink", simple<tanhShrink>},
    {"aten.hardtanh", hardtanhOp},
    {"aten.leaky_relu", leakyReluOp},
    {"aten.gelu", geluOp},
    {"aten.elu", eluOp},
    {"aten.celu", celuOp},
    {"aten.softplus", softplusOp},
    {"aten.softshrink", softshrinkOp},
    {"aten.hardshrink", hardshrinkOp},
    {"aten.threshold", thresholdOp},
    {"aten.prelu", preluOp},
    {"aten._prelu_kernel", preluOp},
    {"aten.glu", gluOp},
    {"aten._softmax", softmaxOp<softmax>},
    {"aten.softmax.int", softmaxOp<softmax>},
    {"aten._safe_softmax", safeSoftmaxOp},
    {"aten._log_softmax", softmaxOp<logSoftmax>},
    {"aten.log_softmax.int", softmaxOp<logSoftmax>},
    {"aten._softmax_backward_data", softmaxBackwardOp},
    {"aten._log_softmax_backward_data", logSoftmaxBackwardOp},
    {"aten.threshold_backward", thresholdBackwardOp},
    {"aten.sigmoid_backward", sigmoidBackwardOp},
    {"aten.tanh_backward", tanhBackwardOp},
    {"aten.gelu_backward", geluBackwardOp},
    {"aten.silu_backward", siluBackwardOp},
    {"aten.hardtanh_backward", hardtanhBackwardOp},
    {"aten.leaky_relu_backward", leakyReluBackwardOp},
};

void torch::addActivationLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
