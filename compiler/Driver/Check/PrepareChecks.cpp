#include "compiler/Driver/Check/PrepareChecks.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Driver/Check/ParallelChecks.h"
#include "compiler/Driver/Check/ReadChecks.h"
#include "compiler/Export/ConstantData.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;

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

static LogicalResult moveCheck(Operation *op, func::FuncOp func,
                               const llvm::StringMap<Value> &probes,
                               CheckedFunction &checked) {
  FailureOr<Check> check = readCheck(op, probes);
  if (failed(check))
    return failure();
  Expectation expectation{check->agreement,
                          check->name,
                          op->getLoc(),
                          getElementTypeOrSelf(check->actual),
                          addResult(func, check->actual),
                          std::nullopt,
                          check->known};
  if (check->expected && !check->known)
    expectation.expectedOutput = addResult(func, check->expected);
  checked.expectations.push_back(std::move(expectation));
  if (op->getNumResults() > 0) {
    // What is computed from it may rely on it: a false one is reported.
    OpBuilder builder(op);
    auto type = cast<ShapedType>(op->getResult(0).getType());
    Value holds = stablehlo::ConstantOp::create(
        builder, op->getLoc(), DenseElementsAttr::get(type, true));
    op->getResult(0).replaceAllUsesWith(holds);
  }
  op->erase();
  return success();
}

/// Replaces what stands beside checks: constants that must not be folded
/// become plain ones, since all are opaque here; probes are their operands.
static void replaceCompanions(func::FuncOp func,
                              llvm::StringMap<Value> &probes) {
  for (Operation &op : llvm::make_early_inc_range(func.getOps())) {
    StringRef name = op.getName().getStringRef();
    if (name == "util.unfoldable_constant") {
      auto value = dyn_cast<ElementsAttr>(op.getAttr("value"));
      if (!value)
        continue;
      OpBuilder builder(&op);
      op.replaceAllUsesWith(
          stablehlo::ConstantOp::create(builder, op.getLoc(), value));
    } else if (name == "interpreter.probe" ||
               name == "util.optimization_barrier") {
      if (auto id = op.getAttrOfType<StringAttr>("probe_id"))
        probes[id] = op.getOperand(0);
      op.replaceAllUsesWith(op.getOperands());
    } else if (name != "interpreter.print") {
      continue;
    }
    op.erase();
  }
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
static void moveConstants(func::FuncOp func, ProcessCall &process) {
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
    result.replaceUsesWithIf(func.getArgument(number), [](OpOperand &use) {
      return !isShapeOperand(use);
    });
    process.arguments.push_back(value);
    if (result.use_empty())
      op.erase();
  }
}

static LogicalResult prepare(func::FuncOp func, CheckedFunction &checked) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("a function with checks must have one block");
  inlineDataFunctions(func);
  llvm::StringMap<Value> probes;
  replaceCompanions(func, probes);
  if (Operation *run = findRunParallel(func))
    return prepareParallel(func, run, checked);
  for (Operation &op : llvm::make_early_inc_range(func.getOps()))
    if (isCheck(&op) && failed(moveCheck(&op, func, probes, checked)))
      return failure();
  checked.processes.push_back({func.getName().str(), {}, 0});
  moveConstants(func, checked.processes.front());
  return success();
}

/// Functions that interpreter.run_parallel names.
static llvm::StringSet<> processFunctions(ModuleOp module) {
  llvm::StringSet<> names;
  for (auto func : module.getOps<func::FuncOp>())
    if (Operation *run = findRunParallel(func))
      collectProcessFunctions(run, names);
  return names;
}

/// @main, or every public function without arguments that no other runs.
static SmallVector<func::FuncOp> functionsToRun(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return {main};
  SmallVector<func::FuncOp> functions;
  llvm::StringSet<> processes = processFunctions(module);
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isDeclaration() &&
        func.getNumArguments() == 0 && !processes.contains(func.getName()))
      functions.push_back(func);
  return functions;
}

FailureOr<std::vector<CheckedFunction>>
ferrule::prepareChecks(ModuleOp module) {
  std::vector<CheckedFunction> result;
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
  WalkResult walk = module.walk([](Operation *op) -> WalkResult {
    auto call = dyn_cast<stablehlo::CustomCallOp>(op);
    if (isCheck(op))
      return op->emitOpError()
             << (call ? call.getCallTargetName() : StringRef("it"))
             << " must be in the body of a function that is run";
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return result;
}
