// The buffer half of the road: vectors of tiles -> registers; the passes.
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_VECTORIZECONTRACTIONS
#define GEN_PASS_DEF_LOWERCONTRACTIONVECTORS
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

static FrozenRewritePatternSet
freeze(MLIRContext *context,
       llvm::function_ref<void(RewritePatternSet &)> populate) {
  RewritePatternSet patterns(context);
  populate(patterns);
  return FrozenRewritePatternSet(std::move(patterns));
}

static void populateCanonical(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  auto wanted = [](Dialect *dialect) {
    return isa<affine::AffineDialect, arith::ArithDialect,
               linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect,
               tensor::TensorDialect, vector::VectorDialect>(dialect);
  };
  for (Dialect *dialect : context->getLoadedDialects())
    if (wanted(dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (wanted(&name.getDialect()))
      name.getCanonicalizationPatterns(patterns, context);
}

/// Elementwise operations on tiles, a row at a time.
static void populateUnrollElementwise(RewritePatternSet &patterns) {
  vector::UnrollVectorOptions options;
  options.setNativeShapeFn(
      [](Operation *op) -> std::optional<SmallVector<int64_t>> {
        if (!OpTrait::hasElementwiseMappableTraits(op) ||
            op->getNumResults() != 1)
          return std::nullopt;
        auto type = dyn_cast<VectorType>(op->getResult(0).getType());
        if (!type || type.getRank() < 2)
          return std::nullopt;
        SmallVector<int64_t> shape(type.getRank(), 1);
        shape.back() = type.getShape().back();
        return shape;
      });
  vector::populateVectorUnrollPatterns(patterns, options);
}

ContractionRewriter::ContractionRewriter(MLIRContext *context,
                                         const RegisterFile &file)
    : file(file), canonical(freeze(context, populateCanonical)),
      unitDims(freeze(context,
                      [](RewritePatternSet &patterns) {
                        linalg::ControlDropUnitDims control;
                        control.rankReductionStrategy =
                            linalg::ControlDropUnitDims::
                                RankReductionStrategy::ExtractInsertSlice;
                        linalg::populateFoldUnitExtentDimsPatterns(patterns,
                                                                   control);
                        linalg::
                            populateFoldUnitExtentDimsCanonicalizationPatterns(
                                patterns, control);
                        tensor::
                            populateMergeConsecutiveInsertExtractSlicePatterns(
                                patterns);
                      })),
      strides(freeze(context, populateStridesToSlicesPatterns)),
      toContract(freeze(context, populateGenericToContractPatterns)),
      subsets(freeze(
          context,
          [](RewritePatternSet &patterns) {
            tensor::populateMergeConsecutiveInsertExtractSlicePatterns(
                patterns);
            tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(
                patterns);
          })),
      toFMA(freeze(context, populateContractToFMAPatterns)),
      splitLoops(freeze(context, populateSplitLoopVectorsPatterns)),
      elementwise(freeze(context, populateUnrollElementwise)),
      transfers(freeze(context,
                       [](RewritePatternSet &patterns) {
                         VectorTransferToSCFOptions options;
                         options.enableFullUnroll();
                         populateVectorToSCFConversionPatterns(patterns,
                                                               options);
                       })),
      lowerings(freeze(context, [](RewritePatternSet &patterns) {
        vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
        vector::populateVectorTransferLoweringPatterns(patterns, 1);
        vector::populateVectorTransposeLoweringPatterns(
            patterns, vector::VectorTransposeLowering::EltWise);
        vector::populateVectorShapeCastLoweringPatterns(patterns);
        vector::populateVectorBroadcastLoweringPatterns(patterns);
        vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
      })) {}

LogicalResult ContractionRewriter::lowerVectors(func::FuncOp kernel) const {
  for (const FrozenRewritePatternSet *patterns :
       {&toFMA, &splitLoops, &elementwise}) {
    (void)applyPatternsGreedily(kernel, *patterns);
    simplify(kernel);
  }
  (void)applyPatternsGreedily(kernel, transfers);
  (void)applyPatternsGreedily(kernel, lowerings);
  simplify(kernel);
  return success();
}

namespace {

struct VectorizeContractions
    : ferrule::impl::VectorizeContractionsBase<VectorizeContractions> {
  using VectorizeContractionsBase::VectorizeContractionsBase;
  void runOnOperation() override {
    ContractionRewriter rewriter(&getContext(), RegisterFile{vectorBits});
    if (rewriter.applies(getOperation()) &&
        failed(rewriter.vectorize(getOperation())))
      signalPassFailure();
  }
};

struct LowerContractionVectors
    : ferrule::impl::LowerContractionVectorsBase<LowerContractionVectors> {
  using LowerContractionVectorsBase::LowerContractionVectorsBase;
  void runOnOperation() override {
    ContractionRewriter rewriter(&getContext(), RegisterFile{});
    if (failed(rewriter.lowerVectors(getOperation())))
      signalPassFailure();
  }
};

} // namespace
