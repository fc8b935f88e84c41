// mlir-opt with every dialect, pass and pipeline of Ferrule registered.
#include "compiler/AllPasses.h.inc"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Support/Dialects.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

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
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Ferrule's pass driver\n", registry));
}
