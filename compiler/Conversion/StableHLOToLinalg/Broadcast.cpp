// broadcast_in_dim, dynamic_broadcast_in_dim and the legacy broadcast.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Conversion/StableHLOToLinalg/ShapeTracing.h"

using namespace mlir;

namespace ferrule::lowering {

/// What is known of an operand dimension.
enum class Expansion { Never, Always, Unknown };

/// A generic whose input map skips new dimensions and reads index 0 of
/// expanding ones.
static Value broadcastByMap(OpBuilder &b, Location loc, Value operand,
                            ArrayRef<int64_t> dims,
                            ArrayRef<Expansion> expansions,
                            const Sizes &sizes) {
  SmallVector<AffineExpr> exprs;
  for (auto [d, expansion] : llvm::zip(dims, expansions))
    exprs.push_back(expansion == Expansion::Always
                        ? b.getAffineConstantExpr(0)
                        : b.getAffineDimExpr(d));
  auto map = AffineMap::get(sizes.size(), 0, exprs, b.getContext());
  Value out =
      emptyTensor(b, loc, sizes, tensorType(operand).getElementType());
  return parallelGeneric(b, loc, operand, map, out,
                         [](OpBuilder &, ValueRange args) {
                           return SmallVector<Value>{args[0]};
                         })
      .getResult(0);
}

/// For dimensions that expand only if their size is 1 at run time: reads
/// index 0 then.
static Value broadcastByIndex(OpBuilder &b, Location loc, Value operand,
                              ArrayRef<int64_t> dims,
                              ArrayRef<Expansion> expansions,
                              const Sizes &sizes) {
  SmallVector<Value> isOne;
  Value one = indexConstant(b, loc, 1), zero = indexConstant(b, loc, 0);
  for (auto [i, expansion] : llvm::enumerate(expansions)) {
    isOne.push_back({});
    if (expansion != Expansion::Unknown)
      continue;
    Value size = tensor::DimOp::create(b, loc, operand, i);
    isOne[i] =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, size, one);
  }
  Value out =
      emptyTensor(b, loc, sizes, tensorType(operand).getElementType());
  auto body = [&](OpBuilder &nested, ValueRange) {
    SmallVector<Value> at;
    for (auto [i, d] : llvm::enumerate(dims)) {
      if (expansions[i] == Expansion::Always) {
        at.push_back(zero);
        continue;
      }
      Value index = linalg::IndexOp::create(nested, loc, d);
      if (isOne[i])
        index = arith::SelectOp::create(nested, loc, isOne[i], zero, index);
      at.push_back(index);
    }
    return SmallVector<Value>{
        tensor::ExtractOp::create(nested, loc, operand, at)};
  };
  return parallelGeneric(b, loc, {}, {}, out, body).getResult(0);
}

namespace {

struct BroadcastInDimLowering
    : OpConversionPattern<stablehlo::BroadcastInDimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::BroadcastInDimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    RankedTensorType from = tensorType(adaptor.getOperand());
    Sizes sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
    // A bounded size is that of the operand's dimension.
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d))
        continue;
      ArrayRef<int64_t> dims = op.getBroadcastDimensions();
      int64_t source = llvm::find(dims, d) - dims.begin();
      if (source == rankOf(adaptor.getOperand()) || !from.isDynamicDim(source))
        return rewriter.notifyMatchFailure(op, "result of unknown size");
      sizes[d] = sizesOf(rewriter, op.getLoc(), adaptor.getOperand())[source];
    }
    SmallVector<Expansion> expansions;
    for (auto [i, d] : llvm::enumerate(op.getBroadcastDimensions()))
      expansions.push_back(from.getDimSize(i) == 1 && type.getDimSize(d) != 1
                               ? Expansion::Always
                               : Expansion::Never);
    rewriter.replaceOp(op, broadcastByMap(rewriter, op.getLoc(),
                                          adaptor.getOperand(),
                                          op.getBroadcastDimensions(),
                                          expansions, sizes));
    return success();
  }
};

struct BroadcastLowering : OpConversionPattern<stablehlo::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value operand = adaptor.getOperand();
    Location loc = op.getLoc();
    Sizes sizes =
        getAsIndexOpFoldResult(op.getContext(), op.getBroadcastSizes());
    int64_t added = sizes.size();
    llvm::append_range(sizes, sizesOf(rewriter, loc, operand));
    int64_t rank = rankOf(operand);
    Value result = broadcastByMap(
        rewriter, loc, operand,
        llvm::to_vector(llvm::seq<int64_t>(added, added + rank)),
        SmallVector<Expansion>(rank, Expansion::Never), sizes);
    rewriter.replaceOp(
        op, castTo(rewriter, loc, result,
                   resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

struct DynamicBroadcastInDimLowering
    : OpConversionPattern<stablehlo::DynamicBroadcastInDimOp> {
  using OpConversionPattern::OpConversionPattern;

  static Expansion classify(stablehlo::DynamicBroadcastInDimOp op, int64_t i,
                            RankedTensorType type) {
    auto from = cast<RankedTensorType>(op.getOperand().getType());
    int64_t d = op.getBroadcastDimensions()[i];
    if (from.getDimSize(i) == 1)
      return type.getDimSize(d) == 1 ? Expansion::Never : Expansion::Always;
    if (!from.isDynamicDim(i) || type.getDimSize(d) == 1)
      return Expansion::Never;
    auto holds = [&](std::optional<ArrayRef<int64_t>> list) {
      return list && llvm::is_contained(*list, i);
    };
    if (holds(op.getKnownNonexpandingDimensions()))
      return Expansion::Never;
    if (holds(op.getKnownExpandingDimensions()))
      return Expansion::Always;
    // The operand's own size as the wanted size: nothing expands.
    SizeProduct wanted = traceShapeElement(op.getOutputDimensions(), d);
    if (traceDimension(op.getOperand(), i) == wanted)
      return Expansion::Never;
    return Expansion::Unknown;
  }

  LogicalResult
  matchAndRewrite(stablehlo::DynamicBroadcastInDimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    SmallVector<Expansion> expansions;
    for (size_t i = 0; i < op.getBroadcastDimensions().size(); ++i)
      expansions.push_back(classify(op, i, type));
    Sizes sizes =
        sizesFromShape(rewriter, loc, adaptor.getOutputDimensions(), type);
    auto build = llvm::is_contained(expansions, Expansion::Unknown)
                     ? broadcastByIndex
                     : broadcastByMap;
    Value result = build(rewriter, loc, adaptor.getOperand(),
                         op.getBroadcastDimensions(), expansions, sizes);
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

} // namespace

void addBroadcastPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<BroadcastInDimLowering, BroadcastLowering,
               DynamicBroadcastInDimLowering>(converter,
                                              patterns.getContext());
}

} // namespace ferrule::lowering
