#ifndef FERRULE_REFERENCE_LOWERREFERENCEKERNELS
#define FERRULE_REFERENCE_LOWERREFERENCEKERNELS

include "mlir/Pass/PassBase.td"

def LowerReferenceKernels :
    Pass<"lower-reference-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into loops on scalars for the reference target";
  let description = [{
    Each kernel of the reference target becomes plain loops that load, compute
    and store one element at a time, in the order that the program says: no
    tiles, no vectors, nothing fused that was not. It runs as one workgroup and
    may allocate.

    ```mlir
    func.func private @k(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32>
        attributes {byre.kernel, byre.target = "reference"}
    // becomes
    func.func private @k(%a: memref<4xf32>, %o: memref<4xf32>)
        attributes {byre.kernel, byre.target = "reference"}
    ```

    Example: test/Target/Reference/lower-reference-kernels.mlir.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // FERRULE_REFERENCE_LOWERREFERENCEKERNELS
