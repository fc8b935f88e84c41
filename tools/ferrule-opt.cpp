// mlir-opt with every dialect, pass and pipeline of Ferrule registered.
#include "compiler/AllPasses.h.inc"
#include "compiler/Support/Dialects.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ferrule::registerDialects(registry);
  ferrule::registerFolderPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Ferrule's pass driver\n", registry));
}
