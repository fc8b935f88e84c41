#ifndef FERRULE_TRANSFORMS_SIMPLIFYSTABLEHLO
#define FERRULE_TRANSFORMS_SIMPLIFYSTABLEHLO

include "mlir/Pass/PassBase.td"

def SimplifyStableHLO : Pass<"simplify-stablehlo"> {
  let summary = "Fold shape arithmetic and remove what computes nothing";
  let description = [{
    Rewrites that make a StableHLO program smaller without looking at its
    values beyond small integers:

    * operations that change nothing go: reshapes, transposes, conversions,
      broadcasts, slices, pads to the same; adding zero, multiplying by one;
    * integer constants of at most 64 elements are computed; sizes of static
      dimensions become constants; splats stay splats under shape changes;
    * operations whose shape is an operand become their static forms when the
      shape is constant, and take the sizes that are constant otherwise;
    * a size asked of a result is asked of the operand that it comes from, so
      that shapes do not wait for data;
    * known sizes flow from operands to results, with `tensor.cast` where an
      operation of another dialect expects the type that it had;
    * `if` and `case` on constants, and loops that never run, are resolved.

    ```mlir
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x?xf32>) -> tensor<i32>
    // becomes
    %n = stablehlo.constant dense<2> : tensor<i32>
    ```

    Example: `test/Transforms/simplify-stablehlo.mlir`.
  }];
  let dependentDialects = ["::ferrule::stablehlo::StableHLODialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
