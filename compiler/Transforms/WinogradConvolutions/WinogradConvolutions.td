#ifndef FERRULE_TRANSFORMS_WINOGRADCONVOLUTIONS
#define FERRULE_TRANSFORMS_WINOGRADCONVOLUTIONS

include "mlir/Pass/PassBase.td"

def WinogradConvolutions
    : Pass<"winograd-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Compute 3x3 convolutions with fewer products";
  let description = [{
    Winograd's F(2x2, 3x3) computes four results of a 3x3 convolution with steps
    of one from 16 products instead of 36, after a transform of the image and
    before one of the result that only add; the weights are transformed at
    compile time. A blocked convolution with constant weights and an even
    height and width becomes `ferrule.winograd_input` and
    `ferrule.winograd_output` where that costs less by a model of products,
    additions and bytes of weights. The transformed weights are 16/9 as large:
    where the file would grow by more than `growth` percent, the convolutions
    that gain least for their bytes stay as they are.

    The error of a result is at most some millionths of the largest one, no more
    than that of a direct sum over thousands of products.

    Example: `test/Transforms/winograd-convolutions.mlir`.
  }];
  let options = [
    Option<"growth", "growth", "int64_t", "20",
           "Most that the weights may grow, in percent">,
  ];
  let dependentDialects = ["::ferrule::ext::FerruleDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
