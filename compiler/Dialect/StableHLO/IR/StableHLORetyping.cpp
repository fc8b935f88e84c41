#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"

using namespace mlir;
using namespace ferrule::stablehlo;

static OperationState stateOf(Operation *op, ValueRange operands,
                              TypeRange types) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return state;
}

Operation *ferrule::stablehlo::rebuild(OpBuilder &b, Operation *op,
                                       ValueRange operands, TypeRange types) {
  return b.create(stateOf(op, operands, types));
}

FailureOr<Operation *>
ferrule::stablehlo::rebuildConverted(Operation *op, ValueRange operands,
                                     const TypeConverter &converter,
                                     ConversionPatternRewriter &rewriter) {
  SmallVector<Type> types;
  if (failed(converter.convertTypes(op->getResultTypes(), types)))
    return failure();
  OperationState state = stateOf(op, operands, types);
  for (size_t i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *result = rewriter.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), result->getRegions())) {
    rewriter.inlineRegionBefore(from, to, to.end());
    if (failed(rewriter.convertRegionTypes(&to, converter)))
      return failure();
  }
  return result;
}

void ferrule::stablehlo::recordOwnTypes(
    func::FuncOp function, llvm::function_ref<bool(Type)> changes) {
  constexpr StringLiteral kOwnType("ferrule.type");
  auto needsRecord = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && changes(tensor.getElementType());
  };
  auto own = [](Type type) {
    return TypeAttr::get(getElementTypeOrSelf(type));
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (needsRecord(type) && !function.getArgAttr(i, kOwnType))
      function.setArgAttr(i, kOwnType, own(type));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (needsRecord(type) && !function.getResultAttr(i, kOwnType))
      function.setResultAttr(i, kOwnType, own(type));
}

template <typename ContainerT>
static void addContainerConversion(TypeConverter &converter) {
  converter.addConversion([&](ContainerT type) -> std::optional<Type> {
    SmallVector<Type> types;
    if (failed(converter.convertTypes(type.getTypes(), types)))
      return std::nullopt;
    return ContainerT::get(type.getContext(), types);
  });
}

void ferrule::stablehlo::addContainerConversions(TypeConverter &converter) {
  addContainerConversion<TupleType>(converter);
  addContainerConversion<FutureType>(converter);
}

namespace {

struct ConstantLowering : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    ElementsAttr value = op.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      value = dense.bitcast(type.getElementType());
    else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      value = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    else
      return rewriter.notifyMatchFailure(op, "of an unknown kind");
    rewriter.replaceOpWithNewOp<ConstantOp>(op, value);
    return success();
  }
};

} // namespace

void ferrule::stablehlo::addConstantPattern(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<ConstantLowering>(converter, patterns.getContext());
}

/// Legal is every operation of legal types, also in its bodies.
static void addTypeLegality(ConversionTarget &target,
                            const TypeConverter &converter) {
  target.markUnknownOpDynamicallyLegal([&converter](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      return converter.isSignatureLegal(function.getFunctionType()) &&
             converter.isLegal(&function.getBody());
    return converter.isLegal(op) &&
           llvm::all_of(op->getRegions(), [&](Region &region) {
             return converter.isLegal(&region);
           });
  });
}

LogicalResult ferrule::stablehlo::convertProgram(ModuleOp module,
                                                 const TypeConverter &converter,
                                                 RewritePatternSet &&patterns) {
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  ConversionTarget target(*module.getContext());
  addTypeLegality(target, converter);
  return applyPartialConversion(module, target, std::move(patterns));
}
