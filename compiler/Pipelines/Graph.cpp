#include "compiler/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ferrule::buildGraphPipeline(OpPassManager &pm, const PipelineOptions &) {
  // Functions first become one, so that constants meet what uses them.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCSEPass());
}
