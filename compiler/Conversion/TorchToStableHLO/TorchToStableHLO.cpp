#include "compiler/Conversion/TorchToStableHLO/TorchToStableHLO.h"
#include "compiler/Conversion/TorchToStableHLO/Lowerer.h"
#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ferrule {
#define GEN_PASS_DEF_CONVERTTORCHTOSTABLEHLO
#include "compiler/Conversion/TorchToStableHLO/TorchToStableHLO.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

LogicalResult ferrule::convertTorchToStableHLO(ModuleOp module) {
  if (failed(torch::checkLowerings(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(torch::Lowerer(function).run()))
      return failure();
  return success();
}

SmallVector<StringRef> ferrule::getLoweredTorchOps() {
  SmallVector<StringRef> names;
  for (const auto &entry : torch::getLoweringTable())
    names.push_back(entry.getKey());
  llvm::sort(names);
  return names;
}

const torch::LoweringTable &torch::getLoweringTable() {
  static const LoweringTable table = [] {
    LoweringTable result;
    addActivationLowerings(result);
    addAttentionLowerings(result);
    addBinaryLowerings(result);
    addComplexLowerings(result);
    addConvolutionLowerings(result);
    addCreationLowerings(result);
    addIndexLowerings(result);
    addLinearAlgebraLowerings(result);
    addLinearLowerings(result);
    addNormalizationLowerings(result);
    addPoolingLowerings(result);
    addQuantizedLowerings(result);
    addRandomLowerings(result);
    addReductionLowerings(result);
    addResizeLowerings(result);
    addScalarLowerings(result);
    addScatterLowerings(result);
    addSortLowerings(result);
    addUnaryLowerings(result);
    addViewLowerings(result);
    addWindowLowerings(result);
    return result;
  }();
  return table;
}

namespace {
struct ConvertTorchToStableHLO
    : ferrule::impl::ConvertTorchToStableHLOBase<ConvertTorchToStableHLO> {
  void runOnOperation() override {
    // Models of other frameworks pass through the same stage.
    auto isTorch = [](Type type) {
      return type.getDialect().getNamespace() == "torch";
    };
    WalkResult found = getOperation().walk([&](Operation *op) {
      auto function = dyn_cast<func::FuncOp>(op);
      bool torch =
          op->getName().getDialectNamespace() == "torch" ||
          (function && llvm::any_of(function.getArgumentTypes(), isTorch));
      return torch ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted() &&
        failed(convertTorchToStableHLO(getOperation())))
      signalPassFailure();
  }
};
} // namespace
