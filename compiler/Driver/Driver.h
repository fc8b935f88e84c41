// Compilation of whole models: the only place that knows the order of stages.
#ifndef FERRULE_COMPILER_DRIVER_DRIVER_H
#define FERRULE_COMPILER_DRIVER_DRIVER_H

#include "compiler/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ferrule {

struct CompileOptions : PipelineOptions {
  /// The last stage to run.
  Stage compileTo = Stage::Byre;
  /// Folder that receives the IR after each stage as `<n>-<stage>.mlir`, with
  /// blobs of more than 64 elements left out. Empty: none.
  std::string dumpFolder;
  /// Sizes to give to inputs of models with dynamic sizes, by input name.
  std::map<std::string, std::vector<int64_t>> inputShapes;
  /// Replace what depends on constants only by its values.
  bool evaluateConstants = true;
  /// Receives one line a stage with its time, when set.
  std::function<void(llvm::StringRef)> log;
};

/// A context with all dialects registered that reports errors through its
/// diagnostic engine.
std::unique_ptr<mlir::MLIRContext> createContext(unsigned threads = 0);

/// Reads a model by content: MLIR text or bytecode of any stage, or .onnx.
/// Emits a diagnostic and fails when it is none of these or damaged.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
loadModel(llvm::StringRef path, mlir::MLIRContext &context,
          const CompileOptions &options);

/// The same for a model in memory, which is copied; `name` is for messages.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
loadModelFromMemory(llvm::StringRef bytes, llvm::StringRef name,
                    mlir::MLIRContext &context, const CompileOptions &options);

/// The last stage that `module` has been through, by what it holds.
Stage detectStage(mlir::ModuleOp module);

/// Runs the stages after detectStage(module) up to options.compileTo.
mlir::LogicalResult runStages(mlir::ModuleOp module,
                              const CompileOptions &options);

/// Runs all stages and returns the `.byre` file's bytes.
mlir::FailureOr<std::string>
compileToBytes(mlir::ModuleOp module, const CompileOptions &options);

/// Runs the stages up to options.compileTo and returns what compileToFile
/// would write.
mlir::FailureOr<std::string> compileToMemory(mlir::ModuleOp module,
                                             const CompileOptions &options,
                                             bool text);

/// Runs the stages up to options.compileTo and writes the result: a `.byre`
/// file for Stage::Byre, else MLIR (text when `text`, else bytecode). Written
/// under a temporary name first, then renamed.
mlir::LogicalResult compileToFile(mlir::ModuleOp module, llvm::StringRef path,
                                  const CompileOptions &options, bool text);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_DRIVER_H
