// Compiles a model to a .byre file, or to any stage on the way.
#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Options.h"
#include "compiler/Driver/Plugin.h"
#include "compiler/Support/LocationText.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::OptionCategory category("ferrule-compile options");
static cl::opt<std::string> model(cl::Positional, cl::Required,
                                  cl::desc("MODEL (.mlir, .mlirbc, .onnx)"),
                                  cl::cat(category));
static cl::opt<std::string> output("o", cl::value_desc("file"),
                                   cl::desc("Output; default MODEL.byre"),
                                   cl::cat(category));
static cl::list<std::string>
    plugins("load-plugin",
            cl::desc("A shared object that brings targets or devices"),
            cl::cat(category));
static cl::opt<std::string>
    target("target", cl::init("cpu"),
           cl::desc("cpu, reference, or the target of a plug-in"),
           cl::cat(category));
static cl::list<std::string>
    targetOptionTexts("target-option",
                      cl::desc("An option of the target: NAME=VALUE"),
                      cl::cat(category));
static cl::list<std::string>
    targetCPUs("target-cpu", cl::CommaSeparated,
               cl::desc("host, x86-64-v3, x86-64-v4, aarch64, a CPU's name "
                        "or a list of these"),
               cl::cat(category));
static cl::list<std::string>
    inputShapes("input-shape", cl::desc("Fix an input's sizes: x:1x3x224x224"),
                cl::cat(category));
static cl::opt<std::string>
    compileTo("compile-to", cl::init("byre"),
              cl::desc("Stop after this stage: input, stablehlo, graph, "
                       "linalg, dispatch, kernel, byre"),
              cl::cat(category));
static cl::opt<std::string>
    dumpIR("dump-ir", cl::desc("Write the IR after each stage to this folder"),
           cl::cat(category));
static cl::opt<int> optLevel("opt-level", cl::init(1),
                             cl::desc("0: no fusion, no packing; 1: all"),
                             cl::cat(category));
static cl::opt<unsigned> threads("compile-threads", cl::init(0),
                                 cl::desc("Threads of the compiler (0: all)"),
                                 cl::cat(category));
static cl::opt<std::string> kernelCache(
    "kernel-cache", cl::value_desc("off|folder"),
    cl::desc("Where machine code is kept between runs; default: 'kernels' in "
             "FERRULE_CACHE_DIR or the user's cache folder"),
    cl::cat(category));
static cl::opt<bool> text("S", cl::desc("Write text instead of bytecode"),
                          cl::cat(category));
static cl::opt<bool> verbose("v", cl::desc("Print stages and their times"),
                             cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "ferrule-compile: error: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Ferrule's compiler\n");

  std::string error;
  for (const std::string &path : plugins)
    if (!ferrule::loadPlugin(path, error))
      return fail(error);

  ferrule::CompileOptions options;
  options.target = target;
  if (!targetCPUs.empty())
    options.targetCPUs.assign(targetCPUs.begin(), targetCPUs.end());
  for (const std::string &text : targetOptionTexts)
    if (!ferrule::setOption(options, "target-option", text, error))
      return fail(error);
  if (!ferrule::setOption(options, "compile-to", compileTo, error))
    return fail(error);
  options.dumpFolder = dumpIR;
  options.optLevel = optLevel;
  options.threads = threads;
  for (const std::string &text : inputShapes)
    if (!ferrule::setOption(options, "input-shape", text, error))
      return fail(error);
  if (!ferrule::setOption(options, "kernel-cache", kernelCache, error))
    return fail(error);
  if (verbose)
    options.log = [](StringRef line) { llvm::errs() << line << "\n"; };
  // Copies: linking images in this process resets LLVM's option storage.
  std::string path = output;
  bool asText = text;
  if (path.empty()) {
    SmallString<128> name(model);
    llvm::sys::path::replace_extension(
        name, options.compileTo == ferrule::Stage::Byre ? ".byre"
              : asText                                  ? ".out.mlir"
                                                        : ".out.mlirbc");
    path = name.str().str();
  }

  std::unique_ptr<MLIRContext> context = ferrule::createContext(threads);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, context.get());
  // Asked first: what has no source line to show is one line of text.
  ScopedDiagnosticHandler plain(context.get(), [](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
        ferrule::hasSourceLine(diagnostic.getLocation()))
      return failure();
    std::string place = ferrule::locationText(diagnostic.getLocation());
    fail(llvm::Twine(place) + (place.empty() ? "" : ": ") + diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      llvm::errs() << "  note: " << note << "\n";
    return success();
  });
  FailureOr<OwningOpRef<ModuleOp>> module =
      ferrule::loadModel(model, *context, options);
  if (failed(module))
    return 1;
  return failed(ferrule::compileToFile(**module, path, options, asText));
}
