#ifndef FERRULE_CPU_LOWERKERNELS
#define FERRULE_CPU_LOWERKERNELS

include "mlir/Pass/PassBase.td"

def LowerKernels : Pass<"lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn tiled kernels into loops on buffers";
  let description = [{
    Each kernel becomes a function of the first and last workgroup, a scratch
    area, its buffers and its scalars. Tensors are bufferized in place: results
    are written into the out arguments, tiles between two ops lie in the
    scratch, whose size becomes the kernel's `byre.scratch`. No allocation
    remains. What is not vectorized becomes loops on scalars, the contiguous
    dimension innermost.

    ```mlir
    func.func private @k(%a: tensor<64xf32>, %o: tensor<64xf32>)
        -> tensor<64xf32> attributes {byre.kernel}
    // becomes
    func.func private @k(%first: index, %last: index, %scratch: memref<?xi8>,
        %a: memref<64xf32>, %o: memref<64xf32>)
        attributes {byre.kernel, byre.scratch = 0}
    ```

    With several CPUs there is one function a variant, told apart by
    `byre.variant`.

    Example: test/Target/CPU/lower-kernels.mlir.
  }];
  let options = [
    ListOption<"cpus", "cpus", "std::string",
               "CPUs to lower for; x86-64-v3 when empty">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // FERRULE_CPU_LOWERKERNELS
