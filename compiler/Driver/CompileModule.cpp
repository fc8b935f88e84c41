#include "compiler/Driver/CompileModule.h"
#include "compiler/Driver/Driver.h"
#include "compiler/Frontend/ONNX/ONNX.h"
#include "compiler/Support/DiskCache.h"
#include "compiler/Support/ModuleHandle.h"

using namespace mlir;

namespace ferrule {

static bool fillOptions(const CompileRequest &request, CompileOptions &options,
                        std::string &error) {
  options.target = request.target;
  options.targetCPUs = request.targetCPUs;
  options.optLevel = request.optLevel;
  options.dumpFolder = request.dumpFolder;
  std::optional<Stage> stage = parseStage(request.compileTo);
  if (!stage) {
    error = "unknown stage '" + request.compileTo +
            "', expected input, stablehlo, graph, linalg, dispatch, kernel or "
            "byre";
    return false;
  }
  options.compileTo = *stage;
  options.kernelCache = DiskCache::open(request.kernelCache, error);
  if (!error.empty())
    return false;
  if (request.log)
    options.log = [log = request.log](StringRef line) {
      log(std::string_view(line.data(), line.size()));
    };
  return true;
}

bool compileModule(ModuleHandle &module, const CompileRequest &request,
                   std::string &file, std::string &error) {
  CompileOptions options;
  if (!fillOptions(request, options, error))
    return false;
  MLIRContext *context = module.getContext();
  if (!context->isMultithreadingEnabled())
    context->enableMultithreading();
  DiagnosticText diagnostics(context);
  if (options.compileTo != Stage::Byre) {
    if (succeeded(runStages(module.getModule(), options)))
      return true;
  } else {
    FailureOr<std::string> bytes = compileToBytes(module.getModule(), options);
    if (succeeded(bytes)) {
      file = std::move(*bytes);
      return true;
    }
  }
  error = diagnostics.str();
  if (error.empty())
    error = "the compiler failed without saying why";
  return false;
}

using InputShapes = std::map<std::string, std::vector<int64_t>>;
using Loader = llvm::function_ref<FailureOr<OwningOpRef<ModuleOp>>(
    MLIRContext &, const CompileOptions &)>;

static std::unique_ptr<ModuleHandle>
loadWith(Loader load, const InputShapes &inputShapes, std::string &error) {
  std::unique_ptr<MLIRContext> context = ModuleHandle::makeContext();
  CompileOptions options;
  options.inputShapes = inputShapes;
  OwningOpRef<ModuleOp> module;
  {
    DiagnosticText diagnostics(context.get());
    FailureOr<OwningOpRef<ModuleOp>> loaded = load(*context, options);
    if (failed(loaded)) {
      error = diagnostics.str();
      return nullptr;
    }
    module = std::move(*loaded);
  }
  return std::make_unique<ModuleHandle>(std::move(context), module.release());
}

std::unique_ptr<ModuleHandle> loadModelFile(std::string_view path,
                                            const InputShapes &inputShapes,
                                            std::string &error) {
  return loadWith(
      [&](MLIRContext &context, const CompileOptions &options) {
        return loadModel(StringRef(path.data(), path.size()), context, options);
      },
      inputShapes, error);
}

std::unique_ptr<ModuleHandle> loadModelBytes(std::string_view bytes,
                                             const InputShapes &inputShapes,
                                             std::string &error) {
  return loadWith(
      [&](MLIRContext &context, const CompileOptions &options) {
        return loadModelFromMemory(StringRef(bytes.data(), bytes.size()),
                                   "program", context, options);
      },
      inputShapes, error);
}

std::vector<std::string> listONNXOps() {
  std::vector<std::string> names = supportedONNXOps();
  llvm::sort(names);
  return names;
}

} // namespace ferrule
