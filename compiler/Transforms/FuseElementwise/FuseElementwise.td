#ifndef FERRULE_TRANSFORMS_FUSEELEMENTWISE
#define FERRULE_TRANSFORMS_FUSEELEMENTWISE

include "mlir/Pass/PassBase.td"

def FuseElementwise : Pass<"fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise operations into their consumers";
  let description = [{
    Makes the loops of a program as few as elementwise fusion can: transposes,
    broadcasts, slices and chains of arithmetic are folded into the operation
    that reads them, and reshapes are moved out of the way by collapsing the
    loops of elementwise operations.

    Contractions and convolutions are never consumers: their operands are read
    many times, so a producer folded into them would be computed many times.

    A producer with several users is repeated in each of them when that is
    cheaper than storing its result.

    Example: `test/Transforms/fuse-elementwise.mlir`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif
