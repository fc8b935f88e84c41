"""Factorizations of JAX, which call LAPACK on a CPU: every routine, element
type, shape and option. What a factorization leaves open (signs of eigenvectors)
is compared by what the factors give together.

The usual run takes a fixed slice; FERRULE_FULL=1 runs all.
"""

import os
import zlib

import pytest

pytest.importorskip("jax", reason="JAX makes the calls")
import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.lax import linalg
from stablehlo_parity import run

import ferrule

TYPES = ["float32", "float64", "complex64", "complex128"]
SQUARE = [(3, 5, 5), (1, 1), (2, 2, 2, 2)]
RECTANGLES = [(2, 6, 4), (5, 5), (1, 3, 1)]


def matrices(dtype, shape):
    random = np.random.default_rng(0)
    values = random.standard_normal(shape)
    if dtype.startswith("complex"):
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def adjoint(x):
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def identity(x):
    return jnp.eye(x.shape[-1], dtype=x.dtype)


def eigh(x, lower):
    v, w = linalg.eigh(x, lower=lower, symmetrize_input=False)
    return w, (v * w[..., None, :].astype(v.dtype)) @ adjoint(v), adjoint(v) @ v


def svd(x, full):
    u, s, v = jnp.linalg.svd(x, full_matrices=full)
    k = s.shape[-1]
    product = (u[..., :k] * s[..., None, :].astype(u.dtype)) @ v[..., :k, :]
    return s, product, adjoint(u) @ u, v @ adjoint(v)


FLAGS = [False, True]


def triangular_solves(x):
    return [
        linalg.triangular_solve(
            x + 4 * identity(x),
            x,
            left_side=left,
            lower=lower,
            unit_diagonal=unit,
            transpose_a=transpose,
            conjugate_a=conjugate,
        )
        for left in FLAGS
        for lower in FLAGS
        for unit in FLAGS
        for transpose in FLAGS
        for conjugate in FLAGS
    ]


def products_with_q(x):
    return [
        linalg.ormqr(x, x[..., 0], x, left=left, transpose=transpose)
        for left in FLAGS
        for transpose in FLAGS
    ]


def twice(x):
    return jnp.concatenate([x, x], axis=-1)


ROUTINES = {
    "cholesky": (lambda x: linalg.cholesky(x @ adjoint(x) + identity(x)), SQUARE),
    "cholesky-indefinite": (lambda x: linalg.cholesky(x + adjoint(x)), SQUARE),
    "lu": (linalg.lu, RECTANGLES),
    "lu-wide": (lambda x: linalg.lu(adjoint(x)), RECTANGLES),
    "lu-singular": (lambda x: linalg.lu(x * 0), SQUARE),
    "qr": (lambda x: linalg.qr(x, full_matrices=True), RECTANGLES),
    "qr-wide": (lambda x: linalg.qr(adjoint(x), full_matrices=False), RECTANGLES),
    "qr-pivoted": (
        lambda x: linalg.qr(x, full_matrices=False, pivoting=True),
        RECTANGLES,
    ),
    "ormqr": (products_with_q, SQUARE),
    "eigh-lower": (lambda x: eigh(x, True), SQUARE),
    "eigh-upper": (lambda x: eigh(x, False), SQUARE),
    "eigh-zero": (lambda x: eigh(x * 0, True), SQUARE),
    "eigvalsh": (jnp.linalg.eigvalsh, SQUARE),
    "svd": (lambda x: svd(x, False), RECTANGLES),
    "svd-full": (lambda x: svd(x, True), RECTANGLES),
    "svd-wide": (lambda x: svd(adjoint(x), True), RECTANGLES),
    "svd-low-rank": (lambda x: svd(twice(x), True), SQUARE),
    "svd-values": (lambda x: jnp.linalg.svd(x, compute_uv=False), RECTANGLES),
    "triangular-solve": (triangular_solves, SQUARE),
    "hessenberg": (linalg.hessenberg, SQUARE),
    "tridiagonal-lower": (lambda x: linalg.tridiagonal(x, lower=True), SQUARE),
    "tridiagonal-upper": (lambda x: linalg.tridiagonal(x, lower=False), SQUARE),
    "tridiagonal-solve": (
        lambda x: linalg.tridiagonal_solve(x[..., 0, :], x[..., 1, :], x[..., 2, :], x),
        [(3, 5, 5), (4, 4)],
    ),
}

ALL = [
    (name, dtype, shape)
    for name, (_, shapes) in ROUTINES.items()
    for dtype in TYPES
    for shape in shapes
]
FULL = os.environ.get("FERRULE_FULL") == "1"
CHOSEN = ALL if FULL else [c for c in ALL if zlib.crc32(repr(c).encode()) % 16 == 0]


def compare(found, expected, dtype):
    tolerance = 3e-4 if dtype in ("float32", "complex64") else 1e-10
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        e = np.asarray(e)
        assert f.dtype == e.dtype and f.shape == e.shape
        np.testing.assert_allclose(f, e, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name,dtype,shape", CHOSEN)
def test_as_lapack_computes(name, dtype, shape):
    x = matrices(dtype, shape)
    jitted = jax.jit(ROUTINES[name][0])
    found = run(jitted.lower(x).as_text(), x)
    compare(found, jax.tree_util.tree_leaves(jitted(x)), dtype)


@pytest.mark.parametrize(
    "name", ["cholesky", "lu", "qr", "eigh-lower", "svd", "triangular-solve"]
)
def test_any_batch_and_size(name):
    """Shapes with symbols, in the batch and in the matrices."""
    function = ROUTINES[name][0]
    shape = export.symbolic_shape("b, n, n" if name != "svd" else "b, 4, 3")
    argument = jax.ShapeDtypeStruct(shape, np.float64)
    program = ferrule.compile(export.export(jax.jit(function))(argument).serialize())
    for sizes in [(2, 3, 3), (1, 5, 5)] if name != "svd" else [(2, 4, 3), (5, 4, 3)]:
        x = matrices("float64", sizes)
        found = program(x)
        found = found if isinstance(found, tuple) else (found,)
        compare(found, jax.tree_util.tree_leaves(jax.jit(function)(x)), "float64")


def test_approximate_top_k_is_exact():
    x = np.random.default_rng(0).standard_normal((3, 40)).astype("float32")

    def both(x):
        return jax.lax.approx_max_k(x, 4), jax.lax.approx_min_k(
            x, 3, reduction_dimension=0
        )

    found = run(jax.jit(both).lower(x).as_text(), x)
    expected = jax.tree_util.tree_leaves(jax.jit(both)(x))
    for f, e in zip(found, expected):
        np.testing.assert_array_equal(f, e)
