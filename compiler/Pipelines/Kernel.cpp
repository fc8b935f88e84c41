#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Transforms/BufferizeProgram/BufferizeProgram.h"
#include "compiler/Transforms/PlanMemory/PlanMemory.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

ferrule::cpu::CPUOptions
ferrule::cpuOptions(const PipelineOptions &options) {
  cpu::CPUOptions result;
  result.cpus = options.targetCPUs;
  result.threads = options.threads;
  return result;
}

void ferrule::buildKernelPipeline(OpPassManager &pm,
                                  const PipelineOptions &options) {
  // The target first: it counts workgroups by sizes of the entry's tensors.
  cpu::addKernelPasses(pm, cpuOptions(options));
  pm.addPass(createBufferizeProgram());
  pm.addPass(createPlanMemory());
}
