// The stages of a model and the passes that lead to each: one function and one
// file a stage, one line a pass.
#ifndef FERRULE_COMPILER_PIPELINES_PIPELINES_H
#define FERRULE_COMPILER_PIPELINES_PIPELINES_H

#include "compiler/Target/Target.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ferrule {

/// See docs/design/stage-contracts.md for what the IR holds at each.
enum class Stage { Input, StableHLO, Graph, Linalg, Dispatch, Kernel, Byre };

/// The stages in order, for loops over them.
inline constexpr Stage allStages[] = {
    Stage::Input,    Stage::StableHLO, Stage::Graph, Stage::Linalg,
    Stage::Dispatch, Stage::Kernel,    Stage::Byre};

llvm::StringRef stageName(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

struct PipelineOptions {
  /// The name of a registered target.
  std::string target = "cpu";
  /// Variants to make images for; for the CPU "host", "x86-64-v3", "x86-64-v4"
  /// or any name that LLVM knows. One weight layout serves all.
  std::vector<std::string> targetCPUs = {"host"};
  /// Further options of the target, by name.
  std::map<std::string, std::string> targetOptions;
  /// 0: no fusion and no packing (to find faults); 1: everything.
  int optLevel = 1;
  /// Threads of the compiler itself; 0: all cores that this process may use.
  unsigned threads = 0;
  /// Machine code from earlier runs; the file is the same without it.
  std::shared_ptr<DiskCache> kernelCache;
};

/// input -> stablehlo.
void buildStableHLOPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
/// stablehlo -> graph.
void buildGraphPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
/// graph -> linalg. Constants are to be evaluated afterwards.
void buildLinalgPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
/// linalg -> dispatch.
void buildDispatchPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
/// dispatch -> kernel.
void buildKernelPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
/// kernel -> byre; the kernels' images must have been built before.
void buildByrePipeline(mlir::OpPassManager &pm, const PipelineOptions &);

/// What `options` says to targets.
TargetOptions targetOptions(const PipelineOptions &options);

/// Registers ferrule-<stage>-pipeline for each stage, for ferrule-opt.
void registerPipelines();

} // namespace ferrule

#endif // FERRULE_COMPILER_PIPELINES_PIPELINES_H
