// ferrule.cholesky and ferrule.triangular_solve as loops: the textbook
// column-by-column and substitution algorithms.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

namespace {

/// Arithmetic on float or complex scalars.
struct Field {
  LoopBuilder &b;
  Type type;

  bool isComplex() const { return isa<ComplexType>(type); }
  Value constant(double value) {
    if (!isComplex())
      return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
    Type part = cast<ComplexType>(type).getElementType();
    Value re = arith::ConstantOp::create(b, b.getFloatAttr(part, value));
    Value im = arith::ConstantOp::create(b, b.getFloatAttr(part, 0.0));
    return complex::CreateOp::create(b, type, re, im);
  }
  template <typename FloatOp, typename ComplexOp> Value binary(Value x, Value y) {
    if (isComplex())
      return ComplexOp::create(b, x, y);
    return FloatOp::create(b, x, y);
  }
  Value sub(Value x, Value y) {
    return binary<arith::SubFOp, complex::SubOp>(x, y);
  }
  Value mul(Value x, Value y) {
    return binary<arith::MulFOp, complex::MulOp>(x, y);
  }
  Value div(Value x, Value y) {
    return binary<arith::DivFOp, complex::DivOp>(x, y);
  }
  Value conj(Value x) {
    return isComplex() ? Value(complex::ConjOp::create(b, x)) : x;
  }
  /// The root of a diagonal entry, whose imaginary part is zero.
  Value sqrt(Value x) {
    if (!isComplex())
      return math::SqrtOp::create(b, x);
    Value root = math::SqrtOp::create(b, complex::ReOp::create(b, x));
    Value im = arith::ConstantOp::create(b, b.getZeroAttr(root.getType()));
    return complex::CreateOp::create(b, type, root, im);
  }
};

/// The matrix of a batch position, perhaps read transposed and conjugated.
struct Matrix {
  LoopBuilder &b;
  Field &field;
  Value memref;
  SmallVector<Value> batch;
  bool transposed, conjugated;

  SmallVector<Value> at(Value i, Value j) {
    SmallVector<Value> position(batch);
    position[batch.size() - 2] = transposed ? j : i;
    position[batch.size() - 1] = transposed ? i : j;
    return position;
  }
  Value load(Value i, Value j) {
    Value value = b.load(memref, at(i, j));
    return conjugated ? field.conj(value) : value;
  }
  void store(Value value, Value i, Value j) {
    b.store(conjugated ? field.conj(value) : value, memref, at(i, j));
  }
};

} // namespace

static Type elementOf(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

LogicalResult CholeskyOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  Field field{b, elementOf(getInputs()[0])};
  Value zero = b.index(0), one = b.index(1);
  int64_t rank = cast<MemRefType>(getInputs()[0].getType()).getRank();
  b.loopOver(getInputs()[0], getBatchDims(*this), [&](SmallVector<Value> at) {
    // The upper factor is the lower one, read and written transposed.
    bool flip = getUpper();
    Matrix a{b, field, getInputs()[0], at, flip, flip};
    Matrix l{b, field, getOutputs()[0], at, flip, flip};
    Value n = b.dim(getInputs()[0], rank - 1);
    auto remainder = [&](Value i, Value j) {
      return b.loop(zero, j, a.load(i, j),
                    [&](Value k, ValueRange acc) -> SmallVector<Value> {
                      Value term =
                          field.mul(l.load(i, k), field.conj(l.load(j, k)));
                      return {field.sub(acc[0], term)};
                    })[0];
    };
    b.loop(zero, n, [&](Value j) {
      b.loop(zero, j, [&](Value i) { l.store(field.constant(0), i, j); });
      Value pivot = field.sqrt(remainder(j, j));
      l.store(pivot, j, j);
      b.loop(b.add(j, one), n, [&](Value i) {
        l.store(field.div(remainder(i, j), pivot), i, j);
      });
    });
  });
  return success();
}

LogicalResult TriangularSolveOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  Field field{b, elementOf(getInputs()[0])};
  Value zero = b.index(0), one = b.index(1);
  int64_t rank = cast<MemRefType>(getInputs()[0].getType()).getRank();
  b.loopOver(getInputs()[0], getBatchDims(*this), [&](SmallVector<Value> at) {
    // X op(A) = B is op(A)^T X^T = B^T.
    bool right = getRight(), transposed = getTranspose() != right;
    Matrix a{b, field, getInputs()[0], at, transposed, getConjugate()};
    Matrix rhs{b, field, getInputs()[1], at, right, false};
    Matrix x{b, field, getOutputs()[0], at, right, false};
    bool forward = getUpper() == transposed;
    Value n = b.dim(getInputs()[0], rank - 1);
    Value columns = b.dim(getInputs()[1], right ? rank - 2 : rank - 1);
    b.loop(zero, n, [&](Value step) {
      Value i = forward ? step : b.sub(b.sub(n, one), step);
      Value from = forward ? zero : b.add(i, one);
      b.loop(zero, columns, [&](Value c) {
        Value sum = b.loop(
            from, forward ? i : n, rhs.load(i, c),
            [&](Value k, ValueRange acc) -> SmallVector<Value> {
              Value term = field.mul(a.load(i, k), x.load(k, c));
              return {field.sub(acc[0], term)};
            })[0];
        if (!getUnitDiagonal())
          sum = field.div(sum, a.load(i, i));
        x.store(sum, i, c);
      });
    });
  });
  return success();
}
