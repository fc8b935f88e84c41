#ifndef FERRULE_TRANSFORMS_PACKCONTRACTIONS
#define FERRULE_TRANSFORMS_PACKCONTRACTIONS

include "mlir/Pass/PassBase.td"

def PackContractions : Pass<"pack-contractions", "::mlir::func::FuncOp"> {
  let summary = "Store constant weights of contractions in panels";
  let description = [{
    A contraction whose right side is constant reads it fastest in panels:
    `[N / 32][K][32]`, each panel contiguous and in the order in which it
    is used. The weight gets a `linalg.pack`, which depends on constants only
    and is evaluated at compile time; the contraction becomes a generic whose
    column loop is split into panels and lanes. Its result is seen as
    `[M][N / 32][32]`, and so are the pointwise operations that follow, so that
    they stay in the contraction's kernel.

    When N is no multiple of 32, panels of 16 or 8 are tried. Columns that fill
    none of these are padded to whole panels with zeros, and the result is cut
    to its size; where the contraction adds to a tensor it is left as it is.

    ```mlir
    %c = linalg.matmul ins(%a, %weight : tensor<?x768xf32>, tensor<768x64xf32>)
        outs(%zero : tensor<?x64xf32>) -> tensor<?x64xf32>
    // becomes
    %p = linalg.pack %weight outer_dims_perm = [1, 0] inner_dims_pos = [1]
        inner_tiles = [32] into %e : tensor<768x64xf32> -> tensor<2x768x32xf32>
    %c = linalg.generic {...} ins(%a, %p : ...)
        outs(%zero3 : tensor<?x2x32xf32>) {multiply, add}
    %r = tensor.collapse_shape %c [[0], [1, 2]] : ...
    ```

    Example: `test/Transforms/pack-contractions.mlir`.
  }];
  let options = [
    Option<"panel", "panel", "int64_t", "32", "Columns of a panel">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect"];
}

#endif
