#include "compiler/Transforms/LowerQuantized/LowerQuantized.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "compiler/Transforms/LowerQuantized/Quantization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ferrule {
#define GEN_PASS_DEF_LOWERQUANTIZED
#include "compiler/Transforms/LowerQuantized/LowerQuantized.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::quantized;
using namespace ferrule::stablehlo;

/// Arithmetic that the specification defines on the dequantized operands.
static bool isArithmetic(Operation *op) {
  return isa<AbsOp, AddOp, Atan2Op, BatchNormGradOp, BatchNormInferenceOp,
             BatchNormTrainingOp, CbrtOp, CeilOp, CholeskyOp, ClampOp,
             CompareOp, CosineOp, DivOp, ExpOp, Expm1Op, FloorOp, IsFiniteOp,
             Log1pOp, LogOp, LogisticOp, MaxOp, MinOp, MulOp, NegOp, PowOp,
             ReducePrecisionOp, RemOp, RoundNearestEvenOp, RoundOp, RsqrtOp,
             SelectOp, SignOp, SineOp, SqrtOp, SubtractOp, TanOp, TanhOp,
             TriangularSolveOp, IotaOp, DynamicIotaOp>(op);
}

namespace {

/// add %a, %b -> quantize(add(dequantize(%a), dequantize(%b)))
struct ArithmeticLowering : ConversionPattern {
  ArithmeticLowering(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isArithmetic(op))
      return rewriter.notifyMatchFailure(op, "not arithmetic on numbers");
    Location loc = op->getLoc();
    SmallVector<Value> dequantized;
    for (auto [old, operand] : llvm::zip(op->getOperands(), operands)) {
      auto type = getQuantized(old.getType());
      dequantized.push_back(type ? buildDequantize(rewriter, loc, operand, type)
                                 : operand);
    }
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(
          getQuantized(type)
              ? withElement(type, getQuantized(type).getExpressedType())
              : type);
    Operation *numbers = rebuild(rewriter, op, dequantized, types);
    if (auto compare = dyn_cast<CompareOp>(numbers))
      compare.setCompareType(ComparisonType::FLOAT);
    SmallVector<Value> results;
    for (auto [old, result] :
         llvm::zip(op->getResults(), numbers->getResults())) {
      auto type = getQuantized(old.getType());
      results.push_back(type ? buildQuantize(rewriter, loc, result, type)
                             : result);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct QuantizeLowering : OpConversionPattern<UniformQuantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UniformQuantizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto to = getQuantized(op.getType());
    Value numbers = adaptor.getOperand();
    if (auto from = getQuantized(op.getOperand().getType()))
      numbers = buildDequantize(rewriter, op.getLoc(), numbers, from);
    rewriter.replaceOp(op, buildQuantize(rewriter, op.getLoc(), numbers, to));
    return success();
  }
};

struct DequantizeLowering : OpConversionPattern<UniformDequantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UniformDequantizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, buildDequantize(rewriter, op.getLoc(), adaptor.getOperand(),
                            getQuantized(op.getOperand().getType())));
    return success();
  }
};

struct LowerQuantized : ferrule::impl::LowerQuantizedBase<LowerQuantized> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](RankedTensorType type) -> Type {
      auto quantized = getQuantized(type);
      return quantized ? withElement(type, getStorage(quantized)) : type;
    });
    addContainerConversions(converter);
    RewritePatternSet patterns(context);
    patterns.add<ArithmeticLowering, QuantizeLowering, DequantizeLowering>(
        converter, context);
    // A quantized constant holds its storage already.
    addConstantPattern(converter, patterns);
    addContractionPatterns(converter, patterns);
    addMovementPatterns(converter, patterns);
    if (failed(convertProgram(getOperation(), converter, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
