#include "compiler/Transforms/FormDispatches/FormDispatches.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ferrule {
#define GEN_PASS_DEF_FORMDISPATCHES
#include "compiler/Transforms/FormDispatches/FormDispatches.h.inc"
} // namespace ferrule

using namespace ferrule;

namespace {

/// A short name for a kernel: what its most expensive operation does.
std::string describe(const DispatchGroup &group) {
  StringRef best = "elementwise";
  for (Operation *op : group.ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (isa<ext::WinogradOutputOp>(op))
      return "winograd";
    if (!linalgOp) {
      best = op->getName().stripDialect();
      continue;
    }
    if (linalg::isaConvolutionOpInterface(linalgOp))
      return "convolution";
    if (group.hasContraction)
      return "contraction";
    if (linalgOp.getNumReductionLoops() > 0)
      best = "reduction";
  }
  std::string name = best.str();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

struct FormDispatches : ferrule::impl::FormDispatchesBase<FormDispatches> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<func::FuncOp> entries;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func->hasAttr("byre.kernel") && !func.isExternal())
        entries.push_back(func);
    for (func::FuncOp entry : entries) {
      unsigned counter = 0;
      // Blocks of the function and of its control flow, but not of the bodies
      // of compute operations.
      SmallVector<Block *> blocks;
      entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op != entry && isComputeOp(op))
          return WalkResult::skip();
        for (Region &region : op->getRegions())
          for (Block &block : region)
            blocks.push_back(&block);
        return WalkResult::advance();
      });
      for (Block *block : blocks)
        for (DispatchGroup &group : groupDispatches(*block)) {
          std::string name = llvm::formatv("{0}_{1}_{2}", entry.getSymName(),
                                           counter++, describe(group));
          if (failed(outlineDispatch(group, symbols, name)))
            return signalPassFailure();
        }
    }
    mergeEqualKernels(module);
    estimateWork(module);
  }
};

} // namespace
