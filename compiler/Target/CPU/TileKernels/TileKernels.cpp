// The pass: tiles every kernel and counts workgroups at every launch.
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Threading.h"

namespace ferrule {
#define GEN_PASS_DEF_TILEKERNELS
#include "compiler/Target/CPU/TileKernels/TileKernels.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

namespace {

struct TileKernels : ferrule::impl::TileKernelsBase<TileKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> kernels;
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (byre::isKernel(function) && !function.isDeclaration())
        kernels.push_back(function);
    if (failed(failableParallelForEach(
            &getContext(), kernels, [](func::FuncOp kernel) {
              return success(succeeded(cpu::prepareKernel(kernel)) &&
                             succeeded(cpu::tileKernel(kernel)));
            })))
      return signalPassFailure();

    SymbolTable symbols(module);
    WalkResult walked = module.walk([&](byre::DispatchOp dispatch) {
      auto kernel = symbols.lookup<func::FuncOp>(dispatch.getKernel());
      if (!kernel)
        return WalkResult::advance();
      OpBuilder builder(dispatch);
      FailureOr<Value> count = cpu::countWorkgroups(builder, dispatch, kernel);
      if (failed(count))
        return WalkResult::interrupt();
      dispatch.getWorkgroupsMutable().assign(*count);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
