#ifndef FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS
#define FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS

include "mlir/Pass/PassBase.td"

def ExpandLibraryCalls
    : Pass<"expand-library-calls", "::mlir::ModuleOp"> {
  let summary = "Replaces calls of libraries that other compilers link by loops";
  let description = [{
    JAX on a CPU calls LAPACK for factorizations of matrices, and other
    compilers' routines for a few things more. These calls become StableHLO.
    Dimensions before the last two of a matrix are a batch, of any size.
    `<t>` is `s`, `d`, `c` or `z`. Other routines of LAPACK are errors.

    | call | what it computes |
    |---|---|
    | `lapack_<t>potrf_ffi` | Cholesky's factor, number of the first bad minor |
    | `lapack_<t>trsm_ffi` | solution with a triangular matrix |
    | `lapack_<t>getrf_ffi` | LU with row pivoting, pivots from 1 |
    | `lapack_<t>gtsv_ffi` | solution with a tridiagonal matrix |
    | `lapack_<t>geqrf_ffi`, `geqp3_ffi` | QR, without and with column pivoting |
    | `lapack_<t>orgqr_ffi`, `ungqr`, `ormqr`, `unmqr` | Q, products with Q |
    | `lapack_<t>gehrd_ffi`, `sytrd`, `hetrd` | Hessenberg and tridiagonal forms |
    | `lapack_<t>syevd_ffi`, `heevd` | eigenvalues of Hermitian matrices |
    | `lapack_<t>gesdd_ffi`, `gesvd` | singular values |
    | `ApproxTopK` | the exact greatest elements |
    | `AllocateBuffer` | zeros |

    ```mlir
    %x = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {
        mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8,
                               trans_x = 78 : ui8, uplo = 76 : ui8}, ...}
        : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    // becomes
    %x = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    ```

    Example: `test/Transforms/expand-library-calls.mlir`.
  }];
  let dependentDialects = ["::ferrule::stablehlo::StableHLODialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS
