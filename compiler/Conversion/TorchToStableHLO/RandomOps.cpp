// Random numbers, keyed by the operator's place in the program.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Random.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Sort.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// How many random operators stand before this one.
static uint32_t placeOf(OpLowering &x) {
  uint32_t place = 0;
  auto function = x.op->getParentOfType<mlir::func::FuncOp>();
  function.walk([&](Operation *op) {
    if (op == x.op)
      return WalkResult::interrupt();
    if (const Schema *schema = lookupSchema(op->getName().getStringRef()))
      place += schema->random;
    return WalkResult::advance();
  });
  return place;
}

static RandomKey keyOf(OpLowering &x) { return {placeOf(x), 0}; }

static Value uniform(OpLowering &x, ArrayRef<Size> sizes) {
  return randomUniform(x.b, sizes, keyOf(x));
}

static Value normal(OpLowering &x, ArrayRef<Size> sizes) {
  return randomNormal(x.b, sizes, keyOf(x));
}

static Sizes wantedSizes(OpLowering &x) {
  return x.has("self") ? sizesOf(x.b, x.tensor("self")) : x.sizes("size");
}

static void randOp(OpLowering &x) { x.give(uniform(x, wantedSizes(x))); }
static void randnOp(OpLowering &x) { x.give(normal(x, wantedSizes(x))); }

static void uniformOp(OpLowering &x) {
  double low = x.number("from", 0), high = x.number("to", 1);
  Value unit = uniform(x, wantedSizes(x));
  x.give(add(x.b, mul(x.b, unit, high - low), low));
}

static void normalOp(OpLowering &x) {
  Value value = normal(x, wantedSizes(x));
  x.give(add(x.b, mul(x.b, value, x.number("std", 1)), x.number("mean", 0)));
}

static void randintOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Size low = x.size("low", 0), high = x.size("high");
  Value span = sub(b, high, low).materialize(b);
  Value bits =
      convert(b, randomBits(b, wantedSizes(x), keyOf(x)).first, b.getI64Type());
  x.give(add(b, remainder(b, bits, span), low.materialize(b)));
}

static void bernoulliOp(OpLowering &x) {
  Value unit = uniform(x, wantedSizes(x));
  Value p = x.has("p") && isa<BaseTensorType>(getArgument(x.op, "p").getType())
                ? x.tensor("p", elementOf(unit))
            : x.has("p") ? x.scalar("p", elementOf(unit))
                         : x.tensor("self", elementOf(unit));
  x.give(compare(x.b, Direction::LT, unit, p));
}

/// The input's elements that stay, scaled, and which of them stay.
static std::pair<Value, Value> drop(OpLowering &x, Value input, double p) {
  HloBuilder &b = x.b;
  Value kept = compare(b, Direction::GE, uniform(x, sizesOf(b, input)), p);
  Value scaled = mul(b, input, p == 1 ? 0 : 1 / (1 - p));
  return {select(b, kept, scaled, fullLike(b, input, 0)), kept};
}

Value torch::dropAtRandom(OpLowering &x, Value input, double p) {
  return drop(x, input, p).first;
}

static void dropoutOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.tensor("input");
  double p = x.number("p", 0.5);
  if (!x.flag("train", true) || p == 0)
    return x.give({input, full(b, sizesOf(b, input), b.getI1Type(), 1)});
  auto [dropped, kept] = drop(x, input, p);
  x.give({dropped, kept});
}

/// The order of random numbers is a random order.
static void randpermOp(OpLowering &x) {
  Size count = x.size("n");
  x.give(sortPairs(x.b, randomBits(x.b, {count}, keyOf(x)).first, 0, false)
             .second);
}

static const LoweringEntry entries[] = {
    {"aten.rand", randOp},
    {"aten.rand_like", randOp},
    {"aten.randn", randnOp},
    {"aten.randn_like", randnOp},
    {"aten.uniform", uniformOp},
    {"aten.normal_functional", normalOp},
    {"aten.randint", randintOp},
    {"aten.randint.low", randintOp},
    {"aten.randint_like", randintOp},
    {"aten.randint_like.low_dtype", randintOp},
    {"aten.bernoulli", bernoulliOp},
    {"aten.bernoulli.p", bernoulliOp},
    {"aten.bernoulli.Tensor", bernoulliOp},
    {"aten.native_dropout", dropoutOp},
    {"aten.randperm", randpermOp},
};

void torch::addRandomLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
