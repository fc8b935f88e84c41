#include "compiler/Driver/Check/PrepareChecks.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Export/ConstantData.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;

static std::optional<Agreement> parseCheck(StringRef target) {
  return llvm::StringSwitch<std::optional<Agreement>>(target)
      .Case("check.expect_eq", Agreement::Equal)
      .Case("check.expect_close", Agreement::Close)
      .Case("check.expect_almost_eq", Agreement::AlmostEqual)
      .Case("check.eq", Agreement::Near)
      .Default(std::nullopt);
}

static bool isCheck(stablehlo::CustomCallOp op) {
  return op.getCallTargetName().starts_with("check.");
}

/// Copies the bodies of called functions that have no arguments into `func`:
/// they hold the inputs and the expected values of exported tests.
static void inlineDataFunctions(func::FuncOp func) {
  SymbolTable symbols(func->getParentOfType<ModuleOp>());
  for (auto call : llvm::make_early_inc_range(func.getOps<func::CallOp>())) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || call.getNumOperands() > 0 || !callee.getBody().hasOneBlock())
      continue;
    Block &body = callee.getBody().front();
    if (!body.getOps<func::CallOp>().empty())
      continue;
    OpBuilder builder(call);
    IRMapping mapping;
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] :
         llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookup(value));
    call.erase();
  }
}

/// Appends `value` to the results of `func` and returns its number.
static unsigned addResult(func::FuncOp func, Value value) {
  unsigned number = func.getNumResults();
  (void)func.insertResult(number, value.getType(), {});
  Operation *terminator = func.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), value);
  return number;
}

static LogicalResult moveCheck(stablehlo::CustomCallOp op, func::FuncOp func,
                               CheckedFunction &checked) {
  StringRef target = op.getCallTargetName();
  std::optional<Agreement> agreement = parseCheck(target);
  if (!agreement)
    return op.emitOpError("unknown check '")
           << target
           << "', expected check.expect_eq, check.expect_close, "
              "check.expect_almost_eq or check.eq";
  bool hasResult = target == "check.eq";
  if (op.getInputs().size() != 2 || op->getNumResults() != hasResult)
    return op.emitOpError()
           << target << " has " << op.getInputs().size() << " operands and "
           << op->getNumResults() << " results, expected 2 and " << hasResult;
  // check.eq alone has the expected value first.
  Value actual = op.getInputs()[hasResult ? 1 : 0];
  Value expected = op.getInputs()[hasResult ? 0 : 1];
  Type elementType = getElementTypeOrSelf(expected);
  if (elementType != getElementTypeOrSelf(actual))
    return op.emitOpError() << target << " compares " << actual.getType()
                            << " with " << expected.getType();
  Expectation expectation{*agreement, target.str(), op.getLoc(), elementType,
                          addResult(func, actual), std::nullopt, {}};
  if (!matchPattern(expected, m_Constant(&expectation.expectedValue)))
    expectation.expectedOutput = addResult(func, expected);
  checked.expectations.push_back(std::move(expectation));
  if (hasResult) {
    // What is computed from it may rely on it: a false one is reported.
    OpBuilder builder(op);
    auto type = cast<ShapedType>(op->getResult(0).getType());
    Value holds = stablehlo::ConstantOp::create(
        builder, op.getLoc(), DenseElementsAttr::get(type, true));
    op->getResult(0).replaceAllUsesWith(holds);
  }
  op.erase();
  return success();
}

/// True for operands whose values decide about the result's type.
static bool isShapeOperand(OpOperand &use) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(use.getOwner()))
    return call.getCallTargetName().starts_with("stablehlo.dynamic");
  unsigned first =
      llvm::StringSwitch<unsigned>(use.getOwner()->getName().getStringRef())
          .Case("stablehlo.dynamic_iota", 0)
          .Case("stablehlo.dynamic_broadcast_in_dim", 1)
          .Case("stablehlo.dynamic_reshape", 1)
          .Case("stablehlo.real_dynamic_slice", 1)
          .Case("stablehlo.set_dimension_size", 1)
          .Case("stablehlo.dynamic_pad", 2)
          .Case("stablehlo.dynamic_gather", 2)
          .Case("stablehlo.dynamic_conv", 2)
          .Case("stablehlo.rng", 2)
          .Default(std::numeric_limits<unsigned>::max());
  return use.getOperandNumber() >= first;
}

/// Makes arguments of the constants of the body.
static void moveConstants(func::FuncOp func, CheckedFunction &checked) {
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
    ElementsAttr value;
    std::string error;
    if (!matchPattern(&op, m_Constant(&value)) ||
        failed(getConstantData(value, error)))
      continue;
    Value result = op.getResult(0);
    if (llvm::all_of(result.getUses(), isShapeOperand))
      continue;
    unsigned number = func.getNumArguments();
    (void)func.insertArgument(number, result.getType(), {}, op.getLoc());
    result.replaceUsesWithIf(
        func.getArgument(number),
        [](OpOperand &use) { return !isShapeOperand(use); });
    checked.arguments.push_back(value);
    if (result.use_empty())
      op.erase();
  }
}

static LogicalResult prepare(func::FuncOp func, CheckedFunction &checked) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("a function with checks must have one block");
  inlineDataFunctions(func);
  for (auto op :
       llvm::make_early_inc_range(func.getOps<stablehlo::CustomCallOp>()))
    if (isCheck(op) && failed(moveCheck(op, func, checked)))
      return failure();
  moveConstants(func, checked);
  return success();
}

/// @main, or every public function without arguments.
static SmallVector<func::FuncOp> functionsToRun(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return {main};
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isDeclaration() &&
        func.getNumArguments() == 0)
      functions.push_back(func);
  return functions;
}

FailureOr<SmallVector<CheckedFunction>>
ferrule::prepareChecks(ModuleOp module) {
  SmallVector<CheckedFunction> result;
  for (func::FuncOp func : functionsToRun(module)) {
    if (func.getNumArguments() > 0)
      return func.emitOpError("@main has arguments, expected none");
    result.push_back({func.getName().str(), func.getLoc(), {}, {}});
    if (failed(prepare(func, result.back())))
      return failure();
  }
  if (result.empty())
    return module.emitError("nothing to run: found neither @main nor a public "
                            "function without arguments");
  WalkResult walk = module.walk([](stablehlo::CustomCallOp op) -> WalkResult {
    if (isCheck(op))
      return op.emitOpError()
             << op.getCallTargetName()
             << " must be in the body of a function that is run";
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return result;
}
