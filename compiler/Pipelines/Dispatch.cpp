#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/AssignTargets/AssignTargets.h"
#include "compiler/Transforms/DecomposePads/DecomposePads.h"
#include "compiler/Transforms/FormDispatches/FormDispatches.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ferrule::buildDispatchPipeline(OpPassManager &pm,
                                    const PipelineOptions &options) {
  if (options.optLevel > 0)
    pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  pm.addNestedPass<func::FuncOp>(createDecomposePads());
  // Sizes of results become expressions over sizes of inputs, so that kernels
  // need no value only to ask its size.
  pm.addPass(memref::createResolveShapedTypeResultDimsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createFormDispatches());
  pm.addPass(memref::createResolveShapedTypeResultDimsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // With one target there is nothing to decide.
  if (targetsOf(options.target).size() > 1)
    pm.addPass(createAssignTargets({options.target}));
}
