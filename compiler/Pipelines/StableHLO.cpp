#include "compiler/Conversion/CHLOToStableHLO/CHLOToStableHLO.h"
#include "compiler/Conversion/TorchToStableHLO/TorchToStableHLO.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Transforms/ExpandLibraryCalls/ExpandLibraryCalls.h"
#include "compiler/Transforms/InlineComposites/InlineComposites.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ferrule::buildStableHLOPipeline(OpPassManager &pm,
                                     const PipelineOptions &) {
  pm.addPass(createConvertTorchToStableHLO());
  // Composites of CHLO functions become CHLO, which comes last therefore.
  pm.addPass(createInlineComposites());
  pm.addPass(createConvertCHLOToStableHLO());
  // Inlined composites may call libraries too.
  pm.addPass(createExpandLibraryCalls());
  pm.addPass(createCSEPass());
}
