// mlir-opt with every dialect, pass and pipeline of Ferrule registered.
#include "compiler/AllPasses.h.inc"
#include "compiler/Driver/Plugin.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Support/Dialects.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

// Read by main before the passes' options exist; here for --help.
static llvm::cl::list<std::string>
    plugins("load-plugin",
            llvm::cl::desc("A shared object that brings targets or passes"));

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
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Ferrule's pass driver\n", registry));
}
