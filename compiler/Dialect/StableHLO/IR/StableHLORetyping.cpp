#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

FailureOr<Operation *>
ferrule::stablehlo::rebuildConverted(Operation *op, ValueRange operands,
                                     const TypeConverter &converter,
                                     ConversionPatternRewriter &rewriter) {
  SmallVector<Type> types;
  if (failed(converter.convertTypes(op->getResultTypes(), types)))
    return failure();
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
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

void ferrule::stablehlo::addTypeLegality(ConversionTarget &target,
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
