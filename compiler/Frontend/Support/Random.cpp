#include "compiler/Frontend/Support/Random.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

static Value rotateLeft(HloBuilder &b, Value value, int64_t bits) {
  Value up = shiftLeft(b, value, double(bits));
  Value down =
      binary<stablehlo::ShiftRightLogicalOp>(b, value, double(32 - bits));
  return bitOr(b, up, down);
}

/// Two words of random bits for each counter (Salmon et al., Parallel random
/// numbers: as easy as 1, 2, 3, 2011).
static std::pair<Value, Value> threefry(HloBuilder &b, Value counter,
                                        RandomKey key) {
  static constexpr int64_t rotations[2][4] = {{13, 15, 26, 6},
                                              {17, 29, 16, 24}};
  uint32_t keys[3] = {key.first, key.second,
                      0x1BD11BDA ^ key.first ^ key.second};
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

std::pair<Value, Value>
frontend::randomBits(HloBuilder &b, ArrayRef<Size> sizes, RandomKey key) {
  Type u32 = IntegerType::get(b.getContext(), 32, IntegerType::Unsigned);
  Value counter = iota(b, {product(b, sizes)}, 0, u32);
  auto [first, second] = threefry(b, counter, key);
  return {reshape(b, first, sizes), reshape(b, second, sizes)};
}

static Value unitInterval(HloBuilder &b, Value bits) {
  Value top = binary<stablehlo::ShiftRightLogicalOp>(b, bits, 8.0);
  return mul(b, convert(b, top, b.getF32Type()), 1.0 / 16777216);
}

Value frontend::randomUniform(HloBuilder &b, ArrayRef<Size> sizes,
                              RandomKey key) {
  return unitInterval(b, randomBits(b, sizes, key).first);
}

/// Box and Muller's transform of two uniform numbers.
Value frontend::randomNormal(HloBuilder &b, ArrayRef<Size> sizes,
                             RandomKey key) {
  auto [first, second] = randomBits(b, sizes, key);
  Value u = unitInterval(b, first), v = unitInterval(b, second);
  // 1 - u lies in (0, 1], so that the logarithm is finite.
  Value radius = sqrt(b, mul(b, log(b, sub(b, fullLike(b, u, 1), u)), -2.0));
  return mul(b, radius, cos(b, mul(b, v, 6.283185307179586)));
}
