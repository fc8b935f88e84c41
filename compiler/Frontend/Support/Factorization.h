// Factorizations of stacks of matrices [B, m, n], as loops over columns. Sizes
// may be unknown. Elements are f32, f64 or complex.
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

/// Cholesky's factor, with zeros in the other triangle.
struct CholeskyFactor {
  mlir::Value matrix;
  /// [B] i32: 1 + the number of the first minor that is not positive definite,
  /// else 0.
  mlir::Value info;
};
CholeskyFactor factorCholesky(HloBuilder &b, mlir::Value x, bool upper);

/// A x = rhs [B, n, p] with a tridiagonal A, rows swapped for stability:
/// lower[i] = A[i, i - 1], diagonal[i] = A[i, i], upper[i] = A[i, i + 1], each
/// [B, n]. Info as of LU.
struct TridiagonalSolution {
  mlir::Value x, info;
};
TridiagonalSolution solveTridiagonal(HloBuilder &b, mlir::Value lower,
                                     mlir::Value diagonal, mlir::Value upper,
                                     mlir::Value rhs);

/// Householder's QR as LAPACK's geqrf: R on and above the diagonal, the
/// reflectors' vectors below it (their first element is 1), their factors
/// [B, min(m, n)].
struct Reflectors {
  mlir::Value matrix, factors;
};
Reflectors factorQR(HloBuilder &b, mlir::Value x);
/// The same with column pivoting, as LAPACK's geqp3: before each reflection
/// the longest remaining column comes first. [B, n] i32: which column of x
/// stands at each place, from 1.
std::pair<Reflectors, mlir::Value> factorPivotedQR(HloBuilder &b,
                                                   mlir::Value x);
/// Q^H A Q is zero below the first subdiagonal, as LAPACK's gehrd; the vectors
/// stand below it, their factors are [B, n - 1].
Reflectors factorHessenberg(HloBuilder &b, mlir::Value x);
/// Q times `target` [B, m, p], or the adjoint of Q times it.
mlir::Value applyReflectors(HloBuilder &b, const Reflectors &reflectors,
                            mlir::Value target, bool adjoint);

/// Jacobi's method on a Hermitian matrix: eigenvalues (real) in ascending order
/// and the eigenvectors as columns.
struct Eigen {
  mlir::Value values, vectors;
};
Eigen eigenSymmetric(HloBuilder &b, mlir::Value x);

/// One-sided Jacobi: A = U diag(s) V^H with s [B, k] real and descending, U
/// [B, m, k] and V [B, n, k], or with `full` U [B, m, m] and V [B, n, n].
struct SingularValues {
  mlir::Value u, s, v;
};
SingularValues singularValues(HloBuilder &b, mlir::Value x, bool full);

/// x with the values in every dimension before the last two as one.
mlir::Value asStack(HloBuilder &b, mlir::Value x);
/// x [B, m, n] transposed and conjugated.
mlir::Value adjoint(HloBuilder &b, mlir::Value x);
/// The Hermitian matrices of which one triangle is given.
mlir::Value hermitian(HloBuilder &b, mlir::Value x, bool upper);
/// [B, m, n] i1: where row and column have the same number.
mlir::Value isDiagonal(HloBuilder &b, llvm::ArrayRef<Size> sizes);
/// [B, m, n] with ones there.
mlir::Value identityMatrices(HloBuilder &b, llvm::ArrayRef<Size> sizes,
                             mlir::Type element);
/// [B, min(m, n)]: the diagonals.
mlir::Value diagonalOf(HloBuilder &b, mlir::Value x);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_FACTORIZATION_H
