#include "compiler/Conversion/ProgramToByre/ProgramToByre.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_PROGRAMTOBYRE
#include "compiler/Conversion/ProgramToByre/ProgramToByre.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

static LogicalResult lowerControlFlow(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  populateAffineToStdConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<scf::SCFDialect, affine::AffineDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(function, target, std::move(patterns));
}

/// A fixpoint is needed because folding sizes makes branches and blocks
/// redundant and the reverse; entry functions are short.
static LogicalResult simplify(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    if (isa<arith::ArithDialect, cf::ControlFlowDialect, memref::MemRefDialect>(
            dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isa<arith::ArithDialect, cf::ControlFlowDialect, memref::MemRefDialect,
            ByreDialect>(op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return function.emitOpError("simplification did not end");
  IRRewriter rewriter(context);
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}

/// cf.switch -> one comparison and cf.cond_br a case.
static void expandSwitch(cf::SwitchOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<APInt> cases;
  if (op.getCaseValues())
    cases = llvm::to_vector(op.getCaseValues()->getValues<APInt>());
  Block *block = op->getBlock();
  for (auto [i, value] : llvm::enumerate(cases)) {
    builder.setInsertionPointToEnd(block);
    Value constant = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(op.getFlag().getType(), value));
    Value equal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        op.getFlag(), constant);
    bool last = i + 1 == cases.size();
    Block *other = last ? op.getDefaultDestination()
                        : builder.createBlock(block->getParent(),
                                              std::next(block->getIterator()));
    builder.setInsertionPointToEnd(block);
    cf::CondBranchOp::create(
        builder, loc, equal, op.getCaseDestinations()[i], op.getCaseOperands(i),
        other, last ? ValueRange(op.getDefaultOperands()) : ValueRange());
    block = other;
  }
  if (cases.empty()) {
    builder.setInsertionPointToEnd(block);
    cf::BranchOp::create(builder, loc, op.getDefaultDestination(),
                         op.getDefaultOperands());
  }
  op.erase();
}

/// r = select c, a, b : memref -> cond_br c, ^next(a), ^next(b); ^next(r).
static void expandBufferSelect(arith::SelectOp op) {
  OpBuilder builder(op);
  Block *block = op->getBlock();
  Block *next = block->splitBlock(op);
  Value result = next->addArgument(op.getType(), op.getLoc());
  builder.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(builder, op.getLoc(), op.getCondition(), next,
                           ValueRange(op.getTrueValue()), next,
                           ValueRange(op.getFalseValue()));
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

/// Whether a file can hold the operation, as far as its kind goes.
static LogicalResult checkOp(Operation *op) {
  if (isa<func::FuncOp>(op))
    return success();
  bool known =
      isa<ByreDialect, arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<memref::LoadOp, memref::StoreOp, memref::DimOp, cf::BranchOp,
          cf::CondBranchOp, cf::AssertOp, func::CallOp, func::ReturnOp>(op);
  if (!known)
    return op->emitOpError("has no form in a program");
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isa<TensorType, VectorType, UnrankedMemRefType>(type))
        return op->emitOpError("expected buffers and scalars, found ") << type;
  return success();
}

LogicalResult ferrule::convertFunctionToByre(func::FuncOp function) {
  if (failed(lowerControlFlow(function)) || failed(simplify(function)))
    return failure();
  SmallVector<cf::SwitchOp> switches;
  SmallVector<arith::SelectOp> selects;
  function.walk([&](Operation *op) {
    if (auto found = dyn_cast<cf::SwitchOp>(op))
      switches.push_back(found);
    else if (auto found = dyn_cast<arith::SelectOp>(op);
             found && isa<MemRefType>(found.getType()))
      selects.push_back(found);
  });
  llvm::for_each(switches, expandSwitch);
  llvm::for_each(selects, expandBufferSelect);
  WalkResult checked = function.walk([](Operation *op) {
    return failed(checkOp(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  return failure(checked.wasInterrupted());
}

/// Erases kernels that have code. One that is launched without is an error.
static LogicalResult eraseKernels(ModuleOp module) {
  llvm::StringMap<DispatchOp> launched;
  module.walk([&](DispatchOp op) { launched.try_emplace(op.getKernel(), op); });
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!isKernel(function))
      continue;
    bool compiled = llvm::any_of(module.getOps<ImageOp>(), [&](ImageOp image) {
      return bool(image.lookupKernel(function.getName()));
    });
    if (!compiled && launched.contains(function.getName()))
      return function.emitOpError(
          "expected the kernel's code in an image, found none");
    function.erase();
  }
  return success();
}

namespace {
class ProgramToByre : public ferrule::impl::ProgramToByreBase<ProgramToByre> {
  void runOnOperation() override {
    if (failed(eraseKernels(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(convertFunctionToByre(function)))
        return signalPassFailure();
  }
};
} // namespace
