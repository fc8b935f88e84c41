// Angles of any size, less the multiple of pi/2 next to them. No branches, so
// that LLVM makes vectors of loops over them.
#include "compiler/Target/CPU/Math/MathBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

constexpr double kHalfPi = 1.5707963267948966;
constexpr double kHalfPiLow = 6.123233995736766e-17;
constexpr double kHalfPiLowest = -1.497384905065873e-33;
constexpr double kTwoOverPi = 0.63661977236758134;

/// The angle of p + extra by subtraction of n pi/2, pi/2 in three numbers
/// (Cody and Waite). p - n * (first part) is exact.
Angle reduceOrdinary(MathBuilder &b, Value p, Value extra) {
  auto n = b.round(p, b.constant(kTwoOverPi));
  Value high = b.fma(n.value, b.constant(-kHalfPi), p);
  // high - n * low as r + rLow.
  Value product = b.mul(n.value, b.constant(kHalfPiLow));
  Value error = b.fma(n.value, b.constant(kHalfPiLow), b.neg(product));
  Value r = b.sub(high, product);
  Value low = b.sub(b.sub(high, r), product);
  low = b.sub(low, b.fma(n.value, b.constant(kHalfPiLowest), error));
  low = b.add(low, extra);
  Value sum = b.add(r, low);
  return {sum, b.add(b.sub(r, sum), low), n.integer};
}

/// A number of f32 from 2^50 on is an integer k times 2^27, 2^54 or 2^81, k
/// below 2^50. It stands for k times the rest that such a power leaves of a
/// circle, in two numbers; smaller numbers are left alone.
std::pair<Value, Value> shrinkSingle(MathBuilder &b, Value x) {
  constexpr double rests[][2] = {
      {-0.868565626261989, -9.019323986564577e-18},
      {2.0278995540254936, -2.337085380988763e-17},
      {-2.0638772974200656, 6.455098825958123e-17}};
  Value magnitude = b.abs(x);
  Value unit = b.constant(1.0), rest = unit, restLow = b.constant(0.0);
  for (auto [i, c] : llvm::enumerate(rests)) {
    int power = 27 * (int(i) + 1);
    Value beyond = b.compare(arith::CmpFPredicate::OGE, magnitude,
                             b.constant(std::ldexp(1.0, 23 + power)));
    unit = b.select(beyond, b.constant(std::ldexp(1.0, -power)), unit);
    rest = b.select(beyond, b.constant(c[0]), rest);
    restLow = b.select(beyond, b.constant(c[1]), restLow);
  }
  Value k = b.mul(x, unit);
  Value p = b.mul(k, rest);
  Value error = b.fma(k, rest, b.neg(p));
  return {p, b.fma(k, restLow, error)};
}

// 64 zeros, then the bits of 2/pi behind the binary point.
constexpr uint64_t kTwoOverPiBits[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
    0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// Numbers of f64 from 2^(52 + 4j) on are integers times 2^4j, which is dropped
// from them and multiplied into 2/pi instead. A row of the table holds
// 2^4j * 2/pi less its multiples of 4, in four numbers of 48 bits.
constexpr int64_t kStep = 4;
constexpr int64_t kRows = (1024 - 53) / kStep + 1;
constexpr int64_t kParts = 4;
constexpr int64_t kPartBits = 48;

SmallVector<double> buildTable() {
  SmallVector<double> table;
  for (int64_t row = 0; row < kRows; ++row) {
    // The first bit has the weight 2; 64 zeros stand before the point.
    int64_t bit = 62 + row * kStep;
    double unit = 4.0;
    for (int64_t part = 0; part < kParts; ++part, bit += kPartBits) {
      uint64_t high = kTwoOverPiBits[bit / 64] << bit % 64;
      uint64_t low = bit % 64 ? kTwoOverPiBits[bit / 64 + 1] >> (64 - bit % 64)
                              : 0;
      unit = std::ldexp(unit, -kPartBits);
      table.push_back(double((high | low) >> (64 - kPartBits)) * unit);
    }
  }
  return table;
}

/// The table in the kernel's module.
Value findTable(OpBuilder &builder, Location loc) {
  constexpr llvm::StringLiteral name = "two_over_pi";
  auto module = builder.getInsertionBlock()->getParentOp()
                    ->getParentOfType<ModuleOp>();
  auto type = MemRefType::get({kRows * kParts}, builder.getF64Type());
  if (!SymbolTable::lookupSymbolIn(module, name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    SmallVector<double> table = buildTable();
    auto values = DenseElementsAttr::get(
        RankedTensorType::get(type.getShape(), type.getElementType()),
        ArrayRef<double>(table));
    memref::GlobalOp::create(builder, loc, name,
                             builder.getStringAttr("private"), type, values,
                             /*constant=*/true, IntegerAttr());
  }
  return memref::GetGlobalOp::create(builder, loc, type, name);
}

/// Elements of the table at `at`, of the builder's integer type.
Value lookUp(MathBuilder &b, Value table, Value at) {
  OpBuilder &builder = b.getBuilder();
  Location loc = b.getLoc();
  auto vector = dyn_cast<VectorType>(at.getType());
  if (!vector) {
    Value index = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), at);
    return memref::LoadOp::create(builder, loc, table, index);
  }
  int64_t lanes = vector.getNumElements();
  auto flat = VectorType::get(lanes, builder.getF64Type());
  auto constant = [&](Attribute value) -> Value {
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value places = mlir::vector::ShapeCastOp::create(
      builder, loc, VectorType::get(lanes, builder.getI64Type()), at);
  Value all = constant(DenseElementsAttr::get(
      VectorType::get(lanes, builder.getI1Type()), true));
  Value none = constant(DenseElementsAttr::get(flat, 0.0));
  Value found = mlir::vector::GatherOp::create(
      builder, loc, flat, table, ValueRange{zero}, places, all, none);
  return mlir::vector::ShapeCastOp::create(
      builder, loc, vector.clone(builder.getF64Type()), found);
}

struct Sum {
  Value value;
  Value error;
};
Sum addExactly(MathBuilder &b, Value x, Value y) {
  Value sum = b.add(x, y);
  Value other = b.sub(sum, x);
  Value error = b.add(b.sub(x, b.sub(sum, other)), b.sub(y, other));
  return {sum, error};
}

/// The angle of a number of f64, by x * 2/pi in four products (after Payne and
/// Hanek).
Angle reduceDouble(MathBuilder &b, Value x) {
  OpBuilder &builder = b.getBuilder();
  Location loc = b.getLoc();
  // The row from the exponent, whose bias is 1023.
  Value raw = b.toBits(b.abs(x));
  Value exponent = b.shiftRight(raw, 52);
  Value excess = arith::MaxSIOp::create(
      builder, loc, b.subBits(exponent, b.bits(1023 + 52)), b.bits(0));
  Value first = b.andBits(excess, b.bits(-kStep));
  first = arith::MinSIOp::create(builder, loc, first,
                                 b.bits((kRows - 1) * kStep));
  Value k = b.fromBits(b.subBits(b.toBits(x), b.shiftLeft(first, 52)));
  // Infinities have no angle.
  k = b.add(k, b.sub(x, x));
  static_assert(kStep == kParts, "a row has as many parts as a step has bits");
  Value table = findTable(builder, loc);
  Value parts[kParts];
  for (int64_t i = 0; i < kParts; ++i)
    parts[i] = lookUp(b, table, b.addBits(first, b.bits(i)));

  Value p0 = b.mul(k, parts[0]);
  Value e0 = b.fma(k, parts[0], b.neg(p0));
  Value p1 = b.mul(k, parts[1]);
  Value e1 = b.fma(k, parts[1], b.neg(p1));
  Value p2 = b.mul(k, parts[2]);
  Value e2 = b.fma(k, parts[2], b.neg(p2));
  Value rest = b.fma(k, parts[3], e2);
  // Whole circles of four quarters go first.
  Value circles = math::RoundEvenOp::create(builder, loc,
                                            b.mul(p0, b.constant(0.25)));
  Value quarters = b.fma(circles, b.constant(-4.0), p0);
  Sum near = addExactly(b, quarters, e0);
  Sum all = addExactly(b, near.value, p1);
  auto n = b.round(all.value, b.constant(1.0));
  Value fraction = b.sub(all.value, n.value);
  Sum low = addExactly(b, b.add(near.error, all.error), p2);
  low = {low.value, b.add(low.error, b.add(e1, rest))};
  Sum f = addExactly(b, fraction, low.value);
  Value fLow = b.add(f.error, low.error);
  Value f0 = b.add(f.value, fLow);
  fLow = b.add(b.sub(f.value, f0), fLow);
  // Times pi/2.
  Value r = b.mul(f0, b.constant(kHalfPi));
  Value rLow = b.fma(f0, b.constant(kHalfPi), b.neg(r));
  rLow = b.fma(f0, b.constant(kHalfPiLow), rLow);
  rLow = b.fma(fLow, b.constant(kHalfPi), rLow);
  return {r, rLow, n.integer};
}

} // namespace

Angle ferrule::cpu::reduceAngle(MathBuilder &b, Value x) {
  if (!b.isOfSingle())
    return reduceDouble(b, x);
  auto [p, extra] = shrinkSingle(b, x);
  return reduceOrdinary(b, p, extra);
}
