// Result types of operations from the types of their operands, for frontends
// and passes as well as for the operations themselves. All are total over
// unknown sizes: what is not known stays unknown. Each reports what is wrong
// at `loc` when one is given; messages begin with the code of the violated
// constraint in the specification.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOINFERENCE_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOINFERENCE_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

namespace ferrule::stablehlo {

using mlir::ArrayRef;
using mlir::FailureOr;
using mlir::RankedTensorType;
using mlir::Type;
using mlir::TypeRange;
using OptionalLoc = std::optional<mlir::Location>;

/// The most that is known of one size from two views of it; fails when they
/// contradict each other.
FailureOr<int64_t> mergeSizes(int64_t left, int64_t right);

/// The common type of tensors that must have equal shapes, with the element
/// type of the first (of quantized ones the first that is quantized). Each
/// size is known when it is known of any of them.
FailureOr<RankedTensorType> inferElementwise(OptionalLoc loc, TypeRange types);

/// `type` with other elements.
RankedTensorType withElement(Type type, Type element);

/// The product of some sizes, dynamic when one is.
int64_t multiplySizes(ArrayRef<int64_t> sizes);

/// Size of a dimension of length `input` after padding and dilation, seen
/// through a window: the number of its positions.
int64_t inferWindowedSize(int64_t input, const WindowDimension &window);
/// Length after dilation: 0 stays 0.
int64_t dilatedSize(int64_t size, int64_t dilation);
/// Window parameters from attributes; empty lists stand for defaults.
/// `padding` holds low and high in turn.
FailureOr<llvm::SmallVector<WindowDimension>>
makeWindow(OptionalLoc loc, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
           ArrayRef<int64_t> padding, ArrayRef<int64_t> baseDilations,
           ArrayRef<int64_t> windowDilations, ArrayRef<bool> reversal);
/// The same with `padding` as its attribute, which may be null.
FailureOr<llvm::SmallVector<WindowDimension>>
makeWindow(OptionalLoc loc, ArrayRef<int64_t> sizes,
           std::optional<ArrayRef<int64_t>> strides,
           std::optional<mlir::DenseIntElementsAttr> padding,
           std::optional<ArrayRef<int64_t>> baseDilations,
           std::optional<ArrayRef<int64_t>> windowDilations,
           std::optional<ArrayRef<bool>> reversal = std::nullopt);

FailureOr<RankedTensorType> inferTranspose(OptionalLoc loc, Type operand,
                                           ArrayRef<int64_t> permutation);
FailureOr<RankedTensorType> inferSlice(OptionalLoc loc, Type operand,
                                       ArrayRef<int64_t> starts,
                                       ArrayRef<int64_t> limits,
                                       ArrayRef<int64_t> strides);
FailureOr<RankedTensorType> inferConcatenate(OptionalLoc loc, TypeRange inputs,
                                             int64_t dimension);
FailureOr<RankedTensorType> inferPad(OptionalLoc loc, Type operand, Type value,
                                     ArrayRef<int64_t> low,
                                     ArrayRef<int64_t> high,
                                     ArrayRef<int64_t> interior);
FailureOr<RankedTensorType> inferDynamicSlice(OptionalLoc loc, Type operand,
                                              size_t indices,
                                              ArrayRef<int64_t> sizes);
FailureOr<RankedTensorType> inferGather(OptionalLoc loc, Type operand,
                                        Type indices,
                                        GatherDimensionNumbersAttr dims,
                                        ArrayRef<int64_t> sliceSizes);
/// `element` null: that of lhs.
FailureOr<RankedTensorType> inferDotGeneral(OptionalLoc loc, Type lhs, Type rhs,
                                            DotDimensionNumbersAttr dims,
                                            Type element = {});
/// `window` holds one entry a spatial dimension, with the kernel's sizes.
FailureOr<RankedTensorType>
inferConvolution(OptionalLoc loc, Type lhs, Type rhs,
                 ConvDimensionNumbersAttr dims,
                 ArrayRef<WindowDimension> window, int64_t featureGroupCount,
                 int64_t batchGroupCount, Type element = {});
/// Shape of each result, with the inputs' element types.
mlir::LogicalResult inferReduce(OptionalLoc loc, TypeRange inputs,
                                TypeRange initValues,
                                ArrayRef<int64_t> dimensions,
                                llvm::SmallVectorImpl<Type> &results);
mlir::LogicalResult inferReduceWindow(OptionalLoc loc, TypeRange inputs,
                                      TypeRange initValues,
                                      ArrayRef<WindowDimension> window,
                                      llvm::SmallVectorImpl<Type> &results);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOINFERENCE_H
