// mlir-opt with every dialect, pass and pipeline of Ferrule registered.
#include "compiler/AllPasses.h.inc"
#include "compiler/Driver/Plugin.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Support/Dialects.h"
#include "compiler/Support/GuardedRead.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ToolOutputFile.h"

// Read by main before the passes' options exist; here for --help.
static llvm::cl::list<std::string>
    plugins("load-plugin",
            llvm::cl::desc("A shared object that brings targets or passes"));

/// Reads bytecode once with care before MLIR's own main function does.
static bool isReadable(const llvm::MemoryBuffer &input,
                       const mlir::DialectRegistry &registry) {
  if (!mlir::isBytecode(input.getMemBufferRef()))
    return true;
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  // Other faults are reported when it is read in earnest.
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &d) {
    return mlir::failure(llvm::StringRef(d.str()).contains("is damaged"));
  });
  return ferrule::readGuarded(
      mlir::FileLineColLoc::get(&context, input.getBufferIdentifier(), 0, 0),
      [&] {
        mlir::Block block;
        (void)mlir::readBytecodeFile(input.getMemBufferRef(), &block,
                                     mlir::ParserConfig(&context));
      });
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ferrule::registerDialects(registry);
  ferrule::registerFolderPasses();
  ferrule::registerPipelines();
  // The general passes of MLIR that are of use between stages, singly:
  // registerAllPasses pulls in every dialect.
  mlir::registerTransformsPasses();
  mlir::arith::registerArithPasses();
  mlir::bufferization::registerBufferizationPasses();
  mlir::memref::registerMemRefPasses();
  mlir::registerLinalgPasses();
  mlir::registerSCFPasses();
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc)) {
    std::string error;
    argument.consume_front("-");
    if (argument.consume_front("-load-plugin=") &&
        !ferrule::loadPlugin(argument, error)) {
      llvm::errs() << "ferrule-opt: error: " << error << "\n";
      return 1;
    }
  }
  auto [inputPath, outputPath] = mlir::registerAndParseCLIOptions(
      argc, argv, "Ferrule's pass driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, inputPath, outputPath, registry));
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputPath, &error);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input)
    output = mlir::openOutputFile(outputPath, &error);
  if (!output) {
    llvm::errs() << error << "\n";
    return 1;
  }
  if (!isReadable(*input, registry) ||
      failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}
