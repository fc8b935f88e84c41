#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ferrule::buildLinalgPipeline(OpPassManager &pm,
                                  const PipelineOptions &options) {
  pm.addPass(createConvertStableHLOToLinalg());
  pm.addPass(memref::createResolveShapedTypeResultDimsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Broadcasts first go into what reads them, so that no bias is blocked at the
  // size of an image.
  if (options.optLevel > 0)
    pm.addNestedPass<func::FuncOp>(createFuseElementwise());
  if (const Target *target = findTarget(options.target))
    target->addLayoutPasses(pm, targetOptions(options));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
