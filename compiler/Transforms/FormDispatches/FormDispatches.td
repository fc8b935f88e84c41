#ifndef FERRULE_TRANSFORMS_FORMDISPATCHES
#define FERRULE_TRANSFORMS_FORMDISPATCHES

include "mlir/Pass/PassBase.td"

def FormDispatches : Pass<"form-dispatches", "::mlir::ModuleOp"> {
  let summary = "Group operations into kernels and outline them";
  let description = [{
    Every operation of an entry function that computes belongs to exactly one
    kernel afterwards; what remains is `byre.dispatch`, views, scalar
    arithmetic and structured control flow.

    Groups, greedily in program order:
    * a contraction or convolution with the elementwise operations that follow
      it point by point (bias, activation, residual): the epilogue;
    * reductions and elementwise operations that share their leading parallel
      dimensions (rows): softmax, layer normalisation and RMS normalisation
      become one pass over each row;
    * everything else alone.

    Splat and small constants are copied into kernels, larger ones are
    arguments. Equal kernels are merged.

    Example: `test/Transforms/form-dispatches.mlir`.
  }];
  let dependentDialects = ["::ferrule::byre::ByreDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif
