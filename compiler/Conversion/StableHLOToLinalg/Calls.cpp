// custom_call: calls that Ferrule defines, those of other producers that mean
// nothing here.
#include "compiler/Conversion/StableHLOToLinalg/Exchange.h"
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

/// Annotations for a compiler of several devices.
static bool isAnnotation(StringRef target) {
  return StringSwitch<bool>(target)
      .Cases("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", true)
      .Cases("xla.sdy.FuncResultSharding", "xla.sdy.GlobalToLocalShape",
             "xla.sdy.LocalToGlobalShape", true)
      .Cases("annotate_device_placement", "LayoutConstraint",
             "stablehlo.shape_refinement_operand_wrapper", true)
      .Default(false);
}

namespace {

/// The result is the first operand.
struct AnnotationLowering : OpConversionPattern<stablehlo::CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isAnnotation(op.getCallTargetName()) || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not an annotation");
    rewriter.replaceOp(
        op, castTo(rewriter, op.getLoc(), adaptor.getInputs().front(),
                   resultType(getTypeConverter(), op.getResult(0))));
    return success();
  }
};

/// @ferrule.top_k(%x): values and indices along the last dimension, k from
/// the result's type.
struct TopKLowering : OpConversionPattern<stablehlo::CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != "ferrule.top_k")
      return rewriter.notifyMatchFailure(op, "not a top_k");
    Location loc = op.getLoc();
    Value x = adaptor.getInputs().front();
    RankedTensorType values = resultType(getTypeConverter(), op.getResult(0));
    RankedTensorType indices = resultType(getTypeConverter(), op.getResult(1));
    int64_t last = values.getRank() - 1;
    Sizes sizes = sizesOf(rewriter, loc, x);
    if (values.isDynamicDim(last))
      return rewriter.notifyMatchFailure(op, "k is not static");
    sizes[last] = rewriter.getIndexAttr(values.getDimSize(last));
    SmallVector<Value> outs = {
        emptyTensor(rewriter, loc, sizes, values.getElementType()),
        emptyTensor(rewriter, loc, sizes, indices.getElementType())};
    bool isUnsigned =
        getElementTypeOrSelf(op.getInputs()[0].getType()).isUnsignedInteger() ||
        values.getElementType().isInteger(1);
    auto topK = ext::TopKOp::create(rewriter, loc, ValueRange(outs).getTypes(),
                                    x, outs, last, isUnsigned);
    rewriter.replaceOp(
        op, ValueRange{castTo(rewriter, loc, topK.getResult(0), values),
                       castTo(rewriter, loc, topK.getResult(1), indices)});
    return success();
  }
};

/// @shape_assertion(%ok, ...) (of JAX) and @ferrule.assert(%ok): stop with a
/// message unless %ok.
struct AssertionLowering : OpConversionPattern<stablehlo::CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StringRef target = op.getCallTargetName();
    if (target != "shape_assertion" && target != "ferrule.assert")
      return rewriter.notifyMatchFailure(op, "not an assertion");
    Value ok = extractScalar(rewriter, op.getLoc(), adaptor.getInputs()[0]);
    StringAttr message = op->getAttrOfType<StringAttr>("error_message");
    if (!message)
      message = dyn_cast_or_null<StringAttr>(
          op.getBackendConfig().value_or(Attribute()));
    cf::AssertOp::create(rewriter, op.getLoc(), ok,
                         message && !message.empty()
                             ? message.getValue()
                             : StringRef("assertion failed"));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

LogicalResult checkCalls(Operation *root) {
  WalkResult result = root->walk([](stablehlo::CustomCallOp op) {
    StringRef target = op.getCallTargetName();
    if (isNamedElementwiseCall(target) || isAnnotation(target) ||
        target == "ferrule.top_k" || target == "ferrule.assert" ||
        target == kExchangeCall || target == kProcessIdCall ||
        target == "shape_assertion")
      return WalkResult::advance();
    return failed(checkProviderCall(op)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void addCallPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<AnnotationLowering, TopKLowering, AssertionLowering>(
      converter, patterns.getContext());
  addProviderCallPatterns(converter, patterns);
}

} // namespace ferrule::lowering
