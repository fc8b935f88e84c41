#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Transforms/BlockConvolutions/BlockConvolutions.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "compiler/Transforms/PackContractions/PackContractions.h"
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
  if (options.optLevel > 0) {
    // Broadcasts first go into what reads them, so that no bias is blocked at
    // the size of an image.
    pm.addNestedPass<func::FuncOp>(createFuseElementwise());
    pm.addNestedPass<func::FuncOp>(createBlockConvolutions());
    pm.addNestedPass<func::FuncOp>(createPackContractions());
  }
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
