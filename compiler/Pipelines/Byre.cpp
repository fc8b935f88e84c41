#include "compiler/Conversion/ProgramToByre/ProgramToByre.h"
#include "compiler/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void ferrule::buildByrePipeline(OpPassManager &pm, const PipelineOptions &) {
  pm.addPass(createProgramToByre());
}
