#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_SIMPLIFYSTABLEHLO
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

DenseElementsAttr ferrule::matchConstant(Value value) {
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) ? attr : DenseElementsAttr();
}

std::optional<SmallVector<int64_t>> ferrule::matchIntegers(Value value) {
  DenseElementsAttr attr = matchConstant(value);
  if (!attr || !attr.getElementType().isIntOrIndex() ||
      attr.getNumElements() > kSmallConstant)
    return std::nullopt;
  bool isUnsigned = attr.getElementType().isUnsignedInteger() ||
                    attr.getElementType().isInteger(1);
  return llvm::map_to_vector(attr.getValues<APInt>(), [&](const APInt &entry) {
    return isUnsigned ? static_cast<int64_t>(entry.getZExtValue())
                      : entry.getSExtValue();
  });
}

std::optional<SmallVector<int64_t>> ferrule::matchSizes(Value vector) {
  if (auto constant = matchIntegers(vector))
    return constant;
  auto type = dyn_cast<RankedTensorType>(vector.getType());
  if (!type || !type.hasStaticShape() || type.getRank() > 1 ||
      type.getNumElements() > kSmallConstant)
    return std::nullopt;
  Operation *op = vector.getDefiningOp();
  if (isa_and_nonnull<ConvertOp, ReshapeOp, tensor::CastOp>(op))
    if (auto sizes = matchSizes(op->getOperand(0)))
      return sizes;
  if (auto concatenate = dyn_cast_or_null<ConcatenateOp>(op)) {
    SmallVector<int64_t> sizes;
    for (Value input : concatenate.getInputs()) {
      auto part = matchSizes(input);
      if (!part)
        return std::nullopt;
      llvm::append_range(sizes, *part);
    }
    return sizes;
  }
  return SmallVector<int64_t>(type.getNumElements(), ShapedType::kDynamic);
}

void ferrule::replaceWithCast(PatternRewriter &rewriter, Operation *op,
                              Value value) {
  Type type = op->getResult(0).getType();
  if (value.getType() != type)
    value = tensor::CastOp::create(rewriter, op->getLoc(), type, value);
  rewriter.replaceOp(op, value);
}

void ferrule::populateSimplifyStableHLOPatterns(RewritePatternSet &patterns) {
  populateFoldConstantsPatterns(patterns);
  populateSimplifyShapesPatterns(patterns);
  populateSimplifyArithmeticPatterns(patterns);
  populateStaticFormsPatterns(patterns);
  populateSimplifySizesPatterns(patterns);
  populateRefineTypesPatterns(patterns);
  populateSimplifyControlFlowPatterns(patterns);
}

namespace {
struct SimplifyStableHLOPass
    : public ferrule::impl::SimplifyStableHLOBase<SimplifyStableHLOPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSimplifyStableHLOPatterns(patterns);
    // Each rewrite may uncover the next (a size becomes constant, a shape
    // static, a slice the identity), hence a fixpoint. Each removes an
    // operation or an unknown size, so it ends; top-down order lets sizes flow
    // in one sweep.
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace
