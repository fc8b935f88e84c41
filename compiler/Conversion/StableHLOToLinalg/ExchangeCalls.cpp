// Calls of the runtime by which processes exchange values.
#include "compiler/Conversion/StableHLOToLinalg/Exchange.h"
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Byre/IR/Byre.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::lowering;

static int64_t numberOf(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : -1;
}

static OpFoldResult divide(OpBuilder &b, Location loc, OpFoldResult size,
                           int64_t by) {
  return affineIndex(b, loc, b.getAffineDimExpr(0).floorDiv(by), size);
}

/// Sizes of a result: those of the operand, but where a dimension is put
/// together of all members' or is the part of one.
static Sizes resultSizes(OpBuilder &b, stablehlo::CustomCallOp op, Value x,
                         RankedTensorType type) {
  Location loc = op.getLoc();
  Sizes sizes = sizesOf(b, loc, x);
  int64_t dim = numberOf(op, "dim"), concat = numberOf(op, "concat");
  int64_t count = numberOf(op, "count");
  switch (static_cast<ExchangeKind>(numberOf(op, "kind"))) {
  case ExchangeKind::Gather:
    sizes[dim] = mulIndices(b, loc, sizes[dim], b.getIndexAttr(count));
    break;
  case ExchangeKind::AllToAll:
    sizes[dim] = divide(b, loc, sizes[dim], count);
    sizes[concat] = mulIndices(b, loc, sizes[concat], b.getIndexAttr(count));
    break;
  case ExchangeKind::EachPart:
    sizes[dim] = divide(b, loc, sizes[dim], count);
    break;
  default:
    break;
  }
  // What the type says is so for any number of processes.
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size))
      sizes[i] = b.getIndexAttr(size);
  return sizes;
}

namespace {

/// stablehlo.custom_call @ferrule.exchange(%x) -> byre.call_provider
struct ExchangeLowering : OpConversionPattern<stablehlo::CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != kExchangeCall)
      return rewriter.notifyMatchFailure(op, "not an exchange");
    Location loc = op.getLoc();
    Value x = adaptor.getInputs().front();
    Value groups = arith::ConstantOp::create(
        rewriter, loc, op->getAttrOfType<DenseIntElementsAttr>("groups"));
    SmallVector<Value> outs, scalars;
    for (Value result : op.getResults()) {
      RankedTensorType type = resultType(getTypeConverter(), result);
      bool isPlace = outs.size() > 0 && outs.size() + 1 == op.getNumResults();
      outs.push_back(emptyTensor(rewriter, loc,
                                 isPlace ? Sizes{rewriter.getIndexAttr(2)}
                                         : resultSizes(rewriter, op, x, type),
                                 type.getElementType()));
    }
    for (StringRef name : {"site", "mode", "kind", "dim", "concat"})
      scalars.push_back(arith::ConstantIntOp::create(
          rewriter, loc, rewriter.getI64Type(), numberOf(op, name)));
    auto call = byre::CallProviderOp::create(
        rewriter, loc, ValueRange(outs).getTypes(),
        rewriter.getStringAttr(kExchangeCall), ValueRange{x, groups}, outs,
        scalars, DictionaryAttr());
    SmallVector<Value> values;
    for (auto [found, result] : llvm::zip(call.getResults(), op.getResults()))
      values.push_back(
          castTo(rewriter, loc, found, resultType(getTypeConverter(), result)));
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// stablehlo.custom_call @ferrule.process_id() -> byre.call_provider
struct ProcessIdLowering : OpConversionPattern<stablehlo::CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != kProcessIdCall)
      return rewriter.notifyMatchFailure(op, "no question for an identifier");
    Location loc = op.getLoc();
    Value out = emptyTensor(rewriter, loc, {}, rewriter.getI32Type());
    Value kind = arith::ConstantIntOp::create(
        rewriter, loc, rewriter.getI64Type(), numberOf(op, "kind"));
    auto call = byre::CallProviderOp::create(
        rewriter, loc, out.getType(), rewriter.getStringAttr(kProcessIdCall),
        ValueRange(), out, kind, DictionaryAttr());
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

} // namespace

void lowering::addExchangePatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ExchangeLowering, ProcessIdLowering>(converter,
                                                    patterns.getContext());
}
