// Entry points of the scalar forms, and regions written as scalars.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

Value ScalarContext::constant(Type type, double value) {
  return getConstant(b, loc, type, value);
}

bool isElementwise(Operation *op) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return op->getNumResults() == 1 &&
           isNamedElementwiseCall(call.getCallTargetName());
  if (isa<stablehlo::UniformQuantizeOp, stablehlo::UniformDequantizeOp>(op))
    return false;
  return isa_and_nonnull<stablehlo::StableHLODialect>(op->getDialect()) &&
         (op->hasTrait<OpTrait::Elementwise>() ||
          isa<stablehlo::ClampOp, stablehlo::SelectOp>(op));
}

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// Floats narrower than this are computed in f32 and rounded.
static bool isNarrowFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() < 32;
}

static Value emitClamp(ScalarContext &c) {
  Value low = c.in[0], x = c.in[1], high = c.in[2];
  if (isa<FloatType>(x.getType())) {
    Value atLeast = arith::MaximumFOp::create(c.b, c.loc, x, low);
    return arith::MinimumFOp::create(c.b, c.loc, atLeast, high);
  }
  if (isa<ComplexType>(x.getType()))
    return {};
  if (c.operandType.isUnsignedInteger() || x.getType().isInteger(1)) {
    Value atLeast = arith::MaxUIOp::create(c.b, c.loc, x, low);
    return arith::MinUIOp::create(c.b, c.loc, atLeast, high);
  }
  Value atLeast = arith::MaxSIOp::create(c.b, c.loc, x, low);
  return arith::MinSIOp::create(c.b, c.loc, atLeast, high);
}

static Value emitByType(ScalarContext &c) {
  if (isa<stablehlo::ClampOp>(c.op))
    return emitClamp(c);
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(c.op))
    return emitNamedCall(c, call.getCallTargetName());
  if (isa<stablehlo::CompareOp>(c.op))
    return emitCompare(c);
  if (isa<stablehlo::ReducePrecisionOp>(c.op))
    return emitReducePrecision(c);
  if (isa<stablehlo::ComplexOp>(c.op))
    return complex::CreateOp::create(c.b, c.loc, c.resultType, c.in[0],
                                     c.in[1]);
  if (isa<FloatType>(c.operandType))
    return emitFloatOp(c);
  if (isa<ComplexType>(c.operandType))
    return emitComplexOp(c);
  if (isa<IntegerType>(c.operandType))
    return emitIntegerOp(c);
  return {};
}

Value emitScalarOp(OpBuilder &b, Operation *op, ValueRange operands) {
  Location loc = op->getLoc();
  Type operandType = elementOf(op->getOperand(0));
  Type resultType = elementOf(op->getResult(0));
  if (isa<stablehlo::SelectOp>(op))
    return arith::SelectOp::create(b, loc, operands[0], operands[1],
                                   operands[2]);
  if (isa<stablehlo::ConvertOp>(op))
    return emitConvert(b, loc, operands[0], operandType, resultType);
  ScalarContext c{b, loc, op, operandType, resultType, operands};
  if (isNarrowInteger(operandType)) {
    SmallVector<Value> own;
    for (Value operand : operands)
      own.push_back(toOwnWidth(b, loc, operand, operandType));
    c.in = own;
    Value result = emitByType(c);
    return result ? toStored(b, loc, result, resultType) : Value();
  }
  bool bitExact =
      isa<stablehlo::CompareOp>(op) ||
      (isa<stablehlo::ReducePrecisionOp>(op) && !isSmallFloat(operandType));
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    bitExact = call.getCallTargetName() == "ferrule.next_after";
  if (!isNarrowFloat(operandType) || bitExact)
    return emitByType(c);

  SmallVector<Value> wide;
  Type f32 = b.getF32Type();
  for (Value operand : operands)
    wide.push_back(emitConvert(b, loc, operand, operandType, f32));
  c.in = wide;
  c.operandType = f32;
  bool narrowResult = resultType == operandType;
  if (narrowResult)
    c.resultType = f32;
  Value result = emitByType(c);
  if (result && narrowResult)
    result = emitConvert(b, loc, result, f32, resultType);
  return result;
}

//===-- Regions -----------------------------------------------------------===//

/// The scalar of a constant with one value, or null.
static Value emitScalarConstant(OpBuilder &b, stablehlo::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !elements.isSplat())
    return {};
  Type element = elements.getElementType();
  Type type = getStoredElement(element);
  if (isSmallFloat(element))
    return intConstant(b, op.getLoc(), type,
                       storedBits(element, elements.getSplatValue<APFloat>()
                                               .bitcastToAPInt()));
  if (isa<ComplexType>(type)) {
    auto value = elements.getSplatValue<std::complex<APFloat>>();
    Type part = cast<ComplexType>(type).getElementType();
    auto parts = b.getArrayAttr({b.getFloatAttr(part, value.real()),
                                 b.getFloatAttr(part, value.imag())});
    return complex::ConstantOp::create(b, op.getLoc(), type, parts);
  }
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(
        b, op.getLoc(), b.getFloatAttr(type, elements.getSplatValue<APFloat>()));
  if (isa<IntegerType>(type))
    return intConstant(b, op.getLoc(), type,
                       storedBits(element, elements.getSplatValue<APInt>()));
  return {};
}

/// Ops that hand their operand on when everything has rank 0.
static bool isScalarNoOp(Operation *op) {
  return isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp,
             stablehlo::TransposeOp, stablehlo::OptimizationBarrierOp>(op) &&
         op->getNumOperands() == 1;
}

ScalarRegion::ScalarRegion(OpBuilder &b, Region &region,
                           function_ref<Value(Value)> remap)
    : region(region) {
  SetVector<Value> outside;
  getUsedValuesDefinedAbove(region, outside);
  for (Value value : outside) {
    auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
    Value scalar = constant ? emitScalarConstant(b, constant) : Value();
    if (!scalar && rankOf(value) == 0)
      scalar = extractScalar(b, region.getLoc(), remap(value));
    captured[value] = scalar;
  }
}

Type ScalarRegion::argumentType(unsigned i) const {
  return elementOf(region.front().getArgument(i));
}

LogicalResult ScalarRegion::verify() const {
  for (Operation &op : region.front().without_terminator())
    if (!isElementwise(&op) && !isScalarNoOp(&op) &&
        !isa<stablehlo::ConstantOp>(op))
      return op.emitOpError("has no scalar form, which the body of '")
             << region.getParentOp()->getName() << "' needs";
  return success();
}

FailureOr<SmallVector<Value>> ScalarRegion::emit(OpBuilder &b,
                                                 ValueRange arguments) const {
  DenseMap<Value, Value> scalars = captured;
  Block &block = region.front();
  for (auto [from, to] : llvm::zip(block.getArguments(), arguments))
    scalars[from] = to;
  for (Operation &op : block.without_terminator()) {
    Value scalar;
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      scalar = emitScalarConstant(b, constant);
    } else if (isScalarNoOp(&op)) {
      scalar = scalars.lookup(op.getOperand(0));
    } else if (isElementwise(&op)) {
      SmallVector<Value> operands;
      for (Value operand : op.getOperands())
        operands.push_back(scalars.lookup(operand));
      if (!llvm::is_contained(operands, Value()))
        scalar = emitScalarOp(b, &op, operands);
    }
    if (!scalar)
      return op.emitOpError("has no scalar form, which the body of '")
             << region.getParentOp()->getName() << "' needs";
    scalars[op.getResult(0)] = scalar;
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(scalars.lookup(value));
  return results;
}

} // namespace ferrule::lowering
