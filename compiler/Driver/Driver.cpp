#include "compiler/Driver/Driver.h"
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "compiler/Driver/HostEvaluator.h"
#include "compiler/Driver/Repro.h"
#include "compiler/Driver/VerifyInput.h"
#include "compiler/Export/Export.h"
#include "compiler/Support/Dialects.h"
#include "compiler/Support/DiskCache.h"
#include "compiler/Transforms/EvaluateConstants/EvaluateConstants.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>
#include <cstdlib>

using namespace mlir;
using namespace ferrule;

std::unique_ptr<MLIRContext> ferrule::createContext(unsigned threads) {
  DialectRegistry registry;
  registerDialects(registry);
  auto context = std::make_unique<MLIRContext>(
      registry, threads == 1 ? MLIRContext::Threading::DISABLED
                             : MLIRContext::Threading::ENABLED);
  // Discardable attributes of foreign dialects (mhlo.*, jax.*) are kept.
  context->allowUnregisteredDialects();
  // An error names the op and its line; a dump of a whole module hides it.
  context->printOpOnDiagnostic(false);
  return context;
}

Stage ferrule::detectStage(ModuleOp module) {
  bool kernels = false, tensors = false, stablehlo = false, input = false;
  bool image = false, linalg = false;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (isa<byre::ImageOp>(op))
      image = true;
    else if (isa<byre::DispatchOp>(op))
      (op->getNumResults() > 0 ? tensors : kernels) = true;
    else if (dialect == "stablehlo")
      stablehlo = true;
    else if (dialect == "torch" || dialect == "chlo" || dialect == "vhlo")
      input = true;
    else if (dialect == "linalg" || dialect == "tensor" ||
             dialect == "bufferization" || dialect == "ferrule")
      linalg = true;
  });
  if (image)
    return Stage::Byre;
  if (kernels)
    return Stage::Kernel;
  if (tensors)
    return Stage::Dispatch;
  if (stablehlo || input)
    return Stage::Input;
  return linalg ? Stage::Linalg : Stage::Input;
}

/// Writes the IR after a stage for people to read.
static LogicalResult dump(ModuleOp module, Stage stage,
                          const CompileOptions &options) {
  if (options.dumpFolder.empty())
    return success();
  if (std::error_code error =
          llvm::sys::fs::create_directories(options.dumpFolder))
    return module.emitError("cannot make the folder ")
           << options.dumpFolder << ": " << error.message();
  SmallString<128> path(options.dumpFolder);
  llvm::sys::path::append(path, std::to_string(static_cast<int>(stage)) + "-" +
                                    stageName(stage).str() + ".mlir");
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file =
      openOutputFile(path, &message);
  if (!file)
    return module.emitError(message);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(64);
  flags.elideLargeResourceString(64);
  module.print(file->os(), flags);
  file->keep();
  return success();
}

static LogicalResult runPasses(ModuleOp module,
                               void (*build)(OpPassManager &,
                                             const PipelineOptions &),
                               const CompileOptions &options) {
  PassManager pm(module->getContext());
  build(pm, options);
  return pm.run(module);
}

static LogicalResult runStage(ModuleOp module, Stage stage,
                              const CompileOptions &options) {
  switch (stage) {
  case Stage::Input:
    return success();
  case Stage::StableHLO:
    return runPasses(module, buildStableHLOPipeline, options);
  case Stage::Graph:
    return runPasses(module, buildGraphPipeline, options);
  case Stage::Linalg:
    if (failed(runPasses(module, buildLinalgPipeline, options)))
      return failure();
    return options.evaluateConstants
               ? evaluateConstants(module, hostEvaluator(options))
               : success();
  case Stage::Dispatch:
    return runPasses(module, buildDispatchPipeline, options);
  case Stage::Kernel:
    return runPasses(module, buildKernelPipeline, options);
  case Stage::Byre:
    for (const Target *target : targetsOf(options.target))
      if (failed(target->buildImages(module, targetOptions(options))))
        return failure();
    return runPasses(module, buildByrePipeline, options);
  }
  llvm_unreachable("a stage without passes");
}

/// What the log says about the kernel cache after the stage that asks it.
static std::string describeCache(Stage stage, const CompileOptions &options) {
  if (stage != Stage::Byre || !options.kernelCache)
    return "";
  return llvm::formatv("  (kernel cache: {0} found, {1} compiled)",
                       options.kernelCache->hits(),
                       options.kernelCache->misses());
}

/// FERRULE_INJECT_FAILURE names a stage that fails: for tests of what happens
/// then.
static bool isFailureInjected(Stage stage) {
  const char *name = std::getenv("FERRULE_INJECT_FAILURE");
  return name && stageName(stage) == name;
}

/// Runs one stage; an internal failure leaves a repro.
static LogicalResult runOrReport(ModuleOp module, Stage stage,
                                 const CompileOptions &options) {
  // Passes work in place: the IR before them must be kept in case they fail.
  OwningOpRef<ModuleOp> before;
  if (isInternalStage(stage))
    before = module.clone();
  LogicalResult result = isFailureInjected(stage)
                             ? module.emitError("injected failure")
                             : runStage(module, stage, options);
  if (failed(result) && before)
    reportInternalFailure(*before, stage, options);
  return result;
}

LogicalResult ferrule::runStages(ModuleOp module,
                                 const CompileOptions &options) {
  if (failed(verifyInput(module, options)))
    return failure();
  Stage reached = detectStage(module);
  if (failed(dump(module, reached, options)))
    return failure();
  for (Stage stage : allStages) {
    if (stage <= reached || stage > options.compileTo)
      continue;
    auto start = std::chrono::steady_clock::now();
    if (failed(runOrReport(module, stage, options)))
      return failure();
    std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start;
    if (options.log)
      options.log(llvm::formatv("{0,-10} {1,8:f1} ms{2}", stageName(stage),
                                time.count(), describeCache(stage, options))
                      .str());
    if (failed(dump(module, stage, options)))
      return failure();
  }
  return success();
}

FailureOr<std::string>
ferrule::compileToBytes(ModuleOp module, const CompileOptions &options) {
  CompileOptions all = options;
  all.compileTo = Stage::Byre;
  if (failed(runStages(module, all)))
    return failure();
  return exportProgramToMemory(module);
}

FailureOr<std::string>
ferrule::compileToMemory(ModuleOp module, const CompileOptions &options,
                         bool text) {
  if (failed(runStages(module, options)))
    return failure();
  if (options.compileTo == Stage::Byre)
    return exportProgramToMemory(module);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (text)
    module.print(stream);
  else if (failed(writeBytecodeToFile(module, stream)))
    return failure();
  return bytes;
}

LogicalResult ferrule::compileToFile(ModuleOp module, StringRef path,
                                     const CompileOptions &options,
                                     bool text) {
  if (failed(runStages(module, options)))
    return failure();
  if (options.compileTo == Stage::Byre)
    return exportProgram(module, path.str());
  // "-" is the standard output, as everywhere in LLVM's tools. A device or a
  // pipe is written as it is: renaming would replace it.
  llvm::sys::fs::file_status status;
  bool inPlace = path == "-" ||
                 (!llvm::sys::fs::status(path, status) &&
                  !llvm::sys::fs::is_regular_file(status) &&
                  !llvm::sys::fs::is_directory(status));
  SmallString<128> temporary(path);
  if (!inPlace)
    temporary += ".tmp";
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file =
      openOutputFile(temporary, &message);
  if (!file)
    return module.emitError(message);
  if (inPlace)
    file->keep();
  if (text)
    module.print(file->os());
  else if (failed(writeBytecodeToFile(module, file->os())))
    return failure();
  file->os().flush();
  file->keep();
  if (inPlace)
    return success();
  if (std::error_code error = llvm::sys::fs::rename(temporary, path))
    return module.emitError("cannot write ") << path << ": "
                                             << error.message();
  return success();
}
