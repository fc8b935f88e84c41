#ifndef FERRULE_CPU_TILEKERNELS
#define FERRULE_CPU_TILEKERNELS

include "mlir/Pass/PassBase.td"

def TileKernels : Pass<"tile-kernels", "::mlir::ModuleOp"> {
  let summary = "Split kernels into workgroups for the CPU";
  let description = [{
    Each kernel becomes `scf.forall` loops over the tiles of its last ops, with
    the ops that they read fused into them; the tiles are written into the out
    arguments in place. A kernel that cannot be split runs as one workgroup.
    Each `byre.dispatch` is given the number of workgroups as arithmetic over
    the sizes of its operands and its scalars. Tile sizes follow from sizes and
    work alone, never from the machine, so that results are the same everywhere.

    ```mlir
    %r = byre.dispatch @k ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) ...
    // becomes
    %w = arith.divui (dim %a + 8191), 8192
    %r = byre.dispatch @k workgroups(%w) ins(%a : ...) outs(%e : ...) ...
    ```

    Example: test/Target/CPU/tile-kernels.mlir.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // FERRULE_CPU_TILEKERNELS
