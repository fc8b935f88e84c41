#include "compiler/Transforms/CallComposites/CallComposites.h"

namespace ferrule {
#define GEN_PASS_DEF_CALLCOMPOSITES
#include "compiler/Transforms/CallComposites/CallComposites.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

/// Fails where the decomposition has another type: a call must match exactly.
static LogicalResult callDecomposition(stablehlo::CompositeOp op,
                                       SymbolTable &symbols) {
  auto callee = symbols.lookup<func::FuncOp>(op.getDecomposition());
  if (!callee || callee.getArgumentTypes() != op.getInputs().getTypes() ||
      callee.getResultTypes() != op->getResultTypes())
    return op.emitOpError("has no decomposition of its type: @")
           << op.getDecomposition();
  OpBuilder builder(op);
  auto call =
      func::CallOp::create(builder, op.getLoc(), callee, op.getInputs());
  op->replaceAllUsesWith(call);
  op->erase();
  return success();
}

namespace {
struct CallComposites : ferrule::impl::CallCompositesBase<CallComposites> {
  using CallCompositesBase::CallCompositesBase;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<stablehlo::CompositeOp> composites;
    getOperation().walk([&](stablehlo::CompositeOp op) {
      if (!llvm::is_contained(except, op.getName()))
        composites.push_back(op);
    });
    for (stablehlo::CompositeOp op : composites)
      if (failed(callDecomposition(op, symbols)))
        return signalPassFailure();
  }
};
} // namespace
