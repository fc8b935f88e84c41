#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG
#define FERRULE_CONVERSION_STABLEHLOTOLINALG

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToLinalg
    : Pass<"convert-stablehlo-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lowers StableHLO to linalg, tensor, arith, math and scf";
  let description = [{
    Every op of the `stablehlo` dialect becomes ops of the `linalg` stage (see
    docs/design/stage-contracts.md). Integers become signless: unsignedness
    goes into the ops. Ops on integer tensors of at most 8 elements become
    scalar arithmetic, so that shape computations fold to index arithmetic.

    ```mlir
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.generic {...} ins(%a, %b) outs(%e) { arith.addf ... }
    ```
    Tests: test/Conversion/StableHLOToLinalg.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::ferrule::ext::FerruleDialect",
    "::mlir::cf::ControlFlowDialect", "::ferrule::byre::ByreDialect"];
}

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG
