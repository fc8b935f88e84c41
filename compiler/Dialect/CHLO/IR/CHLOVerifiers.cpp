// Verifiers of the operations, as far as their types do not say it.
#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"

using namespace mlir;
using ferrule::stablehlo::areCompatibleElements;
using ferrule::stablehlo::areCompatibleTypes;
using ferrule::stablehlo::mergeSizes;

namespace ferrule::chlo {

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// The size that two sizes broadcast to; fails when they do not.
static FailureOr<int64_t> broadcastSizes(int64_t left, int64_t right) {
  if (left == 1)
    return right;
  if (right == 1)
    return left;
  // An unknown size may be 1, so that the known one decides.
  return mergeSizes(left, right);
}

/// The common shape of operands whose last dimensions stand over each other.
static FailureOr<SmallVector<int64_t>> broadcastShapes(TypeRange types) {
  SmallVector<int64_t> shape;
  for (Type type : types) {
    ArrayRef<int64_t> other = cast<RankedTensorType>(type).getShape();
    if (other.size() > shape.size())
      shape.insert(shape.begin(), other.size() - shape.size(), 1);
    MutableArrayRef<int64_t> tail =
        MutableArrayRef(shape).take_back(other.size());
    for (auto [size, otherSize] : llvm::zip(tail, other)) {
      FailureOr<int64_t> merged = broadcastSizes(size, otherSize);
      if (failed(merged))
        return failure();
      size = *merged;
    }
  }
  return shape;
}

/// The shape of the narrower operand when dimension i is dimension dims[i] of
/// the wider one.
static FailureOr<RankedTensorType> placeDimensions(Operation *op,
                                                   RankedTensorType wide,
                                                   RankedTensorType narrow,
                                                   ArrayRef<int64_t> dims) {
  if (static_cast<int64_t>(dims.size()) != narrow.getRank())
    return op->emitOpError()
           << "found " << dims.size() << " broadcast_dimensions, expected the "
           << "rank of " << narrow;
  SmallVector<int64_t> shape(wide.getRank(), 1);
  int64_t last = -1;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim <= last || dim >= wide.getRank())
      return op->emitOpError() << "found broadcast dimension " << dim
                               << ", expected rising dimensions of " << wide;
    shape[dim] = narrow.getDimSize(i);
    last = dim;
  }
  return RankedTensorType::get(shape, narrow.getElementType());
}

static bool areRanked(TypeRange types) {
  return llvm::all_of(types, llvm::IsaPred<RankedTensorType>);
}

static LogicalResult checkBroadcast(Operation *op, TypeRange operands,
                                    Type element) {
  Type result = op->getResultTypes().front();
  if (!areCompatibleElements(getElementTypeOrSelf(result), element))
    return op->emitOpError() << "found result " << result
                             << ", expected elements of type " << element;
  // The sizes of others are known at run time only.
  if (!areRanked(operands) || !areRanked(result))
    return success();
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(operands);
  if (failed(shape))
    return op->emitOpError() << "found operands " << operands
                             << ", expected shapes that broadcast";
  auto expected = RankedTensorType::get(*shape, element);
  if (areCompatibleTypes(result, expected))
    return success();
  return op->emitOpError() << "found result " << result
                           << ", expected the shape of " << expected;
}

static LogicalResult checkBinary(Operation *op,
                                 std::optional<ArrayRef<int64_t>> dims) {
  SmallVector<Type> types(op->getOperandTypes());
  Type left = getElementTypeOrSelf(types[0]);
  Type right = getElementTypeOrSelf(types[1]);
  if (!areCompatibleElements(left, right))
    return op->emitOpError() << "found operands " << types[0] << " and "
                             << types[1] << ", expected equal element types";
  if (dims && areRanked(types)) {
    auto lhs = cast<RankedTensorType>(types[0]);
    auto rhs = cast<RankedTensorType>(types[1]);
    bool leftIsWide = lhs.getRank() >= rhs.getRank();
    FailureOr<RankedTensorType> placed = placeDimensions(
        op, leftIsWide ? lhs : rhs, leftIsWide ? rhs : lhs, *dims);
    if (failed(placed))
      return failure();
    types[leftIsWide ? 1 : 0] = *placed;
  }
  Type element = left;
  if (isa<BroadcastCompareOp>(op))
    element = IntegerType::get(op->getContext(), 1);
  else if (isa<BroadcastComplexOp>(op)) {
    if (!isa<Float32Type, Float64Type>(left))
      return op->emitOpError() << "found operands of element type " << left
                               << ", expected f32 or f64";
    element = ComplexType::get(left);
  }
  return checkBroadcast(op, types, element);
}

#define VERIFY_BROADCAST(OP)                                                   \
  LogicalResult OP::verify() {                                                 \
    return checkBinary(*this, getBroadcastDimensions());                       \
  }
VERIFY_BROADCAST(BroadcastAddOp)
VERIFY_BROADCAST(BroadcastAndOp)
VERIFY_BROADCAST(BroadcastAtan2Op)
VERIFY_BROADCAST(BroadcastCompareOp)
VERIFY_BROADCAST(BroadcastComplexOp)
VERIFY_BROADCAST(BroadcastDivOp)
VERIFY_BROADCAST(BroadcastMaxOp)
VERIFY_BROADCAST(BroadcastMinOp)
VERIFY_BROADCAST(BroadcastMulOp)
VERIFY_BROADCAST(BroadcastNextAfterOp)
VERIFY_BROADCAST(BroadcastOrOp)
VERIFY_BROADCAST(BroadcastPolygammaOp)
VERIFY_BROADCAST(BroadcastPowOp)
VERIFY_BROADCAST(BroadcastRemOp)
VERIFY_BROADCAST(BroadcastShiftLeftOp)
VERIFY_BROADCAST(BroadcastShiftRightArithmeticOp)
VERIFY_BROADCAST(BroadcastShiftRightLogicalOp)
VERIFY_BROADCAST(BroadcastSubOp)
VERIFY_BROADCAST(BroadcastXorOp)
VERIFY_BROADCAST(BroadcastZetaOp)
#undef VERIFY_BROADCAST

LogicalResult BroadcastSelectOp::verify() {
  Type pred = getPred().getType(), onTrue = getOnTrue().getType();
  if (!getElementTypeOrSelf(pred).isSignlessInteger(1))
    return emitOpError() << "found pred " << pred << ", expected booleans";
  if (!areCompatibleElements(getElementTypeOrSelf(onTrue),
                             getElementTypeOrSelf(getOnFalse().getType())))
    return emitOpError() << "found values " << onTrue << " and "
                         << getOnFalse().getType()
                         << ", expected equal element types";
  return checkBroadcast(*this, getOperandTypes(), getElementTypeOrSelf(onTrue));
}

LogicalResult ConstantLikeOp::verify() {
  if (getValue().getType() == getElementTypeOrSelf(getType()))
    return success();
  return emitOpError() << "found value " << getValue() << " for result "
                       << getType() << ", expected its element type";
}

//===----------------------------------------------------------------------===//
// With structure
//===----------------------------------------------------------------------===//

/// Marks dimensions, each of which must be there and once.
static LogicalResult useDims(Operation *op, StringRef name,
                             ArrayRef<int64_t> dims,
                             llvm::SmallBitVector &used) {
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= static_cast<int64_t>(used.size()))
      return op->emitOpError() << "found dimension " << dim << " in " << name
                               << " for rank " << used.size();
    if (used.test(dim))
      return op->emitOpError()
             << "found dimension " << dim << " of " << name << " twice";
    used.set(dim);
  }
  return success();
}

static LogicalResult checkPairs(Operation *op, StringRef name, Type lhs,
                                ArrayRef<int64_t> lhsDims, Type rhs,
                                ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return op->emitOpError()
           << "found " << lhsDims.size() << " and " << rhsDims.size() << " "
           << name << " dimensions, expected as many on both sides";
  for (auto [l, r] : llvm::zip(lhsDims, rhsDims)) {
    int64_t left = cast<RankedTensorType>(lhs).getDimSize(l);
    int64_t right = cast<RankedTensorType>(rhs).getDimSize(r);
    if (failed(mergeSizes(left, right)))
      return op->emitOpError()
             << "found sizes " << left << " and " << right << " of " << name
             << " dimensions " << l << " and " << r << ", expected equal ones";
  }
  return success();
}

LogicalResult RaggedDotOp::verify() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  llvm::SmallBitVector lhsUsed(lhs.getRank()), rhsUsed(rhs.getRank());
  ArrayRef<int64_t> ragged = dims.getLhsRaggedDimensions();
  ArrayRef<int64_t> groups = dims.getRhsGroupDimensions();
  if (ragged.size() != 1)
    return emitOpError() << "found " << ragged.size()
                         << " lhs_ragged_dimensions, expected 1";
  if (ragged[0] < 0 || ragged[0] >= lhs.getRank())
    return emitOpError() << "found ragged dimension " << ragged[0]
                         << " for rank " << lhs.getRank();
  if (failed(useDims(*this, "lhs_batching_dimensions",
                     dims.getLhsBatchingDimensions(), lhsUsed)) ||
      failed(useDims(*this, "lhs_contracting_dimensions",
                     dims.getLhsContractingDimensions(), lhsUsed)) ||
      failed(useDims(*this, "rhs_batching_dimensions",
                     dims.getRhsBatchingDimensions(), rhsUsed)) ||
      failed(useDims(*this, "rhs_contracting_dimensions",
                     dims.getRhsContractingDimensions(), rhsUsed)) ||
      failed(useDims(*this, "rhs_group_dimensions", groups, rhsUsed)) ||
      failed(checkPairs(*this, "batching", lhs, dims.getLhsBatchingDimensions(),
                        rhs, dims.getRhsBatchingDimensions())) ||
      failed(checkPairs(*this, "contracting", lhs,
                        dims.getLhsContractingDimensions(), rhs,
                        dims.getRhsContractingDimensions())))
    return failure();
  // Groups of rows have factors of their own; groups of other dimensions share
  // them.
  size_t expected = lhsUsed.test(ragged[0]) ? 0 : 1;
  if (groups.size() != expected)
    return emitOpError() << "found " << groups.size()
                         << " rhs_group_dimensions, expected " << expected;
  RankedTensorType sizes = getGroupSizes().getType();
  if (sizes.getRank() == 0)
    return emitOpError() << "found group_sizes " << sizes
                         << ", expected rank 1 or more";
  if (expected &&
      failed(mergeSizes(rhs.getDimSize(groups[0]), sizes.getShape().back())))
    return emitOpError() << "found " << rhs << " for group_sizes " << sizes
                         << ", expected as many groups";
  return success();
}

/// One argument of the body: of `type`, a slice without dimension `dim` when
/// it is one of the inputs.
static Type sliceOf(Type type, int64_t dim) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.erase(shape.begin() + dim);
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// Compares the types of the body's values with slices and carried values.
static LogicalResult checkValues(ScanOp op, StringRef what, TypeRange found,
                                 TypeRange sliced, TypeRange carried) {
  int64_t dim = op.getDimension();
  if (found.size() != sliced.size() + carried.size())
    return op.emitOpError() << "found " << found.size() << " " << what
                            << ", expected " << sliced.size() << " slices and "
                            << carried.size() << " carried values";
  for (auto [i, type] : llvm::enumerate(found)) {
    bool isSlice = i < sliced.size();
    Type whole = isSlice ? sliced[i] : carried[i - sliced.size()];
    if (isSlice && (dim < 0 || dim >= cast<RankedTensorType>(whole).getRank()))
      return op.emitOpError() << "found dimension " << dim << " for " << whole;
    Type expected = isSlice ? sliceOf(whole, dim) : whole;
    if (!areCompatibleTypes(type, expected))
      return op.emitOpError() << "found " << type << " among the " << what
                              << ", expected " << expected;
  }
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  if (getInputs().empty() && getOutputs().empty())
    return emitOpError() << "found neither inputs nor outputs";
  if (!areCompatibleTypes(TypeRange(getInits()), TypeRange(getCarries())))
    return emitOpError() << "found inits " << TypeRange(getInits())
                         << " for carried results " << TypeRange(getCarries())
                         << ", expected equal types";
  Block &body = getBody().front();
  if (failed(checkValues(*this, "arguments of the body",
                         body.getArgumentTypes(), TypeRange(getInputs()),
                         TypeRange(getInits()))))
    return failure();
  // Inputs and outputs are equally long; all dimensions are there by now.
  if (failed(checkValues(*this, "values returned by the body",
                         body.getTerminator()->getOperandTypes(),
                         TypeRange(getOutputs()), TypeRange(getCarries()))))
    return failure();
  int64_t length = ShapedType::kDynamic;
  if (std::optional<uint64_t> size = getScanDimSize())
    length = static_cast<int64_t>(*size);
  SmallVector<Value> sliced(getInputs());
  llvm::append_range(sliced, getOutputs());
  for (Value value : sliced) {
    auto type = cast<RankedTensorType>(value.getType());
    FailureOr<int64_t> merged =
        mergeSizes(length, type.getDimSize(getDimension()));
    if (failed(merged))
      return emitOpError() << "found size " << type.getDimSize(getDimension())
                           << " in dimension " << getDimension()
                           << ", expected " << length;
    length = *merged;
  }
  return success();
}

} // namespace ferrule::chlo
