// Factorizations of stacks of matrices [B, m, n], as loops over columns. Sizes
// may be unknown. Elements are f32 or f64, for LU and QR also complex.
#ifndef FERRULE_FRONTEND_SUPPORT_FACTORIZATION_H
#define FERRULE_FRONTEND_SUPPORT_FACTORIZATION_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// L U = P^T A with row pivoting, as LAPACK's getrf: L below the diagonal, U
/// on and above it.
struct LUFactors {
  mlir::Value matrix;
  /// [B, min(m, n)] i32: row i was swapped with row pivots[i] - 1.
  mlir::Value pivots;
  /// [B] i32: 1 + the number of the first pivot that is zero, else 0.
  mlir::Value info;
};
LUFactors factorLU(HloBuilder &b, mlir::Value x);
/// [B, m] i64: which row of A stands at row i after all swaps.
mlir::Value permutationOf(HloBuilder &b, mlir::Value pivots, Size rows);

/// Householder's QR as LAPACK's geqrf: R on and above the diagonal, the
/// reflectors' vectors below it (their first element is 1), their factors
/// [B, min(m, n)].
struct Reflectors {
  mlir::Value matrix, factors;
};
Reflectors factorQR(HloBuilder &b, mlir::Value x);
/// Q times `target` [B, m, p], or the adjoint of Q times it.
mlir::Value applyReflectors(HloBuilder &b, const Reflectors &reflectors,
                            mlir::Value target, bool adjoint);

/// Jacobi's method on a real symmetric matrix: eigenvalues in ascending order
/// and the eigenvectors as columns.
struct Eigen {
  mlir::Value values, vectors;
};
Eigen eigenSymmetric(HloBuilder &b, mlir::Value x);

/// One-sided Jacobi: A = U diag(s) V^T with s [B, k] descending, U [B, m, k]
/// and V [B, n, k], or with `full` U [B, m, m] and V [B, n, n].
struct SingularValues {
  mlir::Value u, s, v;
};
/// Unknown sizes must not be wider than high.
SingularValues singularValues(HloBuilder &b, mlir::Value x, bool full);

/// x with the values in every dimension before the last two as one.
mlir::Value asStack(HloBuilder &b, mlir::Value x);
/// The conjugate, for real elements the value itself.
mlir::Value conjugate(HloBuilder &b, mlir::Value x);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_FACTORIZATION_H
