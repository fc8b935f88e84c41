#ifndef FERRULE_TARGET_ASSIGNTARGETS
#define FERRULE_TARGET_ASSIGNTARGETS

include "mlir/Pass/PassBase.td"

def AssignTargets : Pass<"assign-targets", "::mlir::ModuleOp"> {
  let summary = "Decide which target runs each kernel";
  let description = [{
    A target takes the kernels that it can run; what it declines goes to its
    fallback, the CPU as a rule. Each kernel gets the name of its target, which
    from then on alone lowers it and makes its code.

    ```mlir
    func.func private @product(...) attributes {byre.kernel}
    // becomes
    func.func private @product(...) attributes {byre.kernel, byre.target = "cpu"}
    ```

    Example: test/Target/assign-targets.mlir.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "the target that is asked first">
  ];
}

#endif // FERRULE_TARGET_ASSIGNTARGETS
