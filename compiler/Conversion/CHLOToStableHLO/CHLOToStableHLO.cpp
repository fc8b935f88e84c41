#include "compiler/Conversion/CHLOToStableHLO/CHLOToStableHLO.h"
#include "compiler/Conversion/CHLOToStableHLO/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_CONVERTCHLOTOSTABLEHLO
#include "compiler/Conversion/CHLOToStableHLO/CHLOToStableHLO.h.inc"
} // namespace ferrule

using namespace mlir;

namespace {

struct ConvertCHLOToStableHLO
    : ferrule::impl::ConvertCHLOToStableHLOBase<ConvertCHLOToStableHLO> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ferrule::chlo::addFunctionPatterns(patterns);
    ferrule::chlo::addComplexFunctionPatterns(patterns);
    ferrule::chlo::addBroadcastPatterns(patterns);
    ferrule::chlo::addScanPatterns(patterns);
    ferrule::chlo::addRaggedDotPatterns(patterns);
    // Some expansions make CHLO ops again (a broadcasting zeta makes a plain
    // one), so patterns run until nothing changes. Nothing else is folded:
    // graph passes decide about that.
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config)))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa_and_nonnull<ferrule::chlo::CHLODialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("has no expansion to StableHLO");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
