"""Programs on complex numbers give the same on pairs of real ones."""

import os
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import stablehlo_parity as parity
from jax import lax

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
RANDOM = np.random.default_rng(9)


def split(values):
    for v in values:
        v = np.asarray(v)
        yield from (v.real, v.imag) if v.dtype.kind == "c" else (v,)


def check(function, *args, rtol=2e-5, atol=1e-5):
    text = jax.jit(function, keep_unused=True).lower(*args).as_text()
    command = [BUILD / "bin/ferrule-opt", "-", "--expand-complex"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    assert "complex" not in done.stdout
    wide = [a.astype(np.complex128) if a.dtype == np.complex64 else a for a in args]
    expected = jax.tree_util.tree_leaves(jax.jit(function)(*wide))
    found = parity.run(done.stdout, *(np.ascontiguousarray(a) for a in split(args)))
    for f, e in zip(found, split(expected), strict=True):
        if np.asarray(f).dtype.kind == "b":
            np.testing.assert_array_equal(np.asarray(f), e)
        else:
            np.testing.assert_allclose(np.asarray(f), e, rtol=rtol, atol=atol)


def numbers(*shape, scale=2.0, dtype=np.complex64):
    parts = RANDOM.normal(0, scale, (2, *shape))
    return (parts[0] + 1j * parts[1]).astype(dtype)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("function", [
    jnp.exp, jnp.expm1, jnp.log, jnp.log1p, jnp.sqrt, lax.rsqrt, jnp.sin, jnp.cos,
    jnp.tan, jnp.tanh, lax.logistic, jnp.negative, jnp.abs, lax.sign, jnp.conj,
])  # fmt: skip
def test_functions(function, dtype):
    tolerance = 2e-5 if dtype == np.complex64 else 1e-12
    check(function, numbers(50, dtype=dtype), rtol=tolerance, atol=tolerance)


def test_arithmetic():
    x, y = numbers(50), numbers(50)
    check(lambda x, y: (x + y, x - y, x * y, x / y, x**y), x, y, rtol=1e-4, atol=1e-4)
    check(lambda x, y: (x == y, x != x[::-1], jnp.where(x.real < 0, x, y)), x, y)


def test_extreme_numbers():
    x = np.array([1e30 + 1e30j, 1e-30 - 1e-30j, 3e38 + 1j, 0j, 5, -4, 2j, -3j], np.complex64)
    check(lambda x: (jnp.abs(x), x / x[0], jnp.sqrt(x)), x, atol=1e-37)


def test_movement():
    x, y = numbers(4, 6), numbers(4, 6)
    check(lambda x, y: (x.T, x.reshape(3, 8), x[1:3, ::2], jnp.concatenate([x, y], 1), x[::-1]), x, y)
    check(lambda x, y: (jnp.pad(x, 2), x[np.array([3, 0])], jnp.broadcast_to(x, (2, 4, 6)), x.real, y.imag), x, y)
    check(lambda x, y: (x.at[1].set(y[0]), x.astype(np.complex128), x.real.astype(np.complex64)), x, y)


def test_structures():
    x, y = numbers(4, 6), numbers(6, 5)
    check(lambda x, y: (x @ y, x.sum(1), x.prod(0)), x, y, rtol=1e-4, atol=1e-4)
    check(lambda x, y: lax.fori_loop(0, 3, lambda i, v: v * 0.5 + (1 + 2j), x), x, y)
    check(lambda x, y: lax.cond(x[0, 0].real > 0, lambda v: v * 2, lambda v: v - 1, x), x, y)


def test_convolution():
    x, k = numbers(1, 3, 8), numbers(2, 3, 3)
    check(lambda x, k: lax.conv(x, k, (1,), "SAME"), x, k, rtol=1e-4, atol=1e-4)
