// Lets known sizes flow from operands to results.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

/// Operations that take any compatible operand: their other types do not
/// name the operand's sizes a second time.
bool takesBetterOperands(Operation *op) {
  return isa<StableHLODialect>(op->getDialect()) &&
         !isa<WhileOp, IfOp, CaseOp, CustomCallOp, CompositeOp, ReturnOp,
              TupleOp, AsyncStartOp, OptimizationBarrierOp>(op);
}

/// What the operands say about the results; nothing when there is no rule.
LogicalResult inferResults(Operation *op, SmallVectorImpl<Type> &types) {
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    auto type = inferDotGeneral(
        std::nullopt, dot.getLhs().getType(), dot.getRhs().getType(),
        dot.getDotDimensionNumbers(), dot.getType().getElementType());
    if (succeeded(type))
      types.push_back(*type);
    return type;
  }
  if (auto conv = dyn_cast<ConvolutionOp>(op)) {
    auto type = inferConvolution(
        std::nullopt, conv.getLhs().getType(), conv.getRhs().getType(),
        conv.getDimensionNumbers(), conv.getWindow(),
        conv.getFeatureGroupCount(), conv.getBatchGroupCount(),
        conv.getType().getElementType());
    if (succeeded(type))
      types.push_back(*type);
    return type;
  }
  if (isa<ConvertOp, UniformQuantizeOp>(op)) {
    types.push_back(
        withElement(op->getOperand(0).getType(),
                    getElementTypeOrSelf(op->getResult(0).getType())));
    return success();
  }
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferable || !takesBetterOperands(op))
    return failure();
  return inferable.inferReturnTypes(
      op->getContext(), std::nullopt, op->getOperands(),
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getRegions(), types);
}

/// The most that two types say together, null when they differ in more than
/// sizes and bounds or say nothing new.
Type betterType(Type current, Type inferred) {
  auto a = dyn_cast<RankedTensorType>(current);
  auto b = dyn_cast<RankedTensorType>(inferred);
  if (!a || !b || a.getRank() != b.getRank() || a.hasStaticShape() ||
      a.getElementType() != b.getElementType())
    return {};
  FailureOr<RankedTensorType> better = inferElementwise(std::nullopt, {a, b});
  return failed(better) || *better == a ? Type() : Type(*better);
}

/// Results take the sizes that follow from the operands.
struct RefineResults : RewritePattern {
  RefineResults(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Type> inferred;
    if (!isa<StableHLODialect>(op->getDialect()) ||
        llvm::none_of(op->getResultTypes(), isDynamicTensor) ||
        failed(inferResults(op, inferred)) ||
        inferred.size() != op->getNumResults())
      return failure();
    bool changed = false;
    rewriter.setInsertionPointAfter(op);
    for (auto [result, type] : llvm::zip(op->getResults(), inferred)) {
      Type old = result.getType(), better = betterType(old, type);
      if (!better)
        continue;
      rewriter.modifyOpInPlace(op, [&] { result.setType(better); });
      Value cast = tensor::CastOp::create(rewriter, op->getLoc(), old, result);
      rewriter.replaceAllUsesExcept(result, cast, cast.getDefiningOp());
      changed = true;
    }
    return success(changed);
  }

  static bool isDynamicTensor(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  }
};

/// op(tensor.cast(x)) -> op(x) when the cast only forgets sizes
struct AbsorbCast : RewritePattern {
  AbsorbCast(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!takesBetterOperands(op))
      return failure();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto cast = operand.get().getDefiningOp<tensor::CastOp>();
      if (!cast || !forgetsSizes(cast))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(cast.getSource()); });
      changed = true;
    }
    return success(changed);
  }

  static bool forgetsSizes(tensor::CastOp cast) {
    auto from = dyn_cast<RankedTensorType>(cast.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(cast.getType());
    if (!from || !to ||
        (to.getEncoding() && to.getEncoding() != from.getEncoding()))
      return false;
    return llvm::all_of(llvm::zip(from.getShape(), to.getShape()),
                        [](auto sizes) {
                          auto [size, known] = sizes;
                          return size == known || ShapedType::isDynamic(known);
                        });
  }
};

} // namespace

void ferrule::populateRefineTypesPatterns(RewritePatternSet &patterns) {
  patterns.add<RefineResults, AbsorbCast>(patterns.getContext());
  tensor::CastOp::getCanonicalizationPatterns(patterns, patterns.getContext());
}
