// Elementwise operations with NumPy's broadcasting, static and dynamic.
#ifndef FERRULE_FRONTEND_SUPPORT_ELEMENTWISE_H
#define FERRULE_FRONTEND_SUPPORT_ELEMENTWISE_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Constants.h"

namespace ferrule::frontend {

using Direction = stablehlo::ComparisonDirection;

/// `value` spread over `sizes`: dimensions align at the end, a size of 1 is
/// repeated. Any other size must equal the target at run time.
mlir::Value broadcastTo(HloBuilder &b, mlir::Value value,
                        llvm::ArrayRef<Size> sizes);
/// The same where operand dimension i becomes result dimension dims[i].
mlir::Value broadcastInDim(HloBuilder &b, mlir::Value value,
                           llvm::ArrayRef<Size> sizes,
                           llvm::ArrayRef<int64_t> dims);
/// The common shape of several values. Where two unknown sizes meet that are
/// not proved equal, the choice is made at run time.
Sizes broadcastSizes(HloBuilder &b, mlir::ValueRange values);
/// All values broadcast to their common shape.
llvm::SmallVector<mlir::Value> broadcastTogether(HloBuilder &b,
                                                 mlir::ValueRange values);

/// Element type conversion. To boolean: "is not zero"; float to integer
/// truncates; complex to real drops the imaginary part.
mlir::Value convert(HloBuilder &b, mlir::Value value, mlir::Type element);

/// A unary op whose result has the operand's type.
template <typename OpT> mlir::Value unary(HloBuilder &b, mlir::Value x) {
  return OpT::create(b, x.getType(), x);
}

/// The type of an elementwise result: a size known for one operand is known.
mlir::RankedTensorType mergedType(mlir::ValueRange values, mlir::Type element);

/// A binary op after broadcasting; both have the same element type.
template <typename OpT>
mlir::Value binary(HloBuilder &b, mlir::Value x, mlir::Value y) {
  auto v = broadcastTogether(b, {x, y});
  return OpT::create(b, mergedType(v, elementOf(x)), v[0], v[1]);
}
/// With a number as second operand, of the first one's element type.
template <typename OpT>
mlir::Value binary(HloBuilder &b, mlir::Value x, double y) {
  return OpT::create(b, x.getType(), x, fullLike(b, x, y));
}

#define FERRULE_BINARY(name, op)                                               \
  inline mlir::Value name(HloBuilder &b, mlir::Value x, mlir::Value y) {       \
    return binary<stablehlo::op>(b, x, y);                                     \
  }                                                                            \
  inline mlir::Value name(HloBuilder &b, mlir::Value x, double y) {            \
    return binary<stablehlo::op>(b, x, y);                                     \
  }
FERRULE_BINARY(add, AddOp)
FERRULE_BINARY(sub, SubtractOp)
FERRULE_BINARY(mul, MulOp)
FERRULE_BINARY(div, DivOp)
FERRULE_BINARY(maximum, MaxOp)
FERRULE_BINARY(minimum, MinOp)
FERRULE_BINARY(power, PowOp)
FERRULE_BINARY(remainder, RemOp)
FERRULE_BINARY(atan2, Atan2Op)
FERRULE_BINARY(bitAnd, AndOp)
FERRULE_BINARY(bitOr, OrOp)
FERRULE_BINARY(bitXor, XorOp)
FERRULE_BINARY(shiftLeft, ShiftLeftOp)
#undef FERRULE_BINARY

#define FERRULE_UNARY(name, op)                                                \
  inline mlir::Value name(HloBuilder &b, mlir::Value x) {                      \
    return unary<stablehlo::op>(b, x);                                         \
  }
FERRULE_UNARY(neg, NegOp)
FERRULE_UNARY(exp, ExpOp)
FERRULE_UNARY(expm1, Expm1Op)
FERRULE_UNARY(log, LogOp)
FERRULE_UNARY(log1p, Log1pOp)
FERRULE_UNARY(sqrt, SqrtOp)
FERRULE_UNARY(rsqrt, RsqrtOp)
FERRULE_UNARY(tanh, TanhOp)
FERRULE_UNARY(sigmoid, LogisticOp)
FERRULE_UNARY(sin, SineOp)
FERRULE_UNARY(cos, CosineOp)
FERRULE_UNARY(floor, FloorOp)
FERRULE_UNARY(ceil, CeilOp)
FERRULE_UNARY(roundEven, RoundNearestEvenOp)
FERRULE_UNARY(logicalNot, NotOp)
#undef FERRULE_UNARY

/// Absolute value; of a complex tensor, a real one.
mlir::Value abs(HloBuilder &b, mlir::Value x);

/// Comparison after broadcasting, floats by IEEE, integers by signedness.
mlir::Value compare(HloBuilder &b, Direction direction, mlir::Value x,
                    mlir::Value y);
mlir::Value compare(HloBuilder &b, Direction direction, mlir::Value x,
                    double y);
/// Where `condition` (i1) holds x, else y; all three are broadcast.
mlir::Value select(HloBuilder &b, mlir::Value condition, mlir::Value x,
                   mlir::Value y);
mlir::Value isNaN(HloBuilder &b, mlir::Value x);
mlir::Value isInf(HloBuilder &b, mlir::Value x);

/// min(max(x, low), high) with scalar or equally shaped bounds; either may be
/// null. NaN stays NaN.
mlir::Value clamp(HloBuilder &b, mlir::Value x, mlir::Value low,
                  mlir::Value high);
mlir::Value clamp(HloBuilder &b, mlir::Value x, double low, double high);

/// Division rounded towards zero and towards minus infinity, on integers and
/// floats; the remainders that go with them. Integer division by zero does
/// not trap. `floorMod` has the sign of the divisor (Python's %).
mlir::Value truncDiv(HloBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value floorDiv(HloBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value floorMod(HloBuilder &b, mlir::Value x, mlir::Value y);
/// x to the power y. Integers by repeated squaring semantics of the op.
mlir::Value square(HloBuilder &b, mlir::Value x);
mlir::Value reciprocal(HloBuilder &b, mlir::Value x);
/// Rounds towards zero.
mlir::Value trunc(HloBuilder &b, mlir::Value x);

/// Bits shifted right: with the sign for signed, with zeros for unsigned.
mlir::Value shiftRight(HloBuilder &b, mlir::Value x, mlir::Value y);

/// f16 and bf16 (and smaller) become f32; other types stay.
mlir::Type computeType(mlir::Type element);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_ELEMENTWISE_H
