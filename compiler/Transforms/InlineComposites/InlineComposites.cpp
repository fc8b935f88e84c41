#include "compiler/Transforms/InlineComposites/InlineComposites.h"
#include "compiler/Dialect/CHLO/IR/CHLO.h"

namespace ferrule {
#define GEN_PASS_DEF_INLINECOMPOSITES
#include "compiler/Transforms/InlineComposites/InlineComposites.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

/// CHLO functions that Ferrule computes better than their decompositions do.
static bool isKnownFunction(StringRef name) {
  return name.consume_front("chlo.") &&
         StringSwitch<bool>(name)
             .Cases("acos", "acosh", "asin", "asinh", "atan", "atanh", true)
             .Cases("bessel_i1e", "cosh", "digamma", "erf", "erf_inv", true)
             .Cases("erfc", "lgamma", "mulhi", "next_after", true)
             .Cases("polygamma", "sinh", "square", "tan", "zeta", "top_k",
                    true)
             .Default(false);
}

/// Replaces the composite by the CHLO op of its name, if that is valid.
static bool replaceByCHLO(IRRewriter &rewriter, stablehlo::CompositeOp op) {
  if (!isKnownFunction(op.getName()))
    return false;
  OperationState state(op.getLoc(), op.getName(), op.getInputs(),
                       op->getResultTypes());
  if (op.getName() == "chlo.top_k") {
    auto k = op.getCompositeAttributes()
                 ? op.getCompositeAttributes()->getAs<IntegerAttr>("k")
                 : IntegerAttr();
    if (!k)
      return false;
    state.addAttribute("k", rewriter.getI64IntegerAttr(k.getInt()));
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, rewriter.create(state));
  return true;
}

/// Copies the body of `callee`, which must be one block, to the composite.
static LogicalResult inlineDecomposition(IRRewriter &rewriter,
                                         stablehlo::CompositeOp op,
                                         func::FuncOp callee) {
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return op.emitOpError("has no decomposition to inline: @")
           << op.getDecomposition() << " is not a function of one block";
  if (callee.getArgumentTypes() != op.getInputs().getTypes() ||
      callee.getResultTypes() != op->getResultTypes())
    return op.emitOpError("has the type ")
           << FunctionType::get(op.getContext(), op.getInputs().getTypes(),
                                op->getResultTypes())
           << ", but its decomposition @" << op.getDecomposition() << " has "
           << callee.getFunctionType();
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), op.getInputs());
  rewriter.setInsertionPoint(op);
  for (Operation &inner : body.without_terminator())
    rewriter.clone(inner, mapping);
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  rewriter.replaceOp(op, results);
  return success();
}

/// Expands composites until none is left: decompositions hold composites too.
static LogicalResult expandAll(ModuleOp module, SymbolTable &symbols,
                               llvm::SetVector<Operation *> &decompositions) {
  IRRewriter rewriter(module.getContext());
  // More rounds than functions can only come from recursion.
  size_t rounds = llvm::range_size(module.getOps<func::FuncOp>()) + 1;
  for (size_t round = 0; round < rounds; ++round) {
    SmallVector<stablehlo::CompositeOp> composites;
    module.walk([&](stablehlo::CompositeOp op) { composites.push_back(op); });
    if (composites.empty())
      return success();
    for (stablehlo::CompositeOp op : composites) {
      auto callee = symbols.lookup<func::FuncOp>(op.getDecomposition());
      if (callee)
        decompositions.insert(callee);
      if (!replaceByCHLO(rewriter, op) &&
          failed(inlineDecomposition(rewriter, op, callee)))
        return failure();
    }
  }
  return module.emitError("a composite's decomposition contains itself");
}

namespace {

struct InlineComposites
    : ferrule::impl::InlineCompositesBase<InlineComposites> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    llvm::SetVector<Operation *> decompositions;
    if (failed(expandAll(module, symbols, decompositions)))
      return signalPassFailure();
    for (Operation *function : decompositions)
      if (SymbolTable::symbolKnownUseEmpty(function, module) &&
          !cast<func::FuncOp>(function).isPublic())
        symbols.erase(function);
  }
};

} // namespace
