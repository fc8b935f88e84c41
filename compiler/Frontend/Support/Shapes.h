// Sizes of tensors while a frontend builds StableHLO: numbers where they are
// known, scalar values where they are not, and arithmetic over both.
#ifndef FERRULE_FRONTEND_SUPPORT_SHAPES_H
#define FERRULE_FRONTEND_SUPPORT_SHAPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <optional>

namespace ferrule::frontend {

/// The builder that all functions of this folder take: an insertion point and
/// a location, and what the frontend knows about unknown sizes.
class HloBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// Whether an unknown size is never 1 where it meets another size in a
  /// broadcast. PyTorch decides that while it traces, so there it holds; an
  /// ONNX file leaves it to the run.
  bool unknownSizesAgree = false;
};

/// The size of a dimension: a number, or a scalar `tensor<i64>`.
class Size {
public:
  Size(int64_t number) : number(number) {}
  /// `scalar` is a tensor<i64>; a constant becomes a number.
  Size(mlir::Value scalar);

  bool isStatic() const { return !scalar; }
  bool is(int64_t n) const { return !scalar && number == n; }
  int64_t getStatic() const {
    assert(isStatic());
    return number;
  }
  /// The number, or ShapedType::kDynamic.
  int64_t getStaticOrDynamic() const {
    return scalar ? mlir::ShapedType::kDynamic : number;
  }
  /// The scalar of a size that is not static.
  mlir::Value getScalar() const { return scalar; }
  /// As a tensor<i64>, built when the size is a number.
  mlir::Value materialize(HloBuilder &b) const;

private:
  int64_t number = 0;
  mlir::Value scalar;
};
using Sizes = llvm::SmallVector<Size>;

/// Arithmetic; numbers fold. Division rounds towards minus infinity
/// (floorDiv) or plus infinity (ceilDiv); the divisor must be positive.
Size add(HloBuilder &b, Size x, Size y);
Size sub(HloBuilder &b, Size x, Size y);
Size mul(HloBuilder &b, Size x, Size y);
Size floorDiv(HloBuilder &b, Size x, Size y);
Size ceilDiv(HloBuilder &b, Size x, Size y);
Size maximum(HloBuilder &b, Size x, Size y);
Size minimum(HloBuilder &b, Size x, Size y);
/// x where the condition `x != avoid` holds, else y.
Size orElse(HloBuilder &b, Size x, int64_t avoid, Size y);
/// An index counted from the end when negative, made to count from the start.
Size wrapIndex(HloBuilder &b, Size index, Size size);

/// A scalar integer (any width, rank 0 or one element) as a size.
Size toSize(HloBuilder &b, mlir::Value scalar);

/// The size of a dimension of `value`, read as near to the program's inputs as
/// possible, so that equal sizes are seen to be equal.
Size sizeOf(HloBuilder &b, mlir::Value value, int64_t dim);
Sizes sizesOf(HloBuilder &b, mlir::Value value);
/// The product of sizes.
Size product(HloBuilder &b, llvm::ArrayRef<Size> sizes);
Size numElements(HloBuilder &b, mlir::Value value);

/// True when both sizes are proved equal; false means "not known".
bool knownEqual(Size x, Size y);
/// The same for dimensions, without building anything.
bool knownEqual(mlir::Value x, int64_t xDim, mlir::Value y, int64_t yDim);

/// A tensor<Nxi64> of the sizes.
mlir::Value shapeTensor(HloBuilder &b, llvm::ArrayRef<Size> sizes);
/// The elements of a one-dimensional integer tensor of static length.
Sizes sizesFromTensor(HloBuilder &b, mlir::Value shape);

bool allStatic(llvm::ArrayRef<Size> sizes);
llvm::SmallVector<int64_t> staticShape(llvm::ArrayRef<Size> sizes);
mlir::RankedTensorType tensorOf(llvm::ArrayRef<Size> sizes, mlir::Type element);
inline Sizes toSizes(llvm::ArrayRef<int64_t> numbers) {
  return Sizes(numbers.begin(), numbers.end());
}

/// Shorthands for the type of a tensor value.
mlir::RankedTensorType typeOf(mlir::Value value);
inline mlir::Type elementOf(mlir::Value value) {
  return typeOf(value).getElementType();
}
inline int64_t rankOf(mlir::Value value) { return typeOf(value).getRank(); }
/// A dimension in [-rank, rank) counted from the start.
inline int64_t wrapDim(int64_t dim, int64_t rank) {
  return dim < 0 ? dim + rank : dim;
}

/// The integers of a constant tensor, or none.
std::optional<llvm::SmallVector<int64_t>> constantInts(mlir::Value value);
/// The number in a constant with one element, or none.
std::optional<double> constantNumber(mlir::Value value);

/// `value` with its type made more precise: each size that `type` knows and
/// the value's type does not is a fact that holds at run time.
mlir::Value refineType(HloBuilder &b, mlir::Value value,
                       mlir::RankedTensorType type);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SHAPES_H
