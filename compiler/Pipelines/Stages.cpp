#include "compiler/Pipelines/FamiliarNames.h"
#include "compiler/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

static constexpr llvm::StringRef names[] = {
    "input", "stablehlo", "graph", "linalg", "dispatch", "kernel", "byre"};

llvm::StringRef ferrule::stageName(Stage stage) {
  return names[static_cast<int>(stage)];
}

std::optional<ferrule::Stage> ferrule::parseStage(llvm::StringRef name) {
  for (Stage stage : allStages)
    if (stageName(stage) == name)
      return stage;
  return std::nullopt;
}

void ferrule::registerPipelines() {
  registerFamiliarNames();
  using Build = void (*)(OpPassManager &, const PipelineOptions &);
  static const std::pair<const char *, Build> builders[] = {
      {"ferrule-stablehlo-pipeline", buildStableHLOPipeline},
      {"ferrule-graph-pipeline", buildGraphPipeline},
      {"ferrule-linalg-pipeline", buildLinalgPipeline},
      {"ferrule-dispatch-pipeline", buildDispatchPipeline},
      {"ferrule-kernel-pipeline", buildKernelPipeline},
      {"ferrule-byre-pipeline", buildByrePipeline}};
  for (auto [name, build] : builders)
    PassPipelineRegistration<>(
        name, "The passes that lead to this stage", [build = build](
                                                        OpPassManager &pm) {
          build(pm, PipelineOptions());
        });
}
