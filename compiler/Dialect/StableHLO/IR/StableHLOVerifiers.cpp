// Verifiers of the operations without regions, as far as the inference of
// their types does not check them. Messages begin with the code of the
// violated constraint in the specification.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"

using namespace mlir;
namespace ferrule::stablehlo {

static bool isDynamic(int64_t size) { return ShapedType::isDynamic(size); }

/// Reports a result that is not what the operands say.
static LogicalResult checkResult(Operation *op, StringRef code, Type found,
                                 FailureOr<RankedTensorType> expected) {
  if (failed(expected))
    return failure();
  auto shape = expected->clone(getElementTypeOrSelf(found));
  if (areCompatibleTypes(found, shape))
    return success();
  return op->emitOpError() << code << ": found result " << found
                           << ", expected the shape of " << *expected;
}

/// Whether elements are equal. verifyQuantization() compares quantized ones.
static LogicalResult checkSameElement(Operation *op, StringRef code, Type a,
                                      Type b) {
  Type left = getElementTypeOrSelf(a), right = getElementTypeOrSelf(b);
  if (left == right || (isQuantizedElement(left) && isQuantizedElement(right)))
    return success();
  return op->emitOpError() << code << ": found " << a << " and " << b
                           << ", expected equal element types";
}

static LogicalResult checkDim(Operation *op, StringRef code, int64_t dim,
                              Type type) {
  if (dim >= 0 && dim < cast<RankedTensorType>(type).getRank())
    return success();
  return op->emitOpError() << code << ": found dimension " << dim << " for "
                           << type;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Width of an element, of a complex one both parts together.
static int64_t bitWidth(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    return quantized.getStorageType().getIntOrFloatBitWidth();
  return type.getIntOrFloatBitWidth();
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  int64_t fromWidth = bitWidth(from.getElementType());
  int64_t toWidth = bitWidth(to.getElementType());
  // The wider side lacks the last dimension of the narrower one.
  RankedTensorType wide = fromWidth >= toWidth ? from : to;
  RankedTensorType narrow = fromWidth >= toWidth ? to : from;
  SmallVector<int64_t> expected(wide.getShape());
  if (fromWidth != toWidth)
    expected.push_back(std::max(fromWidth, toWidth) /
                       std::min(fromWidth, toWidth));
  auto shape = RankedTensorType::get(expected, narrow.getElementType());
  if (areCompatibleTypes(narrow, shape))
    return success();
  return emitOpError() << "C1: found " << from << " and " << to
                       << ", expected as many bits in equal places";
}

LogicalResult ReducePrecisionOp::verify() {
  if (static_cast<int32_t>(getExponentBits()) < 1)
    return emitOpError() << "C2: found " << getExponentBits()
                         << " exponent bits, expected at least 1";
  if (static_cast<int32_t>(getMantissaBits()) < 0)
    return emitOpError() << "C3: found " << getMantissaBits()
                         << " mantissa bits, expected at least 0";
  return success();
}

LogicalResult UniformQuantizeOp::verify() {
  Type from = getOperand().getType().getElementType();
  Type to = getType().getElementType();
  auto quantized = dyn_cast<quant::QuantizedType>(to);
  if (!quantized)
    return emitOpError() << "found result " << getType()
                         << ", expected quantized elements";
  if (auto fromQuantized = dyn_cast<quant::QuantizedType>(from))
    from = fromQuantized.getExpressedType();
  if (from != quantized.getExpressedType())
    return emitOpError() << "C2: found " << from << " for " << to
                         << ", expected its expressed type";
  return success();
}

LogicalResult IotaOp::verify() {
  if (!cast<RankedTensorType>(getType()).hasStaticShape())
    return emitOpError() << "found result " << getType()
                         << ", expected a static shape";
  return checkDim(*this, "C1", getIotaDimension(), getType());
}

LogicalResult DynamicIotaOp::verify() {
  if (failed(mergeSizes(getOutputShape().getType().getDimSize(0),
                        getType().getRank())))
    return emitOpError() << "C2: found shape " << getOutputShape().getType()
                         << " for a result of rank " << getType().getRank();
  return checkDim(*this, "C1", getIotaDimension(), getType());
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  if (failed(checkSameElement(*this, "C1", from, to)))
    return failure();
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError() << "C2: found " << from.getNumElements()
                         << " elements in " << from << " and "
                         << to.getNumElements() << " in " << to
                         << ", expected as many";
  return success();
}

LogicalResult DynamicReshapeOp::verify() {
  if (failed(mergeSizes(getOutputShape().getType().getDimSize(0),
                        getType().getRank())))
    return emitOpError() << "C4: found shape " << getOutputShape().getType()
                         << " for a result of rank " << getType().getRank();
  return checkSameElement(*this, "C1", getOperand().getType(), getType());
}

/// Checks broadcast_in_dim and its dynamic sibling, whose constraints have
/// other numbers.
static LogicalResult checkBroadcast(Operation *op, RankedTensorType operand,
                                    RankedTensorType result,
                                    ArrayRef<int64_t> dims, bool staticSizes) {
  if (failed(checkSameElement(op, "C1", operand, result)))
    return failure();
  if (static_cast<int64_t>(dims.size()) != operand.getRank())
    return op->emitOpError() << "C2: found " << dims.size()
                             << " broadcast dimensions for an operand of rank "
                             << operand.getRank();
  llvm::SmallBitVector used(result.getRank());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= result.getRank())
      return op->emitOpError() << "C3: found broadcast dimension " << dim
                               << " for a result of rank " << result.getRank();
    if (used.test(dim))
      return op->emitOpError()
             << "C4: found broadcast dimension " << dim << " twice";
    used.set(dim);
    int64_t from = operand.getDimSize(i), to = result.getDimSize(dim);
    if (isDynamic(from) || from == 1 || from == to ||
        (isDynamic(to) && !staticSizes))
      continue;
    return op->emitOpError()
           << "C5: found operand size " << from << " in dimension " << i
           << " for result size " << (isDynamic(to) ? -1 : to)
           << ", expected 1 or the same";
  }
  return success();
}

LogicalResult BroadcastInDimOp::verify() {
  return checkBroadcast(*this, getOperand().getType(), getType(),
                        getBroadcastDimensions(), /*staticSizes=*/false);
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  if (failed(mergeSizes(getOutputDimensions().getType().getDimSize(0),
                        getType().getRank())))
    return emitOpError() << "C7: found shape "
                         << getOutputDimensions().getType()
                         << " for a result of rank " << getType().getRank();
  llvm::SmallBitVector known(getOperand().getType().getRank());
  for (auto dims :
       {getKnownExpandingDimensions(), getKnownNonexpandingDimensions()})
    for (int64_t dim : dims.value_or(ArrayRef<int64_t>())) {
      if (dim < 0 || dim >= static_cast<int64_t>(known.size()))
        return emitOpError() << "C9: found known dimension " << dim
                             << " for an operand of rank " << known.size();
      if (known.test(dim))
        return emitOpError() << "C8: found known dimension " << dim << " twice";
      known.set(dim);
    }
  return checkBroadcast(*this, getOperand().getType(), getType(),
                        getBroadcastDimensions(), /*staticSizes=*/false);
}

/// Checks that vectors of sizes have equal types and one entry a dimension of
/// the operand.
static LogicalResult checkVectors(Operation *op, StringRef code,
                                  RankedTensorType operand,
                                  ValueRange vectors) {
  for (Value vector : vectors) {
    if (failed(
            mergeSizes(cast<RankedTensorType>(vector.getType()).getDimSize(0),
                       operand.getRank())))
      return op->emitOpError()
             << code << ": found " << vector.getType()
             << " for an operand of rank " << operand.getRank();
    if (getElementTypeOrSelf(vector) != getElementTypeOrSelf(vectors.front()))
      return op->emitOpError()
             << code << ": found vectors " << vectors.front().getType()
             << " and " << vector.getType() << ", expected equal types";
  }
  return success();
}

LogicalResult DynamicPadOp::verify() {
  if (failed(checkSameElement(*this, "C1", getOperand().getType(),
                              getPaddingValue().getType())))
    return failure();
  return checkVectors(*this, "C2", getOperand().getType(),
                      getOperands().drop_front(2));
}

LogicalResult RealDynamicSliceOp::verify() {
  if (failed(checkSameElement(*this, "C1", getOperand().getType(), getType())))
    return failure();
  return checkVectors(*this, "C2", getOperand().getType(),
                      getOperands().drop_front());
}

LogicalResult DynamicGatherOp::verify() {
  if (failed(checkSameElement(*this, "C23", getOperand().getType(), getType())))
    return failure();
  SmallVector<int64_t> unknown(getOperand().getType().getRank(),
                               ShapedType::kDynamic);
  return checkResult(*this, "C22", getType(),
                     inferGather(getLoc(), getOperand().getType(),
                                 getStartIndices().getType(),
                                 getDimensionNumbers(), unknown));
}

LogicalResult TorchIndexSelectOp::verify() {
  RankedTensorType operand = getOperand().getType();
  RankedTensorType index = getIndex().getType();
  int64_t dim = getDim(), batch = getBatchDims();
  if (!isIntElement(index.getElementType()))
    return emitOpError() << "found index " << index << ", expected integers";
  if (failed(checkDim(*this, "dim", dim, operand)))
    return failure();
  if (batch < 0 || batch > dim || batch > index.getRank())
    return emitOpError() << "found batch_dims " << batch << " for dim " << dim
                         << " and an index of rank " << index.getRank()
                         << ", expected at most both";
  // The dimension makes way for those of the index that are not shared.
  SmallVector<int64_t> shape(operand.getShape().take_front(dim));
  llvm::append_range(shape, index.getShape().drop_front(batch));
  llvm::append_range(shape, operand.getShape().drop_front(dim + 1));
  return checkResult(*this, "result", getType(),
                     RankedTensorType::get(shape, operand.getElementType()));
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Checks that precision_config is empty or has an entry for each operand.
static LogicalResult checkPrecision(Operation *op, StringRef code,
                                    std::optional<ArrayAttr> precision) {
  size_t count = precision ? precision->size() : 0;
  if (count == 0 || count == 2)
    return success();
  return op->emitOpError() << code << ": found " << count
                           << " precisions, expected one for each operand";
}

LogicalResult DotOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  int64_t lhsRank = lhs.getRank(), rhsRank = rhs.getRank();
  if (lhsRank < 1 || lhsRank > 2 || rhsRank < 1 || rhsRank > 2)
    return emitOpError() << "found " << lhs << " and " << rhs
                         << ", expected vectors or matrices";
  auto dims =
      DotDimensionNumbersAttr::get(getContext(), {}, {}, {lhsRank - 1}, {0});
  return checkResult(*this, "C12", getType(),
                     inferDotGeneral(getLoc(), lhs, rhs, dims));
}

/// Whether a recipe is one that hardware has: `types` are those of the
/// factors and of the sum, and products are made of so many of one part each.
static bool isKnownAlgorithm(DotAlgorithmAttr algorithm) {
  Type lhs = algorithm.getLhsPrecisionType();
  Type rhs = algorithm.getRhsPrecisionType();
  Type sum = algorithm.getAccumulationType();
  if (algorithm.getLhsComponentCount() != 1 ||
      algorithm.getRhsComponentCount() != 1)
    return false;
  auto isByte = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  int64_t products = algorithm.getNumPrimitiveOperations();
  if (isByte(lhs) && isByte(rhs))
    return sum.isF32() && products == 1;
  if (algorithm.getAllowImpreciseAccumulation() || lhs != rhs)
    return false;
  if (sum.isF32() && lhs.isBF16())
    return llvm::is_contained({1, 3, 6, 9}, products);
  if (sum.isF32() && isa<FloatTF32Type>(lhs))
    return products == 1 || products == 3;
  return products == 1 &&
         ((lhs.isF16() && (sum.isF16() || sum.isF32())) || sum == lhs) &&
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(lhs);
}

LogicalResult DotGeneralOp::verify() {
  if (failed(checkPrecision(*this, "C11", getPrecisionConfig())))
    return failure();
  if (std::optional<DotAlgorithmAttr> algorithm = getAlgorithm();
      algorithm && !isKnownAlgorithm(*algorithm))
    return emitOpError() << "C21: found unknown algorithm " << *algorithm;
  return checkResult(*this, "C12", getType(),
                     inferDotGeneral(getLoc(), getLhs().getType(),
                                     getRhs().getType(),
                                     getDotDimensionNumbers()));
}

/// Quantized operands differ in more than their scales.
static LogicalResult checkFactors(Operation *op, StringRef code, Type lhs,
                                  Type rhs) {
  if (isQuantizedElement(getElementTypeOrSelf(lhs)) ||
      isQuantizedElement(getElementTypeOrSelf(rhs)))
    return success();
  return checkSameElement(op, code, lhs, rhs);
}

/// The result's type, where `padding` is known or none; checks what both kinds
/// of convolution have in common.
template <typename OpT>
static FailureOr<RankedTensorType>
inferConvolution(OpT op, std::optional<DenseIntElementsAttr> padding) {
  if (failed(checkPrecision(op, "C24", op.getPrecisionConfig())) ||
      failed(checkFactors(op, "C27", op.getLhs().getType(),
                          op.getRhs().getType())))
    return failure();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  RankedTensorType kernel = op.getRhs().getType();
  SmallVector<int64_t> sizes;
  for (int64_t dim : dims.getKernelSpatialDimensions()) {
    if (failed(checkDim(op, "C18", dim, kernel)))
      return failure();
    sizes.push_back(kernel.getDimSize(dim));
  }
  auto window = makeWindow(op.getLoc(), sizes, op.getWindowStrides(), padding,
                           op.getLhsDilation(), op.getRhsDilation(),
                           op.getWindowReversal());
  if (failed(window))
    return failure();
  return inferConvolution(op.getLoc(), op.getLhs().getType(), kernel, dims,
                          *window, op.getFeatureGroupCount(),
                          op.getBatchGroupCount());
}

LogicalResult ConvolutionOp::verify() {
  FailureOr<RankedTensorType> expected = inferConvolution(*this, getPadding());
  if (failed(expected))
    return failure();
  return checkResult(*this, "C25", getType(), *expected);
}

LogicalResult DynamicConvOp::verify() {
  FailureOr<RankedTensorType> expected = inferConvolution(*this, std::nullopt);
  if (failed(expected))
    return failure();
  // Without the padding the spatial sizes are unknown.
  SmallVector<int64_t> shape(expected->getShape());
  for (int64_t dim : getDimensionNumbers().getOutputSpatialDimensions())
    shape[dim] = ShapedType::kDynamic;
  return checkResult(*this, "C25", getType(),
                     RankedTensorType::get(shape, expected->getElementType()));
}

//===----------------------------------------------------------------------===//
// Calls, random numbers, communication
//===----------------------------------------------------------------------===//

/// The type at a path of indices through nested tuples; null when it ends.
static Type partOf(Type type, ArrayRef<int64_t> path) {
  for (int64_t index : path) {
    auto tuple = dyn_cast<TupleType>(type);
    if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size()))
      return {};
    type = tuple.getType(index);
  }
  return type;
}

LogicalResult CustomCallOp::verify() {
  auto check = [&](std::optional<ArrayAttr> layouts, TypeRange types,
                   StringRef name) -> LogicalResult {
    if (!layouts || layouts->size() == types.size())
      return success();
    // One tuple stands for its elements.
    if (types.size() == 1)
      if (auto tuple = dyn_cast<TupleType>(types.front());
          tuple && tuple.size() == layouts->size())
        return success();
    return emitOpError() << "found " << layouts->size() << " " << name
                         << " layouts, expected " << types.size();
  };
  if (getBackendConfig() && isa<DictionaryAttr>(*getBackendConfig()) &&
      getApiVersion() != CustomCallApiVersion::API_VERSION_TYPED_FFI)
    return emitOpError() << "found a dictionary as backend_config for "
                            "api_version "
                         << static_cast<int32_t>(getApiVersion())
                         << ", expected text, or version 4";
  if (getOperandLayouts().has_value() != getResultLayouts().has_value())
    return emitOpError() << "found layouts for operands or results only, "
                            "expected both or none";
  if (failed(check(getOperandLayouts(), getOperandTypes(), "operand")) ||
      failed(check(getResultLayouts(), getResultTypes(), "result")))
    return failure();
  for (Attribute attr :
       getOutputOperandAliases().value_or(ArrayAttr::get(getContext(), {}))) {
    auto alias = cast<OutputOperandAliasAttr>(attr);
    int64_t index = alias.getOperandIndex();
    if (index < 0 || index >= getNumOperands())
      return emitOpError() << "found alias of operand " << index << " of "
                           << getNumOperands();
    // Several results count as one tuple.
    Type result = getNumResults() == 1
                      ? getResult(0).getType()
                      : TupleType::get(getContext(), getResultTypes());
    Type from =
        partOf(getOperand(index).getType(), alias.getOperandTupleIndices());
    Type to = partOf(result, alias.getOutputTupleIndices());
    if (!from || !to || from != to)
      return emitOpError() << "found alias " << alias
                           << " of parts of different types";
  }
  return success();
}

LogicalResult RngOp::verify() {
  if (failed(checkSameElement(*this, "C1", getA().getType(), getType())) ||
      failed(checkSameElement(*this, "C1", getB().getType(), getType())))
    return failure();
  RankedTensorType shape = getShape().getType();
  if (!shape.hasStaticShape() || shape.getDimSize(0) != getType().getRank())
    return emitOpError() << "C3: found shape " << shape << " for result "
                         << getType() << ", expected one size a dimension";
  if (getRngDistribution() == RngDistribution::NORMAL &&
      !isFloatElement(getType().getElementType()))
    return emitOpError() << "C2: found " << getType()
                         << " for a normal distribution, expected floats";
  return success();
}

LogicalResult RngBitGeneratorOp::verify() {
  if (!areCompatibleTypes(getInitialState().getType(),
                          getOutputState().getType()))
    return emitOpError() << "C1: found states " << getInitialState().getType()
                         << " and " << getOutputState().getType()
                         << ", expected equal types";
  if (!getOutput().getType().hasStaticShape())
    return emitOpError() << "C2: found output " << getOutput().getType()
                         << ", expected a static shape";
  return success();
}

} // namespace ferrule::stablehlo
