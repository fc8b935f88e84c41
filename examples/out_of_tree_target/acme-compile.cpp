// acme-compile MODEL OUT.byre: Ferrule's compiler, with matrix products on the
// Acme device and everything else on the CPU.
#include "TakeMatmuls.h"

#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h"
#include "compiler/Driver/Driver.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: acme-compile MODEL OUT.byre\n";
    return 2;
  }
  std::unique_ptr<MLIRContext> context = ferrule::createContext();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, context.get());
  ferrule::CompileOptions options;
  FailureOr<OwningOpRef<ModuleOp>> module =
      ferrule::loadModel(argv[1], *context, options);
  if (failed(module))
    return 1;

  PassManager passes(context.get());
  ferrule::buildStableHLOPipeline(passes, options);
  ferrule::buildGraphPipeline(passes, options);
  passes.addPass(ferrule::createConvertStableHLOToLinalg());
  passes.addNestedPass<func::FuncOp>(acme::createTakeMatmuls());
  // The rest of the linalg stage sees what the device did not take.
  ferrule::buildLinalgPipeline(passes, options);
  if (failed(passes.run(**module)))
    return 1;
  return failed(ferrule::compileToFile(**module, argv[2], options, false));
}
