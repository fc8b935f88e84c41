#ifndef FERRULE_CONVERSION_CHLOTOSTABLEHLO
#define FERRULE_CONVERSION_CHLOTOSTABLEHLO

include "mlir/Pass/PassBase.td"

def ConvertCHLOToStableHLO : Pass<"convert-chlo-to-stablehlo"> {
  let summary = "Expands CHLO to StableHLO and named elementwise calls";
  let description = [{
    Broadcasting ops get explicit broadcasts; functions that StableHLO has no
    op for become `stablehlo.custom_call @ferrule.<name>` (the table is in
    compiler/Conversion/CHLOToStableHLO/README.md) or a few StableHLO ops.
    Calls of older producers (`@mhlo.erf`, `@chlo.top_k`) are read as well.

    ```mlir
    %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = stablehlo.custom_call @ferrule.erf(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ```
    Tests: test/Conversion/CHLOToStableHLO.
  }];
  let dependentDialects = ["::ferrule::chlo::CHLODialect",
                           "::ferrule::stablehlo::StableHLODialect"];
}

#endif // FERRULE_CONVERSION_CHLOTOSTABLEHLO
