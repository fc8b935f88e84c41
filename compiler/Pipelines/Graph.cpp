#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Transforms/FoldBatchNorm/FoldBatchNorm.h"
#include "compiler/Transforms/LowerQuantized/LowerQuantized.h"
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ferrule::buildGraphPipeline(OpPassManager &pm, const PipelineOptions &) {
  // The passes below look at integers and floats alone.
  pm.addPass(createLowerQuantized());
  // Functions first become one, so that constants meet what uses them.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createSimplifyStableHLO());
  pm.addNestedPass<func::FuncOp>(createFoldBatchNorm());
  // Folding leaves arithmetic on constants that simplifies further.
  pm.addPass(createSimplifyStableHLO());
  pm.addPass(createCSEPass());
}
