#ifndef FERRULE_TRANSFORMS_BLOCKCONVOLUTIONS
#define FERRULE_TRANSFORMS_BLOCKCONVOLUTIONS

include "mlir/Pass/PassBase.td"

def BlockConvolutions : Pass<"block-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Give convolutions and what follows them channel-blocked layout";
  let description = [{
    Convolutions compute fastest when 16 channels lie next to each other:
    activations as nChw16c, weights as OIhw16i16o. Each convolution becomes a
    generic on these layouts between `linalg.pack` and `linalg.unpack`;
    pointwise operations, padding, pooling and reductions that read a blocked
    value are blocked too, so that from one convolution to the next nothing is
    unpacked. Packs of weights depend on constants only and are evaluated at
    compile time.

    An input of fewer than 16 channels (an image) is read as it is. When the
    number of channels is no multiple of 16, the last block is padded with
    zeros; an operation that could turn these into infinities or NaN (a
    division, a logarithm) ends the blocked region.

    Example: `test/Transforms/block-convolutions.mlir`.
  }];
  let options = [
    Option<"block", "block", "int64_t", "16", "Channels in a block">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif
