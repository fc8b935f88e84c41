// Translates between the forms of a program: MLIR text, MLIR bytecode and
// .byre files, portable artifacts of StableHLO; reads JAX's exports. Without an
// option it prints text.
#include "compiler/Dialect/VHLO/VHLO.h"
#include "compiler/Export/Export.h"
#include "compiler/Support/Dialects.h"
#include "compiler/Support/GuardedRead.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
enum class Form { Text, Bytecode, Artifact, Byre };
} // namespace

static cl::opt<std::string> inputPath(cl::Positional, cl::desc("FILE"),
                                      cl::init("-"));
static cl::opt<std::string> outputPath("o", cl::desc("Output file"),
                                       cl::init("-"));
static cl::opt<Form> outputForm(
    "to", cl::desc("Form of the output"), cl::init(Form::Text),
    cl::values(clEnumValN(Form::Text, "text", "MLIR text"),
               clEnumValN(Form::Bytecode, "bytecode", "MLIR bytecode"),
               clEnumValN(Form::Artifact, "artifact",
                          "portable artifact of StableHLO"),
               clEnumValN(Form::Byre, "byre",
                          ".byre file; the input is at the byre stage")));
static cl::opt<std::string> target(
    "target", cl::init("current"),
    cl::desc("Version of a portable artifact: 1.0.0 to 1.20.0, current"));
// The names that StableHLO's own tool gives to these.
static cl::opt<bool> serialize("serialize", cl::desc("Same as --to=artifact"));
static cl::opt<bool> deserialize("deserialize",
                                 cl::desc("Same as --to=text of an artifact"));
static cl::opt<bool> debugInfo("locations", cl::desc("Print locations"));
static cl::opt<bool> inlineData(
    "inline-data",
    cl::desc("Print weights and images; without, text of a .byre file refers "
             "to them by name only"));

static cl::opt<bool> splitInput("split-input-file",
                                cl::desc("Translate the parts between "
                                         "'// -----' one by one"));
static cl::opt<bool> verifyDiagnostics(
    "verify-diagnostics",
    cl::desc("Check diagnostics against expected-* comments; no output"));

static OwningOpRef<ModuleOp>
readInput(std::unique_ptr<llvm::MemoryBuffer> input, llvm::SourceMgr &source,
          MLIRContext &context) {
  if (input->getBuffer().starts_with(StringRef("BYRE\r\n\x1a\0", 8)))
    return inputPath == "-"
               ? ferrule::importProgramFromMemory(&context, input->getBuffer())
               : ferrule::importProgram(&context, inputPath);
  OwningOpRef<ModuleOp> module;
  Location loc = FileLineColLoc::get(&context, inputPath, 0, 0);
  StringRef artifact = ferrule::findPortableArtifact(input->getBuffer());
  if (!artifact.empty()) {
    ferrule::readGuarded(loc, [&] {
      module = ferrule::readPortableArtifact(artifact, inputPath, &context);
    });
    return module;
  }
  source.AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  ferrule::readGuarded(
      loc, [&] { module = parseSourceFile<ModuleOp>(source, &context); });
  return module;
}

static LogicalResult writeOutput(ModuleOp module, raw_ostream &stream) {
  if (outputForm == Form::Bytecode)
    return writeBytecodeToFile(module, stream);
  if (outputForm == Form::Artifact) {
    std::optional<llvm::VersionTuple> version =
        ferrule::parseArtifactVersion(target);
    if (!version)
      return module.emitError() << "found version '" << target
                                << "', expected one like 1.0.0, or current";
    return ferrule::writePortableArtifact(module, *version, stream);
  }
  if (outputForm == Form::Byre) {
    FailureOr<std::string> bytes = ferrule::exportProgramToMemory(module);
    if (failed(bytes))
      return failure();
    stream << *bytes;
    return success();
  }
  OpPrintingFlags flags;
  if (debugInfo)
    flags.enableDebugInfo();
  if (!inlineData)
    flags.elideLargeResourceString(64);
  module.print(stream, flags);
  stream << "\n";
  return success();
}

static LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> input,
                               const DialectRegistry &registry,
                               raw_ostream &stream) {
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr source;
  if (verifyDiagnostics) {
    SourceMgrDiagnosticVerifierHandler handler(source, &context);
    OwningOpRef<ModuleOp> module = readInput(std::move(input), source, context);
    if (module)
      (void)writeOutput(*module, llvm::nulls());
    return handler.verify();
  }
  SourceMgrDiagnosticHandler handler(source, &context);
  OwningOpRef<ModuleOp> module = readInput(std::move(input), source, context);
  return success(module && succeeded(writeOutput(*module, stream)));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Ferrule's translator\n");
  if (serialize)
    outputForm = Form::Artifact;
  else if (deserialize)
    outputForm = Form::Text;
  DialectRegistry registry;
  ferrule::registerDialects(registry);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputPath, &error);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input)
    output = openOutputFile(outputPath, &error);
  if (!output) {
    llvm::errs() << error << "\n";
    return 1;
  }
  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> part,
                     raw_ostream &stream) {
    return translate(std::move(part), registry, stream);
  };
  LogicalResult result =
      splitInput
          ? splitAndProcessBuffer(std::move(input), process, output->os())
          : process(std::move(input), output->os());
  if (failed(result))
    return 1;
  output->keep();
  return 0;
}
