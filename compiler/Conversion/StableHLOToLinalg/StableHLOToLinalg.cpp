#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h"
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOLINALG
#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

/// Signless integers; tokens are booleans without meaning; no bounds.
static void addTypeConversions(TypeConverter &converter) {
  converter.addConversion([](Type type) { return type; });
  // Scalars keep their width: narrow ones are computed at their own.
  converter.addConversion([](IntegerType type) -> Type {
    return IntegerType::get(type.getContext(), type.getWidth());
  });
  converter.addConversion([](RankedTensorType type) -> std::optional<Type> {
    Type element = type.getElementType();
    if (isa<quant::QuantizedType>(element))
      return nullptr;
    return RankedTensorType::get(type.getShape(),
                                 lowering::getStoredElement(element));
  });
  converter.addConversion([](stablehlo::TokenType type) -> Type {
    return RankedTensorType::get({}, IntegerType::get(type.getContext(), 1));
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  converter.addSourceMaterialization(cast);
  converter.addTargetMaterialization(cast);
}

static void addAllPatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns) {
  using namespace lowering;
  addSmallIntegerPatterns(converter, patterns);
  addElementwisePatterns(converter, patterns);
  addConstantPatterns(converter, patterns);
  addBroadcastPatterns(converter, patterns);
  addReshapePatterns(converter, patterns);
  addDataMovementPatterns(converter, patterns);
  addSlicePatterns(converter, patterns);
  addPadPatterns(converter, patterns);
  addGatherPatterns(converter, patterns);
  addScatterPatterns(converter, patterns);
  addDotPatterns(converter, patterns);
  addConvolutionPatterns(converter, patterns);
  addReducePatterns(converter, patterns);
  addReduceWindowPatterns(converter, patterns);
  addSortPatterns(converter, patterns);
  addControlFlowPatterns(converter, patterns);
  addLinearAlgebraPatterns(converter, patterns);
  addFourierPatterns(converter, patterns);
  addRandomPatterns(converter, patterns);
  addCallPatterns(converter, patterns);
  addExchangePatterns(converter, patterns);
}

namespace {

struct ConvertStableHLOToLinalg
    : ferrule::impl::ConvertStableHLOToLinalgBase<ConvertStableHLOToLinalg> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic())
        stablehlo::recordOwnTypes(function, [](Type element) {
          return lowering::getStoredElement(element) != element;
        });
    if (failed(lowering::checkCollectives(getOperation())))
      return signalPassFailure();
    RewritePatternSet expansions(context);
    lowering::addExpansionPatterns(expansions);
    lowering::addCollectivePatterns(expansions);
    walkAndApplyPatterns(getOperation(), std::move(expansions));

    TypeConverter converter;
    addTypeConversions(converter);
    if (failed(lowering::checkCalls(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(context);
    addAllPatterns(converter, patterns);

    ConversionTarget target(*context);
    target.addIllegalDialect<stablehlo::StableHLODialect>();
    // Tuples disappear with the last op that reads them.
    target.addDynamicallyLegalOp<stablehlo::TupleOp>(
        [](Operation *op) { return op->use_empty(); });
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        return converter.isSignatureLegal(function.getFunctionType()) &&
               converter.isLegal(&function.getBody());
      return converter.isLegal(op);
    });
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversions(converter, patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([](stablehlo::TupleOp op) { op->erase(); });
    lowering::removeEmptyComputations(getOperation());
  }
};

} // namespace
