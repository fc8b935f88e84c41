#ifndef FERRULE_TRANSFORMS_MODERNIZESTABLEHLO
#define FERRULE_TRANSFORMS_MODERNIZESTABLEHLO

include "mlir/Pass/PassBase.td"

def ModernizeStableHLO : Pass<"modernize-stablehlo"> {
  let summary = "Replaces deprecated operations by those of today";
  let description = [{
    Also known as `stablehlo-legalize-deprecated-ops`.

    | operation | becomes |
    |---|---|
    | `broadcast` | `broadcast_in_dim` |
    | `create_token` | `after_all` without operands |
    | `dot` | `dot_general` |
    | `einsum` without repeated indices | `dot_general`, `transpose` |
    | `cross-replica-sum` | `all_reduce` with an addition |
    | `torch_index_select` | `gather` |

    ```mlir
    %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    // becomes
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```

    Example: `test/Transforms/modernize-stablehlo.mlir`.
  }];
  let dependentDialects = ["::ferrule::stablehlo::StableHLODialect"];
}

#endif // FERRULE_TRANSFORMS_MODERNIZESTABLEHLO
