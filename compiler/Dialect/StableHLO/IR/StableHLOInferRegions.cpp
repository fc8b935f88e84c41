// Inference of the operations with regions, and of numeric and effect ones.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOBounds.h"

using namespace mlir;
namespace ferrule::stablehlo {

using Results = SmallVectorImpl<Type>;

static RankedTensorType tensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Lets results take wider elements than the inputs when the body computes in
/// them; `first` is the number of the accumulators' first argument.
static void promoteElements(RegionRange regions, size_t first,
                            Results &results) {
  if (regions.empty() || !regions.front() || regions.front()->empty())
    return;
  Block &body = regions.front()->front();
  for (auto [i, type] : llvm::enumerate(results))
    if (first + i < body.getNumArguments())
      if (auto argument =
              dyn_cast<RankedTensorType>(body.getArgument(first + i).getType()))
        type = withElement(type, argument.getElementType());
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor adaptor, Results &results) {
  if (failed(inferReduce(loc, TypeRange(adaptor.getInputs()),
                         TypeRange(adaptor.getInitValues()),
                         adaptor.getDimensions(), results)))
    return failure();
  promoteElements(adaptor.getRegions(), 0, results);
  return success();
}

LogicalResult ReduceWindowOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                               Adaptor adaptor,
                                               Results &results) {
  auto window =
      makeWindow(loc, adaptor.getWindowDimensions(), adaptor.getWindowStrides(),
                 adaptor.getPadding(), adaptor.getBaseDilations(),
                 adaptor.getWindowDilations());
  if (failed(window) ||
      failed(inferReduceWindow(loc, TypeRange(adaptor.getInputs()),
                               TypeRange(adaptor.getInitValues()), *window,
                               results)))
    return failure();
  promoteElements(adaptor.getRegions(), 0, results);
  return success();
}

LogicalResult SelectAndScatterOp::inferReturnTypes(MLIRContext *, OptionalLoc,
                                                   Adaptor adaptor,
                                                   Results &results) {
  results.push_back(adaptor.getOperand().getType());
  promoteElements(adaptor.getRegions().drop_front(), 0, results);
  return success();
}

LogicalResult SortOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                       Adaptor adaptor, Results &results) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "found no inputs, expected at least one");
  llvm::append_range(results, adaptor.getInputs().getTypes());
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor adaptor, Results &results) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "found no inputs, expected at least one");
  llvm::append_range(results, adaptor.getInputs().getTypes());
  promoteElements(adaptor.getRegions(), 0, results);
  return success();
}

LogicalResult WhileOp::inferReturnTypes(MLIRContext *, OptionalLoc,
                                        Adaptor adaptor, Results &results) {
  llvm::append_range(results, adaptor.getOperands().getTypes());
  return success();
}

LogicalResult AsyncDoneOp::inferReturnTypes(MLIRContext *, OptionalLoc,
                                            Adaptor adaptor, Results &results) {
  llvm::append_range(
      results, cast<FutureType>(adaptor.getFuture().getType()).getTypes());
  return success();
}

/// Checks a batch normalisation's feature dimension and vectors.
static LogicalResult checkBatchNorm(OptionalLoc loc, Value operand,
                                    ValueRange vectors, int64_t feature) {
  auto type = tensor(operand);
  if (feature < 0 || feature >= type.getRank())
    return emitOptionalError(loc, "C1: found feature_index ", feature,
                             " for an operand of rank ", type.getRank());
  for (Value vector : vectors) {
    auto other = tensor(vector);
    if (!areCompatibleElements(other.getElementType(), type.getElementType()))
      return emitOptionalError(loc, "C2: found ", other, " for operand ", type,
                               ", expected equal element types");
    if (other.getRank() != 1 ||
        failed(mergeSizes(other.getDimSize(0), type.getDimSize(feature))))
      return emitOptionalError(loc, "C3: found ", other,
                               ", expected a vector of size ",
                               type.getDimSize(feature));
  }
  return success();
}

/// The operand's type and, twice, a vector of its features.
static void pushBatchNormTypes(Value operand, int64_t feature,
                               Results &results) {
  auto type = tensor(operand);
  auto vector = makeBounded(type.getDimSize(feature), boundsOf(type)[feature],
                            type.getElementType());
  results.append({type, vector, vector});
}

LogicalResult BatchNormInferenceOp::inferReturnTypes(MLIRContext *,
                                                     OptionalLoc loc,
                                                     Adaptor adaptor,
                                                     Results &results) {
  if (failed(checkBatchNorm(loc, adaptor.getOperand(),
                            adaptor.getOperands().drop_front(),
                            adaptor.getFeatureIndex())))
    return failure();
  results.push_back(adaptor.getOperand().getType());
  return success();
}

LogicalResult BatchNormTrainingOp::inferReturnTypes(MLIRContext *,
                                                    OptionalLoc loc,
                                                    Adaptor adaptor,
                                                    Results &results) {
  if (failed(checkBatchNorm(loc, adaptor.getOperand(),
                            adaptor.getOperands().drop_front(),
                            adaptor.getFeatureIndex())))
    return failure();
  pushBatchNormTypes(adaptor.getOperand(), adaptor.getFeatureIndex(), results);
  return success();
}

LogicalResult BatchNormGradOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                                Adaptor adaptor,
                                                Results &results) {
  if (failed(checkBatchNorm(loc, adaptor.getOperand(),
                            adaptor.getOperands().slice(1, 3),
                            adaptor.getFeatureIndex())))
    return failure();
  Type operand = adaptor.getOperand().getType();
  Type gradient = adaptor.getGradOutput().getType();
  if (!areCompatibleTypes(operand, gradient))
    return emitOptionalError(loc, "C3: found gradient ", gradient,
                             " for operand ", operand,
                             ", expected equal types");
  pushBatchNormTypes(adaptor.getOperand(), adaptor.getFeatureIndex(), results);
  return success();
}

LogicalResult CholeskyOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                           Adaptor adaptor, Results &results) {
  auto type = tensor(adaptor.getA());
  if (type.getRank() < 2)
    return emitOptionalError(loc, "C2: found ", type,
                             ", expected rank 2 or more");
  if (failed(mergeSizes(type.getShape().end()[-2], type.getShape().back())))
    return emitOptionalError(loc, "C3: found ", type,
                             ", expected square matrices");
  results.push_back(type);
  return success();
}

LogicalResult TriangularSolveOp::inferReturnTypes(MLIRContext *,
                                                  OptionalLoc loc,
                                                  Adaptor adaptor,
                                                  Results &results) {
  auto a = tensor(adaptor.getA()), b = tensor(adaptor.getB());
  if (!areCompatibleElements(a.getElementType(), b.getElementType()))
    return emitOptionalError(loc, "C1: found ", a, " and ", b,
                             ", expected equal element types");
  if (a.getRank() < 2 || a.getRank() != b.getRank())
    return emitOptionalError(loc, "C2: found ", a, " and ", b,
                             ", expected equal ranks of 2 or more");
  int64_t rows = a.getShape().end()[-2], columns = a.getShape().back();
  int64_t solved =
      adaptor.getLeftSide() ? b.getShape().end()[-2] : b.getShape().back();
  if (failed(mergeSizes(rows, columns)) || failed(mergeSizes(columns, solved)))
    return emitOptionalError(loc, "C3: found ", a, " and ", b,
                             ", expected a square and a fitting matrix");
  results.push_back(b);
  return success();
}

LogicalResult FftOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                      Adaptor adaptor, Results &results) {
  auto type = tensor(adaptor.getOperand());
  ArrayRef<int64_t> length = adaptor.getFftLength();
  FftType kind = adaptor.getFftType();
  int64_t rank = type.getRank(), count = length.size();
  if (count < 1 || count > 3 || count > rank)
    return emitOptionalError(loc, "C1: found ", count,
                             " FFT lengths for an operand of rank ", rank,
                             ", expected 1, 2 or 3");
  bool realInput = !isa<ComplexType>(type.getElementType());
  if (realInput != (kind == FftType::RFFT))
    return emitOptionalError(loc, "C2: found elements ", type.getElementType(),
                             " for fft_type ", stringifyFftType(kind));
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t i = 0; i < count; ++i) {
    int64_t dim = rank - count + i;
    bool last = i == count - 1;
    int64_t expected = kind == FftType::IRFFT && last && length[i] > 0
                           ? length[i] / 2 + 1
                           : length[i];
    if (failed(mergeSizes(shape[dim], expected)))
      return emitOptionalError(loc, "C5: found size ", shape[dim],
                               " in dimension ", dim, ", expected ", expected);
    if (last && kind == FftType::IRFFT)
      shape[dim] = length[i];
    else if (last && kind == FftType::RFFT)
      shape[dim] = length[i] > 0 ? length[i] / 2 + 1 : 0;
  }
  SmallVector<int64_t> bounds = boundsOf(type);
  Type element = type.getElementType();
  if (kind == FftType::RFFT)
    element = ComplexType::get(element);
  else if (kind == FftType::IRFFT)
    element = cast<ComplexType>(element).getElementType();
  results.push_back(makeBounded(shape, bounds, element));
  return success();
}

} // namespace ferrule::stablehlo
