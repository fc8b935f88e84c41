"""Programs on unsigned integers give the same after convert-to-signless."""

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
RANDOM = np.random.default_rng(5)
DTYPES = [np.uint8, np.uint16, np.uint32, np.uint64]


def check(function, *args):
    text = jax.jit(function, keep_unused=True).lower(*args).as_text()
    command = [BUILD / "bin/ferrule-opt", "-", "--convert-to-signless"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    assert "xui" not in done.stdout and "tensor<ui" not in done.stdout
    expected = jax.tree_util.tree_leaves(jax.jit(function)(*args))
    found = parity.run(done.stdout, *args)
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        np.testing.assert_array_equal(np.asarray(f), np.asarray(e))
        assert np.asarray(f).dtype == np.asarray(e).dtype


def numbers(dtype, count=64):
    most = np.iinfo(dtype).max
    edges = [0, 1, 2, most, most - 1, most // 2, most // 2 + 1, most // 2 + 2]
    return np.concatenate([RANDOM.integers(0, most, count, dtype, endpoint=True), edges]).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arithmetic(dtype):
    x, y = numbers(dtype), RANDOM.permutation(numbers(dtype))
    check(lambda x, y: (x + y, x - y, x * y, x & y, x | y, x ^ y, ~x, -x), x, y)
    check(lambda x, y: (lax.max(x, y), lax.min(x, y), lax.clamp(dtype(9), x, y)), x, y)
    check(lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), x, y)
    check(lambda x, y: (lax.sign(x), lax.population_count(x), lax.clz(x)), x, y)
    small = RANDOM.integers(0, 200, x.shape).astype(dtype)
    check(lambda x, y: (lax.shift_left(x, y), lax.shift_right_logical(x, y), lax.shift_right_arithmetic(x, y)), x, small)


@pytest.mark.parametrize("dtype", DTYPES)
def test_division(dtype):
    x, y = numbers(dtype), RANDOM.permutation(numbers(dtype))
    y[:20] = RANDOM.integers(1, 20, 20)
    check(lambda x, y: (lax.div(x, y), lax.rem(x, y)), x, y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_conversion(dtype):
    x = numbers(dtype)
    for to in (*DTYPES, np.int8, np.int32, np.int64, np.float16, np.float32, np.float64, bool, np.complex64):
        check(lambda x: x.astype(to), x)
    most = float(np.iinfo(dtype).max)
    for source in (np.float32, np.float64):
        low = RANDOM.uniform(0, most * 0.99, 50).astype(source)
        check(lambda x: x.astype(dtype), np.concatenate([low, source([0, 0.5, 1.5, 254.7])]))
    check(lambda x: x.astype(dtype), RANDOM.integers(-100, 100, 50).astype(np.int32))
    check(lambda x: x.astype(dtype), np.array([True, False]))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32])
def test_structures(dtype):
    x = numbers(dtype, 56).reshape(8, 8)
    check(lambda x: (x.sum(0), x.max(1), jnp.sort(x, 1), x[::2].T, jnp.where(x > 9, x, 0)), x)
    check(lambda x: lax.fori_loop(0, 3, lambda i, v: v * 3 + 1, x), x)
    check(lambda x: lax.dot(x, x, preferred_element_type=np.uint32), x)
    check(lambda x: lax.reduce_window(x, dtype(0), lax.max, (2, 2), (1, 1), "VALID"), x)


def test_random_bits():
    key = jax.random.key_data(jax.random.key(3))
    check(lambda k: jax.random.bits(jax.random.wrap_key_data(k), (7,)), key)
