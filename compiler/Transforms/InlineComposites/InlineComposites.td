#ifndef FERRULE_TRANSFORMS_INLINECOMPOSITES
#define FERRULE_TRANSFORMS_INLINECOMPOSITES

include "mlir/Pass/PassBase.td"

def InlineComposites : Pass<"inline-composites", "::mlir::ModuleOp"> {
  let summary = "Replaces composites by CHLO ops or their decompositions";
  let description = [{
    A composite that carries a CHLO op's name (`chlo.erf`, as JAX exports)
    becomes that op. Every other one becomes a call of its decomposition, and
    calls of private functions that came from composites are inlined;
    decompositions without users are erased.

    ```mlir
    %0 = stablehlo.composite "chlo.erf" %x {decomposition = @erf.impl} : ...
    ```
    becomes
    ```mlir
    %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
    ```
    Tests: test/Transforms/inline-composites.mlir.
  }];
  let dependentDialects = ["::ferrule::chlo::CHLODialect",
                           "::mlir::func::FuncDialect"];
}

#endif // FERRULE_TRANSFORMS_INLINECOMPOSITES
