// Random numbers. The generator is Threefry-2x32 with 20 rounds, keyed by the
// operator's place in the program and counted by the element's index, so that
// every run of a program draws the same numbers; they are not the numbers that
// PyTorch's generators draw.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Sort.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

static Value rotateLeft(HloBuilder &b, Value value, int64_t bits) {
  Value up = shiftLeft(b, value, double(bits));
  Value down =
      binary<stablehlo::ShiftRightLogicalOp>(b, value, double(32 - bits));
  return bitOr(b, up, down);
}

/// Two words of random bits for each counter (Salmon et al., Parallel random
/// numbers: as easy as 1, 2, 3, 2011).
static std::pair<Value, Value> threefry(HloBuilder &b, Value counter,
                                        uint32_t key0, uint32_t key1) {
  static constexpr int64_t rotations[2][4] = {{13, 15, 26, 6},
                                              {17, 29, 16, 24}};
  uint32_t keys[3] = {key0, key1, 0x1BD11BDA ^ key0 ^ key1};
  Type u32 = elementOf(counter);
  auto plus = [&](Value value, uint32_t number) {
    return add(b, value, scalarInt(b, u32, int64_t(number)));
  };
  Value x = plus(fullLike(b, counter, 0), keys[0]);
  Value y = plus(counter, keys[1]);
  for (uint32_t block = 0; block < 5; ++block) {
    for (int64_t bits : rotations[block % 2]) {
      x = add(b, x, y);
      y = bitXor(b, rotateLeft(b, y, bits), x);
    }
    x = plus(x, keys[(block + 1) % 3]);
    y = plus(y, keys[(block + 2) % 3] + block + 1);
  }
  return {x, y};
}

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

static std::pair<Value, Value> randomBits(OpLowering &x, ArrayRef<Size> sizes) {
  HloBuilder &b = x.b;
  Type u32 = IntegerType::get(b.getContext(), 32, IntegerType::Unsigned);
  Size count = product(b, sizes);
  Value counter = iota(b, {count}, 0, u32);
  auto [first, second] = threefry(b, counter, placeOf(x), 0);
  return {reshape(b, first, sizes), reshape(b, second, sizes)};
}

/// Uniform in [0, 1) with 24 bits.
static Value unitInterval(HloBuilder &b, Value bits) {
  Value top = binary<stablehlo::ShiftRightLogicalOp>(b, bits, 8.0);
  return mul(b, convert(b, top, b.getF32Type()), 1.0 / 16777216);
}

static Value uniform(OpLowering &x, ArrayRef<Size> sizes) {
  return unitInterval(x.b, randomBits(x, sizes).first);
}

/// Box and Muller's transform of two uniform numbers.
static Value normal(OpLowering &x, ArrayRef<Size> sizes) {
  HloBuilder &b = x.b;
  auto [first, second] = randomBits(x, sizes);
  Value u = unitInterval(b, first), v = unitInterval(b, second);
  // 1 - u lies in (0, 1], so that the logarithm is finite.
  Value radius = sqrt(b, mul(b, log(b, sub(b, fullLike(b, u, 1), u)), -2.0));
  return mul(b, radius, cos(b, mul(b, v, 6.283185307179586)));
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
  Value bits = convert(b, randomBits(x, wantedSizes(x)).first, b.getI64Type());
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

static void dropoutOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value input = x.tensor("input");
  double p = x.number("p", 0.5);
  Sizes sizes = sizesOf(b, input);
  if (!x.flag("train", true) || p == 0)
    return x.give({input, full(b, sizes, b.getI1Type(), 1)});
  Value kept = compare(b, Direction::GE, uniform(x, sizes), p);
  Value scaled = mul(b, input, p == 1 ? 0 : 1 / (1 - p));
  x.give({select(b, kept, scaled, fullLike(b, input, 0)), kept});
}

/// The order of random numbers is a random order.
static void randpermOp(OpLowering &x) {
  Size count = x.size("n");
  x.give(sortPairs(x.b, randomBits(x, {count}).first, 0, false).second);
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
