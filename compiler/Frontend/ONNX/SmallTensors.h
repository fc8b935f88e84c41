// Integer tensors of a few elements that hold sizes: ops on them become scalar
// arithmetic whose known parts fold while importing, so that the shapes of
// what is built from them are as static as the model allows.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_SMALLTENSORS_H
#define FERRULE_COMPILER_FRONTEND_ONNX_SMALLTENSORS_H

#include "compiler/Frontend/ONNX/NodeContext.h"

namespace ferrule::onnx {

/// Whether `value` is an integer or boolean tensor of rank 0 or 1 with at most
/// 16 elements that the importer itself computes from sizes and constants.
bool isSmall(mlir::Value value);
bool areSmall(mlir::ValueRange values);

/// The elements of a small tensor; booleans as 0 and 1.
frontend::Sizes elementsOf(frontend::HloBuilder &b, mlir::Value value);

/// The small tensor of the given elements, with `type`'s element type and
/// rank.
mlir::Value fromElements(frontend::HloBuilder &b,
                         llvm::ArrayRef<frontend::Size> elements,
                         mlir::Type elementType, int64_t rank);

/// The sizes that input `i` holds: an integer tensor of rank 1 whose length is
/// static. Fails with an error that names `what`.
mlir::FailureOr<frontend::Sizes> sizesInput(NodeContext &op, size_t i,
                                            StringRef what);

/// The one size that input `i` holds.
mlir::FailureOr<frontend::Size> sizeInput(NodeContext &op, size_t i,
                                          StringRef what);

using SizeFunction = std::optional<frontend::Size> (*)(frontend::HloBuilder &,
                                                       frontend::Size,
                                                       frontend::Size);

/// The elementwise op `fn` on small tensors with NumPy broadcasting; null when
/// an operand is not small or `fn` declines.
mlir::Value combineSmall(frontend::HloBuilder &b, mlir::Value x, mlir::Value y,
                         SizeFunction fn, mlir::Type resultElement);

/// Comparisons of sizes as 0 or 1, folded where the outcome is certain.
frontend::Size compareSizes(frontend::HloBuilder &b, StringRef direction,
                            frontend::Size x, frontend::Size y);
/// x where `condition` is not 0, else y.
frontend::Size selectSize(frontend::HloBuilder &b, frontend::Size condition,
                          frontend::Size x, frontend::Size y);
/// Division that truncates, as ONNX divides integers.
frontend::Size truncDivSize(frontend::HloBuilder &b, frontend::Size x,
                            frontend::Size y);

/// Whether a scalar or small tensor is computed from sizes and constants alone.
bool isFromSizes(mlir::Value value);

/// A constant of at most 64 elements rearranged: element i of the result is
/// the element of `x` whose place along each dimension `source` tells. Null
/// when x is no such constant.
mlir::Value rearrangeConstant(
    frontend::HloBuilder &b, mlir::Value x, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<int64_t(llvm::ArrayRef<int64_t> place, int64_t dim)>
        source);

/// A constant of a float type; the numbers are rounded to it.
mlir::Value floatConstant(frontend::HloBuilder &b, mlir::RankedTensorType type,
                          llvm::ArrayRef<double> values);

/// Host-side folding of elementwise float ops on constants of at most 64
/// elements, which scales and other parameters go through. Null when an
/// operand is not such a constant.
mlir::Value foldFloats(frontend::HloBuilder &b, mlir::Value x,
                       double (*fn)(double));
mlir::Value foldFloats(frontend::HloBuilder &b, mlir::Value x, mlir::Value y,
                       double (*fn)(double, double));

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_SMALLTENSORS_H
