#include "compiler/Driver/VerifyInput.h"
#include "compiler/Target/CPU/Image/Image.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ferrule;

static LogicalResult verifyTarget(ModuleOp module,
                                  const CompileOptions &options) {
  if (options.target != "cpu")
    return module.emitError("unknown target '")
           << options.target << "', expected 'cpu'";
  if (options.targetCPUs.empty())
    return module.emitError("found no target CPU, expected at least one");
  for (const std::string &name : options.targetCPUs)
    if (failed(cpu::resolveVariant(name)))
      return module.emitError("unknown target CPU '")
             << name
             << "', expected host, x86-64-v3, x86-64-v4 or the name of an "
                "x86-64 CPU with AVX2 and FMA";
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
