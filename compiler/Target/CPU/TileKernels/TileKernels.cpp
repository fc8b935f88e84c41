// The pass: tiles every kernel and counts workgroups at every launch.
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "compiler/Target/Target.h"
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
    SmallVector<func::FuncOp> kernels = kernelsOf(module, "cpu");
    SmallVector<SmallVector<cpu::Workspace>> workspaces(kernels.size());
    if (failed(failableParallelForEachN(
            &getContext(), 0, kernels.size(), [&](size_t i) {
              func::FuncOp kernel = kernels[i];
              if (failed(cpu::prepareKernel(kernel)) ||
                  failed(cpu::tileKernel(kernel)))
                return failure();
              auto added = cpu::addWorkspaces(kernel);
              if (failed(added))
                return failure();
              workspaces[i] = std::move(*added);
              return success();
            })))
      return signalPassFailure();

    llvm::StringMap<unsigned> numbers;
    for (auto [i, kernel] : llvm::enumerate(kernels))
      numbers[kernel.getName()] = i;
    SmallVector<byre::DispatchOp> launches;
    module.walk([&](byre::DispatchOp op) { launches.push_back(op); });
    for (byre::DispatchOp launch : launches) {
      auto found = numbers.find(launch.getKernel());
      if (found == numbers.end())
        continue;
      func::FuncOp kernel = kernels[found->second];
      OpBuilder builder(launch);
      FailureOr<Value> count = cpu::countWorkgroups(builder, launch, kernel);
      if (failed(count))
        return signalPassFailure();
      launch.getWorkgroupsMutable().assign(*count);
      if (failed(cpu::passWorkspaces(launch, kernel,
                                     workspaces[found->second])))
        return signalPassFailure();
    }
  }
};

} // namespace
