#include "compiler/Conversion/StableHLOToTOSA/StableHLOToTOSA.h"
#include "compiler/Conversion/StableHLOToTOSA/Builders.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOTOSA
#include "compiler/Conversion/StableHLOToTOSA/StableHLOToTOSA.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

/// Names the first operation that TOSA has no form for.
static LogicalResult refuseRest(Operation *root) {
  WalkResult walk = root->walk([](Operation *op) -> WalkResult {
    if (!isa_and_nonnull<stablehlo::StableHLODialect>(op->getDialect()))
      return WalkResult::advance();
    InFlightDiagnostic error =
        op->emitOpError("has no form in TOSA for its types");
    if (op->getNumResults() > 0)
      error << ": " << op->getResultTypes();
    return error;
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct ConvertStableHLOToTOSA
    : ferrule::impl::ConvertStableHLOToTOSABase<ConvertStableHLOToTOSA> {
  using ConvertStableHLOToTOSABase::ConvertStableHLOToTOSABase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    totosa::addElementwisePatterns(patterns);
    totosa::addMovementPatterns(patterns);
    totosa::addReductionPatterns(patterns);
    totosa::addContractionPatterns(patterns);
    // To a fixpoint, because a reduction leaves elementwise operations. Bodies
    // that stay are left alone: they are for operations that TOSA lacks.
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa_and_nonnull<stablehlo::StableHLODialect>(op->getDialect())) {
        ops.push_back(op);
        return WalkResult::skip();
      }
      return WalkResult::advance();
    });
    GreedyRewriteConfig config;
    config.enableFolding(false);
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)) ||
        (full && failed(refuseRest(getOperation()))))
      signalPassFailure();
  }
};
} // namespace
