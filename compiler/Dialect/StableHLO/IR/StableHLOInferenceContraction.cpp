// Result types of gather, dot_general and convolution.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOBounds.h"

using namespace mlir;
namespace ferrule::stablehlo {

static bool isDynamic(int64_t size) { return ShapedType::isDynamic(size); }
static RankedTensorType tensor(Type type) {
  return cast<RankedTensorType>(type);
}

/// Marks `dims` as used; fails when one is out of range or used twice.
static LogicalResult useDims(OptionalLoc loc, StringRef code, StringRef name,
                             ArrayRef<int64_t> dims,
                             llvm::SmallBitVector &used) {
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= static_cast<int64_t>(used.size()))
      return emitOptionalError(loc, code, ": found dimension ", dim, " in ",
                               name, " for rank ", used.size());
    if (used.test(dim))
      return emitOptionalError(loc, code, ": found dimension ", dim, " of ",
                               name, " twice");
    used.set(dim);
  }
  return success();
}

static LogicalResult checkPairs(OptionalLoc loc, StringRef code, StringRef name,
                                RankedTensorType lhs, ArrayRef<int64_t> lhsDims,
                                RankedTensorType rhs,
                                ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return emitOptionalError(loc, code, ": found ", lhsDims.size(), " and ",
                             rhsDims.size(), " ", name,
                             " dimensions, expected as many on both sides");
  return success();
}

static LogicalResult checkPairSizes(OptionalLoc loc, StringRef code,
                                    StringRef name, RankedTensorType lhs,
                                    ArrayRef<int64_t> lhsDims,
                                    RankedTensorType rhs,
                                    ArrayRef<int64_t> rhsDims) {
  for (auto [l, r] : llvm::zip(lhsDims, rhsDims))
    if (failed(mergeSizes(lhs.getDimSize(l), rhs.getDimSize(r))))
      return emitOptionalError(loc, code, ": found sizes ", lhs.getDimSize(l),
                               " and ", rhs.getDimSize(r), " in ", name,
                               " dimensions, expected equal ones");
  return success();
}

FailureOr<RankedTensorType> inferDotGeneral(OptionalLoc loc, Type lhsType,
                                            Type rhsType,
                                            DotDimensionNumbersAttr dims,
                                            Type element) {
  auto lhs = tensor(lhsType), rhs = tensor(rhsType);
  ArrayRef<int64_t> lb = dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rb = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lc = dims.getLhsContractingDimensions();
  ArrayRef<int64_t> rc = dims.getRhsContractingDimensions();
  llvm::SmallBitVector lhsUsed(lhs.getRank()), rhsUsed(rhs.getRank());
  if (failed(checkPairs(loc, "C1", "batching", lhs, lb, rhs, rb)) ||
      failed(checkPairs(loc, "C2", "contracting", lhs, lc, rhs, rc)) ||
      failed(useDims(loc, "C3", "lhs_batching_dimensions", lb, lhsUsed)) ||
      failed(useDims(loc, "C3", "lhs_contracting_dimensions", lc, lhsUsed)) ||
      failed(useDims(loc, "C4", "rhs_batching_dimensions", rb, rhsUsed)) ||
      failed(useDims(loc, "C4", "rhs_contracting_dimensions", rc, rhsUsed)) ||
      failed(checkPairSizes(loc, "C9", "batching", lhs, lb, rhs, rb)) ||
      failed(checkPairSizes(loc, "C10", "contracting", lhs, lc, rhs, rc)))
    return failure();
  SmallVector<int64_t> shape, bounds;
  SmallVector<int64_t> lhsBounds = boundsOf(lhs), rhsBounds = boundsOf(rhs);
  for (auto [l, r] : llvm::zip(lb, rb)) {
    shape.push_back(*mergeSizes(lhs.getDimSize(l), rhs.getDimSize(r)));
    int64_t left = lhsBounds[l], right = rhsBounds[r];
    bounds.push_back(isDynamic(left)    ? right
                     : isDynamic(right) ? left
                                        : std::min(left, right));
  }
  auto addFree = [&](RankedTensorType type, ArrayRef<int64_t> own,
                     const llvm::SmallBitVector &used) {
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (!used.test(i)) {
        shape.push_back(type.getDimSize(i));
        bounds.push_back(own[i]);
      }
  };
  addFree(lhs, lhsBounds, lhsUsed);
  addFree(rhs, rhsBounds, rhsUsed);
  return makeBounded(shape, bounds, element ? element : lhs.getElementType());
}

/// Checks that one side's layout of a convolution names each dimension once.
static LogicalResult checkLayout(OptionalLoc loc, StringRef code,
                                 StringRef name, int64_t rank, int64_t first,
                                 int64_t second, ArrayRef<int64_t> spatial) {
  llvm::SmallBitVector used(rank);
  SmallVector<int64_t> all = {first, second};
  llvm::append_range(all, spatial);
  return useDims(loc, code, name, all, used);
}

static LogicalResult checkGroups(OptionalLoc loc, RankedTensorType lhs,
                                 RankedTensorType rhs,
                                 ConvDimensionNumbersAttr dims,
                                 int64_t featureGroups, int64_t batchGroups) {
  if (featureGroups <= 0 || batchGroups <= 0)
    return emitOptionalError(loc, "C21: found feature_group_count ",
                             featureGroups, " and batch_group_count ",
                             batchGroups, ", expected at least 1");
  if (featureGroups > 1 && batchGroups > 1)
    return emitOptionalError(loc, "C23: found feature_group_count ",
                             featureGroups, " and batch_group_count ",
                             batchGroups, ", expected one of them to be 1");
  int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  int64_t features = lhs.getDimSize(dims.getInputFeatureDimension());
  int64_t kernelIn = rhs.getDimSize(dims.getKernelInputFeatureDimension());
  int64_t kernelOut = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if (!isDynamic(batch) && batch % batchGroups != 0)
    return emitOptionalError(loc, "C10: found batch size ", batch,
                             " for batch_group_count ", batchGroups);
  if (!isDynamic(features) && features % featureGroups != 0)
    return emitOptionalError(loc, "C11: found ", features,
                             " input features for feature_group_count ",
                             featureGroups);
  if (!isDynamic(features) && !isDynamic(kernelIn) &&
      features / featureGroups != kernelIn)
    return emitOptionalError(loc, "C14: found ", kernelIn,
                             " input features in the kernel, expected ",
                             features, " / ", featureGroups);
  if (!isDynamic(kernelOut) && kernelOut % batchGroups != 0)
    return emitOptionalError(loc, "C15: found ", kernelOut,
                             " output features for batch_group_count ",
                             batchGroups);
  if (!isDynamic(kernelOut) && kernelOut % featureGroups != 0)
    return emitOptionalError(loc, "C16: found ", kernelOut,
                             " output features for feature_group_count ",
                             featureGroups);
  return success();
}

FailureOr<RankedTensorType>
inferConvolution(OptionalLoc loc, Type lhsType, Type rhsType,
                 ConvDimensionNumbersAttr dims,
                 ArrayRef<WindowDimension> window, int64_t featureGroupCount,
                 int64_t batchGroupCount, Type element) {
  auto lhs = tensor(lhsType), rhs = tensor(rhsType);
  int64_t rank = lhs.getRank();
  if (rank != rhs.getRank() || rank < 2)
    return emitOptionalError(loc, "C1: found operands of rank ", rank, " and ",
                             rhs.getRank(),
                             ", expected equal ranks, at least 2");
  auto hasSpatial = [&](ArrayRef<int64_t> spatial) {
    return static_cast<int64_t>(spatial.size()) == rank - 2;
  };
  if (!hasSpatial(dims.getInputSpatialDimensions()) ||
      !hasSpatial(dims.getKernelSpatialDimensions()) ||
      !hasSpatial(dims.getOutputSpatialDimensions()) ||
      static_cast<int64_t>(window.size()) != rank - 2)
    return emitOptionalError(loc,
                             "C12: found layouts of other ranks than the "
                             "operands', expected ",
                             rank - 2, " spatial dimensions");
  if (failed(checkLayout(
          loc, "C13", "the input's layout", rank, dims.getInputBatchDimension(),
          dims.getInputFeatureDimension(), dims.getInputSpatialDimensions())) ||
      failed(checkLayout(loc, "C18", "the kernel's layout", rank,
                         dims.getKernelInputFeatureDimension(),
                         dims.getKernelOutputFeatureDimension(),
                         dims.getKernelSpatialDimensions())) ||
      failed(checkLayout(loc, "C20", "the output's layout", rank,
                         dims.getOutputBatchDimension(),
                         dims.getOutputFeatureDimension(),
                         dims.getOutputSpatialDimensions())) ||
      failed(
          checkGroups(loc, lhs, rhs, dims, featureGroupCount, batchGroupCount)))
    return failure();
  // The same for sizes and for their bounds.
  auto outputSizes = [&](ArrayRef<int64_t> input, ArrayRef<int64_t> kernel) {
    SmallVector<int64_t> sizes(rank);
    int64_t batch = input[dims.getInputBatchDimension()];
    sizes[dims.getOutputBatchDimension()] =
        isDynamic(batch) ? batch : batch / batchGroupCount;
    sizes[dims.getOutputFeatureDimension()] =
        kernel[dims.getKernelOutputFeatureDimension()];
    for (auto [i, in, out] : llvm::enumerate(dims.getInputSpatialDimensions(),
                                             dims.getOutputSpatialDimensions()))
      sizes[out] = inferWindowedSize(input[in], window[i]);
    return sizes;
  };
  return makeBounded(outputSizes(lhs.getShape(), rhs.getShape()),
                     outputSizes(boundsOf(lhs), boundsOf(rhs)),
                     element ? element : lhs.getElementType());
}

static LogicalResult checkGather(OptionalLoc loc, RankedTensorType operand,
                                 RankedTensorType indices,
                                 GatherDimensionNumbersAttr dims,
                                 ArrayRef<int64_t> sliceSizes) {
  int64_t rank = operand.getRank();
  size_t dropped = dims.getCollapsedSliceDims().size() +
                   dims.getOperandBatchingDims().size();
  if (static_cast<int64_t>(dims.getOffsetDims().size() + dropped) != rank)
    return emitOptionalError(loc, "C1: found ", dims.getOffsetDims().size(),
                             " offset and ", dropped,
                             " collapsed or batching dimensions for an operand "
                             "of rank ",
                             rank);
  int64_t vectorDim = dims.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return emitOptionalError(loc, "C2: found index_vector_dim ", vectorDim,
                             " for indices of rank ", indices.getRank());
  int64_t vectorSize =
      vectorDim == indices.getRank() ? 1 : indices.getDimSize(vectorDim);
  if (!isDynamic(vectorSize) &&
      vectorSize != static_cast<int64_t>(dims.getStartIndexMap().size()))
    return emitOptionalError(loc, "C3: found ", dims.getStartIndexMap().size(),
                             " dimensions in start_index_map for index vectors "
                             "of size ",
                             vectorSize);
  llvm::SmallBitVector used(rank), mapped(rank);
  if (failed(useDims(loc, "C6", "collapsed_slice_dims",
                     dims.getCollapsedSliceDims(), used)) ||
      failed(useDims(loc, "C9", "operand_batching_dims",
                     dims.getOperandBatchingDims(), used)) ||
      failed(useDims(loc, "C17", "start_index_map", dims.getStartIndexMap(),
                     mapped)))
    return failure();
  if (static_cast<int64_t>(sliceSizes.size()) != rank)
    return emitOptionalError(loc, "C20: found ", sliceSizes.size(),
                             " slice sizes for an operand of rank ", rank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = operand.getDimSize(i);
    if (!isDynamic(sliceSizes[i]) &&
        (sliceSizes[i] < 0 || (!isDynamic(size) && sliceSizes[i] > size)))
      return emitOptionalError(loc, "C21: found slice size ", sliceSizes[i],
                               " in dimension ", i, " of size ", size);
    if (used.test(i) && !isDynamic(sliceSizes[i]) && sliceSizes[i] > 1)
      return emitOptionalError(loc, "C8: found slice size ", sliceSizes[i],
                               " in collapsed dimension ", i,
                               ", expected at most 1");
  }
  return success();
}

FailureOr<RankedTensorType> inferGather(OptionalLoc loc, Type operandType,
                                        Type indicesType,
                                        GatherDimensionNumbersAttr dims,
                                        ArrayRef<int64_t> sliceSizes) {
  auto operand = tensor(operandType), indices = tensor(indicesType);
  if (failed(checkGather(loc, operand, indices, dims, sliceSizes)))
    return failure();
  SmallVector<int64_t> batch, batchBounds, offsets;
  SmallVector<int64_t> indexBounds = boundsOf(indices);
  for (int64_t i = 0; i < indices.getRank(); ++i)
    if (i != dims.getIndexVectorDim()) {
      batch.push_back(indices.getDimSize(i));
      batchBounds.push_back(indexBounds[i]);
    }
  for (int64_t i = 0; i < operand.getRank(); ++i)
    if (!llvm::is_contained(dims.getCollapsedSliceDims(), i) &&
        !llvm::is_contained(dims.getOperandBatchingDims(), i))
      offsets.push_back(sliceSizes[i]);
  llvm::SmallBitVector isOffset(batch.size() + offsets.size());
  if (failed(useDims(loc, "C4", "offset_dims", dims.getOffsetDims(), isOffset)))
    return failure();
  SmallVector<int64_t> shape, bounds;
  size_t nextBatch = 0, nextOffset = 0;
  for (size_t i = 0; i < isOffset.size(); ++i) {
    bounds.push_back(isOffset.test(i) ? ShapedType::kDynamic
                                      : batchBounds[nextBatch]);
    shape.push_back(isOffset.test(i) ? offsets[nextOffset++]
                                     : batch[nextBatch++]);
  }
  return makeBounded(shape, bounds, operand.getElementType());
}

} // namespace ferrule::stablehlo
