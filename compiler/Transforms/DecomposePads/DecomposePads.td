#ifndef FERRULE_TRANSFORMS_DECOMPOSEPADS
#define FERRULE_TRANSFORMS_DECOMPOSEPADS

include "mlir/Pass/PassBase.td"

def DecomposePads : Pass<"decompose-pads", "::mlir::func::FuncOp"> {
  let summary = "Write padding and contents of a padded tensor separately";
  let description = [{
    `tensor.pad` by one value becomes: fill the slabs that the padding takes, a
    low and a high one for each padded dimension, then insert the source. The
    source's producer then writes straight into the padded tensor (dispatch
    formation makes the insertion part of its kernel), so that padding costs
    only its own bytes. A concatenation becomes insertions of its parts.

    ```mlir
    %p = tensor.pad %x low[1] high[0] { yield %zero } : tensor<4xf32> to tensor<5xf32>
    // becomes
    %e = tensor.empty() : tensor<5xf32>
    %s = fill(%zero) : tensor<1xf32>
    %h = tensor.insert_slice %s into %e[0] [1] [1]
    %p = tensor.insert_slice %x into %h[1] [4] [1]
    ```

    Example: `test/Transforms/decompose-pads.mlir`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect"];
}

#endif
