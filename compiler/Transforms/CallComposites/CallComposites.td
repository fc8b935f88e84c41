#ifndef FERRULE_TRANSFORMS_CALLCOMPOSITES
#define FERRULE_TRANSFORMS_CALLCOMPOSITES

include "mlir/Pass/PassBase.td"

def CallComposites : Pass<"call-composites", "::mlir::ModuleOp"> {
  let summary = "Replaces composites by calls of their decompositions";
  let description = [{
    Also known as `stablehlo-legalize-composite-to-call`. Composites whose
    names are in `except` stay, for backends that have an operation for them.

    ```mlir
    %0 = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %0 = func.call @impl(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    Example: `test/Transforms/call-composites.mlir`.
  }];
  let options = [ListOption<"except", "except", "std::string",
                            "Names of composites that stay">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // FERRULE_TRANSFORMS_CALLCOMPOSITES
