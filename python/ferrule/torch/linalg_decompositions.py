"""Decompositions of linear algebra into the factorizations that the compiler
takes (LU, QR, Cholesky, symmetric eigenvalues, singular values)."""

from __future__ import annotations

import torch

from .own_decompositions import decomposes

aten = torch.ops.aten


def transpose(x):
    return x.transpose(-2, -1)


def adjoint(x):
    return transpose(x).conj() if x.is_complex() else transpose(x)


def solve_triangular(a, b, *, upper, left=True, unit=False):
    return aten.linalg_solve_triangular(
        a, b, upper=upper, left=left, unitriangular=unit
    )


def solve_factored(lu, pivots, b, left, adjoint_of_a):
    """X with op(A) X = B (or X op(A) = B) where P^T A = L U."""
    p, lower, upper = aten.lu_unpack(lu, pivots)
    if not left:
        # X A = B is A^H X^H = B^H.
        return adjoint(solve_factored(lu, pivots, adjoint(b), True, not adjoint_of_a))
    if adjoint_of_a:
        y = solve_triangular(adjoint(upper), b, upper=False)
        return p @ solve_triangular(adjoint(lower), y, upper=True, unit=True)
    y = solve_triangular(lower, transpose(p) @ b, upper=False, unit=True)
    return solve_triangular(upper, y, upper=True)


def parity(pivots):
    """1 or -1 for an even or odd number of swaps."""
    places = torch.arange(1, pivots.shape[-1] + 1, device=pivots.device)
    odd = (pivots != places).sum(-1) % 2
    return 1 - 2 * odd


def diagonal(x):
    if x.shape[-1] == 0:
        return x.new_zeros((*x.shape[:-2], 0))
    return torch.diagonal(x, 0, -2, -1)


@decomposes(aten.linalg_lu.default)
def linalg_lu(A, *, pivot=True):
    lu, pivots, _ = aten.linalg_lu_factor_ex(A, pivot=pivot)
    return aten.lu_unpack(lu, pivots)


@decomposes(aten.linalg_lu_solve.default)
def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    return solve_factored(LU, pivots, B, left, adjoint)


def factors_for_gradient(A):
    """PyTorch's formulas for gradients expect those of the transpose here."""
    flipped = A.is_contiguous() and not A.is_complex()
    return aten.linalg_lu_factor_ex(transpose(A) if flipped else A)


@decomposes(aten._linalg_det.default)
def linalg_det(A):
    lu, pivots, _ = factors_for_gradient(A)
    return diagonal(lu).prod(-1) * parity(pivots).to(A.dtype), lu, pivots


@decomposes(aten._linalg_slogdet.default)
def linalg_slogdet(A):
    lu, pivots, _ = factors_for_gradient(A)
    values = diagonal(lu)
    sign = torch.sgn(values).prod(-1) * parity(pivots).to(A.dtype)
    return sign, values.abs().log().sum(-1), lu, pivots


@decomposes(aten.linalg_inv_ex.default)
def linalg_inv_ex(A, *, check_errors=False):
    lu, pivots, info = aten.linalg_lu_factor_ex(A)
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    return solve_factored(lu, pivots, eye, True, False), info


@decomposes(aten._linalg_solve_ex.default)
def linalg_solve_ex(A, B, *, left=True, check_errors=False):
    lu, pivots, info = aten.linalg_lu_factor_ex(A)
    vector = B.dim() == 1 or (
        A.dim() - 1 == B.dim() and tuple(A.shape[:-1]) == tuple(B.shape)
    )
    b = B.unsqueeze(-1) if vector else B
    result = solve_factored(lu, pivots, b, left, False)
    return result.squeeze(-1) if vector else result, lu, pivots, info


@decomposes(aten.linalg_qr.default)
def linalg_qr(A, mode="reduced"):
    rows, columns = A.shape[-2:]
    least = min(rows, columns)
    if least == 0:
        eye = torch.eye(rows, dtype=A.dtype, device=A.device)
        q = eye.expand((*A.shape[:-2], rows, rows))
        q = q.clone() if mode == "complete" else q[..., :0].clone()
        size = rows if mode == "complete" else 0
        r = A.new_zeros((*A.shape[:-2], size, columns))
        return (A.new_empty((0,)) if mode == "r" else q), r
    a, tau = aten.geqrf(A)
    if mode == "r":
        return A.new_empty((0,)), a[..., :least, :].triu()
    if mode == "complete":
        fill = a.new_zeros((*a.shape[:-1], max(rows - columns, 0)))
        reflectors = torch.cat([a[..., :rows], fill], -1)
        return aten.linalg_householder_product(reflectors, tau), a.triu()
    q = aten.linalg_householder_product(a[..., :least], tau)
    return q, a[..., :least, :].triu()


@decomposes(aten.cholesky_solve.default)
def cholesky_solve(self, input2, upper=False):
    lower = adjoint(input2) if upper else input2
    y = solve_triangular(lower, self, upper=False)
    return solve_triangular(adjoint(lower), y, upper=True)


@decomposes(aten.cholesky_inverse.default)
def cholesky_inverse(self, upper=False):
    eye = torch.eye(self.shape[-1], dtype=self.dtype, device=self.device)
    return cholesky_solve(eye.expand(self.shape), self, upper)


@decomposes(aten.triangular_solve.default)
def triangular_solve(self, A, upper=True, transpose=False, unitriangular=False):
    a = A.transpose(-2, -1) if transpose else A
    solution = solve_triangular(a, self, upper=upper != transpose, unit=unitriangular)
    batch = solution.shape[:-2]
    return solution, A.expand((*batch, *A.shape[-2:])).clone()


@decomposes(aten.linalg_pinv.atol_rtol_tensor)
def linalg_pinv(self, *, atol=None, rtol=None, hermitian=False):
    rows, columns = self.shape[-2:]
    if rows == 0 or columns == 0:
        return self.new_zeros((*self.shape[:-2], columns, rows))
    if hermitian:
        values, u = aten._linalg_eigh(self)
        size, v = values.abs(), u
    else:
        u, values, vh = aten._linalg_svd(self)
        size, v = values, adjoint(vh)
    if rtol is None:
        epsilon = torch.finfo(self.dtype).eps * max(rows, columns)
        # With an absolute bound alone, the relative one does not count.
        rtol = (
            torch.zeros_like(atol)
            if atol is not None
            else torch.full((), epsilon, dtype=size.dtype)
        )
        if atol is not None:
            rtol = torch.where(atol > 0, rtol, torch.full_like(rtol, epsilon))
    bound = size.amax(-1) * rtol
    if atol is not None:
        bound = torch.maximum(atol, bound)
    keep = size > bound.unsqueeze(-1)
    inverse = torch.where(keep, 1 / values, torch.zeros_like(values))
    return (v * inverse.unsqueeze(-2).to(v.dtype)) @ adjoint(u)
