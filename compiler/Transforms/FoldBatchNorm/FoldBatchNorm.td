#ifndef FERRULE_TRANSFORMS_FOLDBATCHNORM
#define FERRULE_TRANSFORMS_FOLDBATCHNORM

include "mlir/Pass/PassBase.td"

def FoldBatchNorm : Pass<"fold-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold normalisation and scaling into convolution weights";
  let description = [{
    `batch_norm_inference` becomes one multiplication and one addition by
    vectors of its features. Where a convolution with constant weights is
    multiplied by a constant vector of its output features, the vector moves
    into the weights; additions of constant vectors merge into one, so that a
    convolution and its bias remain. All arithmetic on constants is written as
    StableHLO and computed later with the other constants.

    ```mlir
    %c = stablehlo.convolution(%x, %w) ...
    %y = stablehlo.multiply %c, broadcast(%s)
    // becomes
    %v = stablehlo.multiply %w, broadcast(%s)
    %y = stablehlo.convolution(%x, %v) ...
    ```

    Example: `test/Transforms/fold-batch-norm.mlir`.
  }];
  let dependentDialects = ["::ferrule::stablehlo::StableHLODialect"];
}

#endif
