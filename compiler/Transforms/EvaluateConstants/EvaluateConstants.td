#ifndef FERRULE_TRANSFORMS_EVALUATECONSTANTS
#define FERRULE_TRANSFORMS_EVALUATECONSTANTS

include "mlir/Pass/PassBase.td"

def HoistConstants : Pass<"hoist-constants", "::mlir::ModuleOp"> {
  let summary = "Show which computation depends on constants only";
  let description = [{
    Moves the operations that depend on constants only into one function
    `@constants` whose arguments are the constants that it reads. In the
    compiler this function is then compiled for the host, run, and its results
    replace the operations (`ferrule::evaluateConstants`); as a pass of its own,
    for tests, it leaves the function in the module.

    Example: `test/Transforms/hoist-constants.mlir`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif
