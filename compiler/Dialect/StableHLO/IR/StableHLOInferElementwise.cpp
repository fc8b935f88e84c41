// Inference of the elementwise operations and those of no computation.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"

using namespace mlir;
namespace ferrule::stablehlo {

using Results = SmallVectorImpl<Type>;

static RankedTensorType tensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LogicalResult give(FailureOr<RankedTensorType> type, Results &results) {
  if (failed(type))
    return failure();
  results.push_back(*type);
  return success();
}

/// What is asked of an elementary function's exactness.
static LogicalResult checkAccuracy(OptionalLoc loc,
                                   std::optional<ResultAccuracyAttr> accuracy) {
  if (!accuracy)
    return success();
  if (accuracy->getAtol().isNegative() || accuracy->getRtol().isNegative() ||
      accuracy->getUlps() < 0)
    return emitOptionalError(loc, "C3: found ", *accuracy,
                             ", expected tolerances of 0 or more");
  bool isTolerance =
      accuracy->getMode().getValue() == ResultAccuracyMode::TOLERANCE;
  bool isZero = accuracy->getAtol().isZero() && accuracy->getRtol().isZero() &&
                accuracy->getUlps() == 0;
  if (!isTolerance && !isZero)
    return emitOptionalError(loc, "C3: found ", *accuracy,
                             ", expected tolerances with mode TOLERANCE only");
  return success();
}

/// The result is like the operands, whose elements are equal but for what
/// quantization may change.
static LogicalResult inferLikeOperands(OptionalLoc loc, ValueRange operands,
                                       Results &results) {
  Type first = getElementTypeOrSelf(operands.front());
  for (Value operand : operands.drop_front()) {
    Type element = getElementTypeOrSelf(operand);
    if (element != first && !isQuantizedElement(element) &&
        !isQuantizedElement(first))
      return emitOptionalError(loc, "C1: found operands of element types ",
                               first, " and ", element,
                               ", expected equal ones");
  }
  return give(inferElementwise(loc, TypeRange(operands)), results);
}

#define INFER_LIKE_OPERANDS(OP)                                                \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLoc loc,           \
                                     Adaptor adaptor, Results &results) {      \
    return inferLikeOperands(loc, adaptor.getOperands(), results);             \
  }
INFER_LIKE_OPERANDS(CeilOp)
INFER_LIKE_OPERANDS(FloorOp)
INFER_LIKE_OPERANDS(RoundOp)
INFER_LIKE_OPERANDS(RoundNearestEvenOp)
INFER_LIKE_OPERANDS(ClzOp)
INFER_LIKE_OPERANDS(PopulationCountOp)
INFER_LIKE_OPERANDS(NotOp)
INFER_LIKE_OPERANDS(NegOp)
INFER_LIKE_OPERANDS(SignOp)
INFER_LIKE_OPERANDS(ReducePrecisionOp)
INFER_LIKE_OPERANDS(AddOp)
INFER_LIKE_OPERANDS(SubtractOp)
INFER_LIKE_OPERANDS(MulOp)
INFER_LIKE_OPERANDS(DivOp)
INFER_LIKE_OPERANDS(RemOp)
INFER_LIKE_OPERANDS(MaxOp)
INFER_LIKE_OPERANDS(MinOp)
INFER_LIKE_OPERANDS(PowOp)
INFER_LIKE_OPERANDS(Atan2Op)
INFER_LIKE_OPERANDS(AndOp)
INFER_LIKE_OPERANDS(OrOp)
INFER_LIKE_OPERANDS(XorOp)
INFER_LIKE_OPERANDS(ShiftLeftOp)
INFER_LIKE_OPERANDS(ShiftRightArithmeticOp)
INFER_LIKE_OPERANDS(ShiftRightLogicalOp)
#undef INFER_LIKE_OPERANDS

#define INFER_ACCURATE(OP)                                                     \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLoc loc,           \
                                     Adaptor adaptor, Results &results) {      \
    if (failed(checkAccuracy(loc, adaptor.getResultAccuracy())))               \
      return failure();                                                        \
    return inferLikeOperands(loc, adaptor.getOperands(), results);             \
  }
INFER_ACCURATE(CbrtOp)
INFER_ACCURATE(CosineOp)
INFER_ACCURATE(ExpOp)
INFER_ACCURATE(Expm1Op)
INFER_ACCURATE(LogOp)
INFER_ACCURATE(Log1pOp)
INFER_ACCURATE(LogisticOp)
INFER_ACCURATE(RsqrtOp)
INFER_ACCURATE(SineOp)
INFER_ACCURATE(SqrtOp)
INFER_ACCURATE(TanOp)
INFER_ACCURATE(TanhOp)
#undef INFER_ACCURATE

// The result has the shape of the operand and the part of its element type
// that a complex number is made of.
#define INFER_PART(OP)                                                         \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLoc,               \
                                     Adaptor adaptor, Results &results) {      \
    Type type = adaptor.getOperand().getType();                                \
    Type element = getElementTypeOrSelf(type);                                 \
    if (auto complex = dyn_cast<ComplexType>(element))                         \
      element = complex.getElementType();                                      \
    results.push_back(withElement(type, element));                             \
    return success();                                                          \
  }
INFER_PART(AbsOp)
INFER_PART(RealOp)
INFER_PART(ImagOp)
#undef INFER_PART

LogicalResult IsFiniteOp::inferReturnTypes(MLIRContext *context, OptionalLoc,
                                           Adaptor adaptor, Results &results) {
  results.push_back(withElement(adaptor.getOperand().getType(),
                                IntegerType::get(context, 1)));
  return success();
}

LogicalResult UniformDequantizeOp::inferReturnTypes(MLIRContext *, OptionalLoc,
                                                    Adaptor adaptor,
                                                    Results &results) {
  auto element =
      cast<quant::QuantizedType>(tensor(adaptor.getOperand()).getElementType());
  results.push_back(
      withElement(adaptor.getOperand().getType(), element.getExpressedType()));
  return success();
}

LogicalResult ComplexOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                          Adaptor adaptor, Results &results) {
  SmallVector<Type, 1> parts;
  if (failed(inferLikeOperands(loc, adaptor.getOperands(), parts)))
    return failure();
  Type element = getElementTypeOrSelf(parts.front());
  if (!isa<Float32Type, Float64Type>(element))
    return emitOptionalError(loc, "C2: found operands of element type ",
                             element, ", expected f32 or f64");
  results.push_back(withElement(parts.front(), ComplexType::get(element)));
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, OptionalLoc loc,
                                          Adaptor adaptor, Results &results) {
  Type lhs = tensor(adaptor.getLhs()).getElementType();
  Type rhs = tensor(adaptor.getRhs()).getElementType();
  if (!areCompatibleElements(lhs, rhs))
    return emitOptionalError(loc, "C1: found operands of element types ", lhs,
                             " and ", rhs, ", expected equal ones");
  FailureOr<RankedTensorType> type =
      inferElementwise(loc, TypeRange(adaptor.getOperands()));
  if (failed(type))
    return failure();
  results.push_back(withElement(*type, IntegerType::get(context, 1)));
  return success();
}

LogicalResult ClampOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                        Adaptor adaptor, Results &results) {
  SmallVector<Type> types = {adaptor.getOperand().getType()};
  auto check = [&](Value limit, StringRef code, StringRef name) {
    if (!areCompatibleElements(tensor(limit).getElementType(),
                               tensor(adaptor.getOperand()).getElementType()))
      return emitOptionalError(loc, "C3: found ", name, " of type ",
                               limit.getType(), " for an operand of type ",
                               types.front(), ", expected equal elements");
    if (tensor(limit).getRank() == 0)
      return success();
    if (!areCompatibleTypes(limit.getType(), types.front()))
      return emitOptionalError(loc, code, ": found ", name, " of type ",
                               limit.getType(), ", expected a scalar or ",
                               types.front());
    types.push_back(limit.getType());
    return success();
  };
  if (failed(check(adaptor.getMin(), "C1", "min")) ||
      failed(check(adaptor.getMax(), "C2", "max")))
    return failure();
  return give(inferElementwise(loc, types), results);
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                         Adaptor adaptor, Results &results) {
  Type onTrue = adaptor.getOnTrue().getType();
  Type onFalse = adaptor.getOnFalse().getType();
  if (!areCompatibleTypes(onTrue, onFalse))
    return emitOptionalError(loc, "C2: found values of types ", onTrue, " and ",
                             onFalse, ", expected equal types");
  SmallVector<Type> types = {onTrue, onFalse};
  if (tensor(adaptor.getPred()).getRank() != 0) {
    FailureOr<RankedTensorType> withPred =
        inferElementwise(std::nullopt, {onTrue, adaptor.getPred().getType()});
    if (failed(withPred))
      return emitOptionalError(loc, "C1: found pred of type ",
                               adaptor.getPred().getType(),
                               ", expected a scalar or the shape of ", onTrue);
    types.push_back(adaptor.getPred().getType());
  }
  return give(inferElementwise(loc, types), results);
}

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, OptionalLoc,
                                           Adaptor adaptor, Results &results) {
  results.push_back(adaptor.getValue().getType());
  return success();
}

/// A quantized constant holds values of the storage type.
bool ConstantOp::isCompatibleReturnTypes(TypeRange left, TypeRange right) {
  auto stored = [](Type type) -> Type {
    auto element = dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type));
    return element ? cast<ShapedType>(type).clone(element.getStorageType())
                   : type;
  };
  auto isStatic = [](TypeRange types) {
    auto type = dyn_cast<ShapedType>(types.front());
    return type && type.hasStaticShape();
  };
  return left.size() == 1 && right.size() == 1 && isStatic(left) &&
         isStatic(right) &&
         (areCompatibleTypes(left, right) ||
          areCompatibleTypes(stored(left.front()), stored(right.front())));
}

static LogicalResult inferId(MLIRContext *context, Results &results) {
  results.push_back(RankedTensorType::get(
      {}, IntegerType::get(context, 32, IntegerType::Unsigned)));
  return success();
}

LogicalResult ReplicaIdOp::inferReturnTypes(MLIRContext *context, OptionalLoc,
                                            Adaptor, Results &results) {
  return inferId(context, results);
}

LogicalResult PartitionIdOp::inferReturnTypes(MLIRContext *context, OptionalLoc,
                                              Adaptor, Results &results) {
  return inferId(context, results);
}

} // namespace ferrule::stablehlo
