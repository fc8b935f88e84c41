#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Transforms/BufferizeProgram/BufferizeProgram.h"
#include "compiler/Transforms/PlanMemory/PlanMemory.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

ferrule::TargetOptions
ferrule::targetOptions(const PipelineOptions &options) {
  return {options.targetCPUs, options.targetOptions, options.optLevel,
          options.threads, options.kernelCache};
}

void ferrule::buildKernelPipeline(OpPassManager &pm,
                                  const PipelineOptions &options) {
  // Targets first: they count workgroups by sizes of the entry's tensors.
  for (const Target *target : targetsOf(options.target))
    target->addKernelPasses(pm, targetOptions(options));
  pm.addPass(createBufferizeProgram());
  pm.addPass(createPlanMemory());
}
