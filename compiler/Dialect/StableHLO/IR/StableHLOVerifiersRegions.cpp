// Verifiers of the operations with regions. They run after those of the
// operations inside, so that blocks are known to end in stablehlo.return.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOVerifiers.h"

using namespace mlir;
namespace ferrule::stablehlo {

static bool isScalarPredicate(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         isPredElement(tensor.getElementType());
}

/// What a region returns.
static TypeRange returnedTypes(Region &region) {
  return region.front().getTerminator()->getOperandTypes();
}

/// Whether `element` may stand where `narrow` is expected: the same, or a
/// wider one of its kind.
static bool isPromotable(Type narrow, Type element) {
  if (areCompatibleElements(narrow, element))
    return true;
  if (isa<FloatType>(narrow) && isa<FloatType>(element))
    return narrow.getIntOrFloatBitWidth() <= element.getIntOrFloatBitWidth();
  auto from = dyn_cast<IntegerType>(narrow),
       to = dyn_cast<IntegerType>(element);
  if (from && to)
    return isPredElement(from) == isPredElement(to) &&
           from.getWidth() <= to.getWidth();
  auto l = dyn_cast<quant::QuantizedType>(narrow);
  auto r = dyn_cast<quant::QuantizedType>(element);
  if (l && r)
    return l.getExpressedType() == r.getExpressedType();
  auto lc = dyn_cast<ComplexType>(narrow), rc = dyn_cast<ComplexType>(element);
  return lc && rc && isPromotable(lc.getElementType(), rc.getElementType());
}

LogicalResult checkCombiner(Operation *op, StringRef code, Region &region,
                            TypeRange inputs) {
  size_t count = inputs.size();
  Block &body = region.front();
  if (body.getNumArguments() != 2 * count)
    return op->emitOpError()
           << code << ": found " << body.getNumArguments()
           << " arguments of the body, expected " << 2 * count;
  TypeRange returned = returnedTypes(region);
  if (returned.size() != count)
    return op->emitOpError()
           << code << ": found " << returned.size()
           << " values returned by the body, expected " << count;
  for (size_t i = 0; i < count; ++i) {
    auto type = dyn_cast<RankedTensorType>(returned[i]);
    if (!type || type.getRank() != 0 ||
        !isPromotable(getElementTypeOrSelf(inputs[i]), type.getElementType()))
      return op->emitOpError()
             << code << ": found " << returned[i]
             << " returned by the body for input " << inputs[i]
             << ", expected a scalar of its element type";
    for (size_t argument : {i, i + count})
      if (!areCompatibleTypes(body.getArgument(argument).getType(), type))
        return op->emitOpError()
               << code << ": found argument "
               << body.getArgument(argument).getType()
               << " of the body, expected " << type << ", which it returns";
  }
  return success();
}

/// Checks that initial values have the elements that the body computes on.
static LogicalResult checkInits(Operation *op, StringRef code, Region &region,
                                TypeRange inits) {
  for (auto [init, returned] : llvm::zip(inits, returnedTypes(region)))
    if (!isPromotable(getElementTypeOrSelf(init),
                      getElementTypeOrSelf(returned)))
      return op->emitOpError() << code << ": found initial value " << init
                               << " for a body on " << returned;
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  if (failed(checkCombiner(*this, "C6", getBody(), getInputs().getTypes())))
    return failure();
  return checkInits(*this, "C2", getBody(), getInitValues().getTypes());
}

LogicalResult ReduceWindowOp::verifyRegions() {
  if (failed(checkCombiner(*this, "C13", getBody(), getInputs().getTypes())))
    return failure();
  return checkInits(*this, "C3", getBody(), getInitValues().getTypes());
}

LogicalResult SelectAndScatterOp::verifyRegions() {
  RankedTensorType operand = getOperand().getType();
  if (getSource().getType().getRank() != operand.getRank())
    return emitOpError() << "C1: found source " << getSource().getType()
                         << " for operand " << operand
                         << ", expected equal ranks";
  SmallVector<int64_t> sizes(operand.getRank(), 1);
  if (std::optional<ArrayRef<int64_t>> given = getWindowDimensions())
    sizes.assign(given->begin(), given->end());
  FailureOr<SmallVector<WindowDimension>> window =
      makeWindow(getLoc(), sizes, getWindowStrides(), getPadding(),
                 std::nullopt, std::nullopt);
  if (failed(window))
    return failure();
  if (static_cast<int64_t>(window->size()) != operand.getRank())
    return emitOpError() << "C4: found " << window->size()
                         << " window sizes for operand " << operand;
  for (auto [i, part] : llvm::enumerate(*window)) {
    int64_t expected = inferWindowedSize(operand.getDimSize(i), part);
    if (failed(mergeSizes(getSource().getType().getDimSize(i), expected)))
      return emitOpError() << "C2: found source " << getSource().getType()
                           << ", expected size " << expected << " in dimension "
                           << i;
  }
  Block &select = getSelect().front();
  TypeRange selected = returnedTypes(getSelect());
  if (select.getNumArguments() != 2 || selected.size() != 1 ||
      !isScalarPredicate(selected.front()))
    return emitOpError() << "C9: found a select body of "
                         << select.getNumArguments() << " arguments returning "
                         << selected << ", expected 2 and one tensor<i1>";
  return checkCombiner(*this, "C10", getScatter(), TypeRange(operand));
}

LogicalResult MapOp::verifyRegions() {
  Block &body = getComputation().front();
  if (body.getNumArguments() != getNumOperands())
    return emitOpError() << "C4: found " << body.getNumArguments()
                         << " arguments of the body, expected "
                         << getNumOperands();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArgumentTypes(), getOperandTypes())) {
    Type scalar = RankedTensorType::get({}, getElementTypeOrSelf(input));
    if (!areCompatibleTypes(argument, scalar))
      return emitOpError() << "C4: found argument " << argument
                           << " of the body for input " << input
                           << ", expected " << scalar;
  }
  int64_t rank = getType().getRank();
  auto expected = llvm::to_vector(llvm::seq<int64_t>(rank));
  if (getDimensions() != ArrayRef<int64_t>(expected))
    return emitOpError() << "C3: found dimensions [" << getDimensions()
                         << "], expected all " << rank << " in order";
  TypeRange returned = returnedTypes(getComputation());
  if (returned.size() != 1 ||
      !areCompatibleElements(getElementTypeOrSelf(returned.front()),
                             getType().getElementType()))
    return emitOpError() << "C4: found " << returned
                         << " returned by the body for result " << getType();
  return success();
}

LogicalResult SortOp::verifyRegions() {
  int64_t rank =
      cast<RankedTensorType>(getInputs().front().getType()).getRank();
  int64_t dimension = getDimension();
  if (dimension < -rank || dimension >= std::max<int64_t>(rank, 1))
    return emitOpError() << "C4: found dimension " << dimension
                         << " for inputs of rank " << rank;
  for (Type type : getInputs().getTypes())
    if (failed(verifyCompatibleShape(type, getInputs().front().getType())))
      return emitOpError() << "C3: found inputs "
                           << getInputs().front().getType() << " and " << type
                           << ", expected equal shapes";
  Block &body = getComparator().front();
  if (body.getNumArguments() != 2 * getInputs().size())
    return emitOpError() << "C5: found " << body.getNumArguments()
                         << " arguments of the comparator, expected "
                         << 2 * getInputs().size();
  for (auto [i, argument] : llvm::enumerate(body.getArgumentTypes())) {
    Type input = getInputs()[i / 2].getType();
    Type scalar = RankedTensorType::get({}, getElementTypeOrSelf(input));
    if (!areCompatibleTypes(argument, scalar))
      return emitOpError() << "C5: found argument " << argument
                           << " of the comparator for input " << input
                           << ", expected " << scalar;
  }
  TypeRange returned = returnedTypes(getComparator());
  if (returned.size() != 1 || !isScalarPredicate(returned.front()))
    return emitOpError() << "C5: found a comparator returning " << returned
                         << ", expected one tensor<i1>";
  return success();
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

static LogicalResult useDims(ScatterOp op, StringRef code, StringRef name,
                             ArrayRef<int64_t> dims,
                             llvm::SmallBitVector &used) {
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= static_cast<int64_t>(used.size()))
      return op.emitOpError() << code << ": found dimension " << dim << " in "
                              << name << " for rank " << used.size();
    if (used.test(dim))
      return op.emitOpError() << code << ": found dimension " << dim << " of "
                              << name << " twice";
    used.set(dim);
  }
  return success();
}

/// Checks the updates' shape: the indices' dimensions and the window's.
static LogicalResult checkUpdates(ScatterOp op, RankedTensorType input,
                                  RankedTensorType update,
                                  const llvm::SmallBitVector &dropped) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  RankedTensorType indices = op.getScatterIndices().getType();
  SmallVector<int64_t> batch, window;
  for (int64_t i = 0; i < indices.getRank(); ++i)
    if (i != static_cast<int64_t>(dims.getIndexVectorDim()))
      batch.push_back(indices.getDimSize(i));
  for (int64_t i = 0; i < input.getRank(); ++i)
    if (!dropped.test(i))
      window.push_back(input.getDimSize(i));
  ArrayRef<int64_t> windowDims = dims.getUpdateWindowDims();
  if (windowDims.size() != window.size() ||
      update.getRank() != static_cast<int64_t>(batch.size() + window.size()))
    return op.emitOpError()
           << "C2: found updates " << update << " with " << windowDims.size()
           << " window dimensions, expected rank "
           << batch.size() + window.size() << " with " << window.size();
  llvm::SmallBitVector isWindow(update.getRank());
  if (failed(useDims(op, "C7", "update_window_dims", windowDims, isWindow)))
    return failure();
  size_t nextBatch = 0, nextWindow = 0;
  for (int64_t i = 0; i < update.getRank(); ++i) {
    int64_t size = update.getDimSize(i);
    int64_t limit =
        isWindow.test(i) ? window[nextWindow++] : batch[nextBatch++];
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(limit))
      continue;
    if (isWindow.test(i) ? size > limit : size != limit)
      return op.emitOpError()
             << "C4: found updates " << update << ", expected size "
             << (isWindow.test(i) ? "at most " : "") << limit
             << " in dimension " << i;
  }
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  ScatterDimensionNumbersAttr dims = getScatterDimensionNumbers();
  auto input = cast<RankedTensorType>(getInputs().front().getType());
  RankedTensorType indices = getScatterIndices().getType();
  llvm::SmallBitVector dropped(input.getRank()), mapped(input.getRank());
  if (failed(useDims(*this, "C9", "inserted_window_dims",
                     dims.getInsertedWindowDims(), dropped)) ||
      failed(useDims(*this, "C12", "input_batching_dims",
                     dims.getInputBatchingDims(), dropped)) ||
      failed(useDims(*this, "C20", "scatter_dims_to_operand_dims",
                     dims.getScatterDimsToOperandDims(), mapped)))
    return failure();
  int64_t vectorDim = dims.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return emitOpError() << "C22: found index_vector_dim " << vectorDim
                         << " for indices of rank " << indices.getRank();
  int64_t vectorSize =
      vectorDim == indices.getRank() ? 1 : indices.getDimSize(vectorDim);
  if (failed(mergeSizes(vectorSize, dims.getScatterDimsToOperandDims().size())))
    return emitOpError() << "C19: found "
                         << dims.getScatterDimsToOperandDims().size()
                         << " dimensions in scatter_dims_to_operand_dims for "
                            "index vectors of size "
                         << vectorSize;
  for (Value update : getUpdates())
    if (failed(checkUpdates(*this, input,
                            cast<RankedTensorType>(update.getType()), dropped)))
      return failure();
  for (auto [update, value] : llvm::zip_equal(getUpdates(), getInputs()))
    if (!isPromotable(getElementTypeOrSelf(update),
                      getElementTypeOrSelf(
                          getUpdateComputation().getArgument(0).getType())) &&
        !areCompatibleElements(getElementTypeOrSelf(update),
                               getElementTypeOrSelf(value)))
      return emitOpError() << "C6: found updates " << update.getType()
                           << " for input " << value.getType()
                           << ", expected equal element types";
  return checkCombiner(*this, "C23", getUpdateComputation(),
                       getInputs().getTypes());
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Checks the branches of an if or a case: no arguments, the results' types.
static LogicalResult checkBranches(Operation *op, StringRef code) {
  for (auto [i, region] : llvm::enumerate(op->getRegions())) {
    if (region.getNumArguments() != 0)
      return op->emitOpError()
             << code << ": found " << region.getNumArguments()
             << " arguments of branch " << i << ", expected none";
    if (!areCompatibleTypes(returnedTypes(region), op->getResultTypes()))
      return op->emitOpError()
             << code << ": found " << returnedTypes(region)
             << " returned by branch " << i << ", expected the result types "
             << op->getResultTypes();
  }
  return success();
}

LogicalResult IfOp::verifyRegions() { return checkBranches(*this, "C2"); }

LogicalResult CaseOp::verifyRegions() {
  if (getBranches().empty())
    return emitOpError() << "C1: found no branches, expected at least one";
  return checkBranches(*this, "C3");
}

LogicalResult WhileOp::verifyRegions() {
  TypeRange types = getOperandTypes();
  for (auto [name, code, region] :
       {std::tuple(StringRef("cond"), StringRef("C1"), &getCond()),
        std::tuple(StringRef("body"), StringRef("C2"), &getBody())})
    if (!areCompatibleTypes(region->getArgumentTypes(), types))
      return emitOpError() << code << ": found arguments of types "
                           << TypeRange(region->getArgumentTypes())
                           << " of the " << name
                           << ", expected those of the operands, " << types;
  TypeRange condition = returnedTypes(getCond());
  if (condition.size() != 1 || !isScalarPredicate(condition.front()))
    return emitOpError() << "C1: found a condition returning " << condition
                         << ", expected one tensor<i1>";
  if (!areCompatibleTypes(returnedTypes(getBody()), types))
    return emitOpError() << "C2: found a body returning "
                         << returnedTypes(getBody())
                         << ", expected the types of the operands, " << types;
  return success();
}

} // namespace ferrule::stablehlo
