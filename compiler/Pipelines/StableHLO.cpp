#include "compiler/Conversion/TorchToStableHLO/TorchToStableHLO.h"
#include "compiler/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ferrule::buildStableHLOPipeline(OpPassManager &pm,
                                     const PipelineOptions &) {
  pm.addPass(createConvertTorchToStableHLO());
  pm.addPass(createCSEPass());
}
