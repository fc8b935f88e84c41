#include "compiler/Driver/VerifyInput.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;

static LogicalResult verifyTarget(ModuleOp module,
                                  const CompileOptions &options) {
  SmallVector<const Target *> targets = targetsOf(options.target);
  if (targets.empty())
    return module.emitError("unknown target '")
           << options.target << "', expected one of " << listTargets();
  // Named options are the chosen target's alone.
  TargetOptions given = targetOptions(options);
  for (const Target *target : targets) {
    if (std::string error = target->checkOptions(given); !error.empty())
      return module.emitError(error);
    given.values.clear();
  }
  return success();
}

LogicalResult ferrule::verifyInput(ModuleOp module,
                                   const CompileOptions &options) {
  if (failed(verifyTarget(module, options)))
    return failure();
  SymbolTable symbols(module);
  WalkResult walk = module.walk([&](Operation *op) -> WalkResult {
    if (!op->isRegistered())
      return op->emitError("unknown op '") << op->getName() << "'";
    if (auto func = dyn_cast<func::FuncOp>(op))
      if (llvm::any_of(llvm::concat<const Type>(func.getArgumentTypes(),
                                                func.getResultTypes()),
                       llvm::IsaPred<UnrankedTensorType>))
        return op->emitOpError("expected tensors of known rank in the "
                               "signature, found ")
               << func.getFunctionType();
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      return WalkResult::advance();
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && callee.isDeclaration())
      return op->emitError("calls @")
             << call.getCallee() << ", which has no body";
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (llvm::none_of(module.getOps<func::FuncOp>(), [](func::FuncOp func) {
        return func.isPublic() && !func.isDeclaration();
      }))
    return module.emitError(
        "the program has no public function, expected one to run");
  return success();
}
