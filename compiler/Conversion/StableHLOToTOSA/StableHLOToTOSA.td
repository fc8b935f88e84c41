#ifndef FERRULE_CONVERSION_STABLEHLOTOTOSA
#define FERRULE_CONVERSION_STABLEHLOTOTOSA

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToTOSA
    : Pass<"convert-stablehlo-to-tosa", "::mlir::ModuleOp"> {
  let summary = "Lowers StableHLO to TOSA where TOSA has the operation";
  let description = [{
    For accelerators that take TOSA. Also known as `stablehlo-legalize-to-tosa`.
    What TOSA cannot say stays as it is; with `full` it is an error. What is
    converted, and how, stands in compiler/Conversion/StableHLOToTOSA/README.md.

    ```mlir
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    // becomes, between reshapes
    %0 = tosa.matmul %a3, %b3, %zero, %zero : (tensor<1x4x8xf32>, tensor<1x8x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x2xf32>
    ```

    Tests: test/Conversion/StableHLOToTOSA.
  }];
  let options = [Option<"full", "full", "bool", "false",
                        "Fail where an operation stays">];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

#endif // FERRULE_CONVERSION_STABLEHLOTOTOSA
