"""Programs through TOSA and MLIR's own lowering of it give what they give
without."""

import os
import shutil
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
MLIR_OPT = shutil.which("mlir-opt-22") or "/usr/lib/llvm-22/bin/mlir-opt"
TO_LINALG = (
    "builtin.module(func.func(tosa-optional-decompositions,tosa-make-broadcastable,"
    "tosa-to-linalg-named,canonicalize,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))"
)
VALIDATE = "builtin.module(tosa-attach-target{level=none profiles=pro_int,pro_fp extensions=int16,bf16,int64 specification_version=1.1.draft},tosa-validate{strict-op-spec-alignment})"
RANDOM = np.random.default_rng(3)


def through(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def to_tosa(text):
    passes = ["--convert-chlo-to-stablehlo", "--inline", "--convert-stablehlo-to-tosa=full"]
    return through([BUILD / "bin/ferrule-opt", "-", *passes], text)


def check(function, *args, rtol=1e-5, atol=1e-6):
    args = [np.asarray(a) for a in args]
    text = jax.jit(function, keep_unused=True).lower(*args).as_text()
    tosa = to_tosa(text)
    through([MLIR_OPT, "-", f"--pass-pipeline={VALIDATE}"], tosa)
    linalg = through([MLIR_OPT, "-", f"--pass-pipeline={TO_LINALG}"], tosa)
    found = parity.run(linalg, *args)
    expected = jax.tree_util.tree_leaves(jax.jit(function)(*args))
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        parity.assert_close(f, e, rtol, atol)


def floats(*shape, low=-3.0, high=3.0):
    return RANDOM.uniform(low, high, shape).astype(np.float32)


def integers(*shape, dtype=np.int32, low=-50, high=50):
    return RANDOM.integers(low, high, shape).astype(dtype)


UNARY = {
    "abs": jnp.abs, "ceil": jnp.ceil, "floor": jnp.floor, "exp": jnp.exp,
    "tanh": jnp.tanh, "logistic": jax.nn.sigmoid, "sin": jnp.sin, "cos": jnp.cos,
    "neg": jnp.negative, "sign": jnp.sign, "is_finite": jnp.isfinite,
    "to_int": lambda x: x.astype(np.int32), "to_bool": lambda x: x.astype(bool),
    "to_half": lambda x: x.astype(np.float16), "clip": lambda x: jnp.clip(x, np.float32(-1), np.float32(0.5)),
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    check(UNARY[name], floats(3, 5))


@pytest.mark.parametrize("function", [jnp.log, jnp.sqrt, lax.rsqrt])
def test_of_positive(function):
    check(function, floats(3, 5, low=0.1))


BINARY = {
    "add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply, "max": jnp.maximum,
    "min": jnp.minimum, "lt": jnp.less, "le": jnp.less_equal, "gt": jnp.greater,
    "ge": jnp.greater_equal, "eq": jnp.equal, "ne": jnp.not_equal,
}  # fmt: skip
DTYPES = [np.float32, np.float16, np.int32, np.int16, np.int8]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    x, y = (integers(4, 6, dtype=dtype, low=-9, high=9) for _ in range(2))
    check(BINARY[name], x, y)


def test_other_binary():
    x, y = floats(4, 6), floats(4, 6, low=0.5)
    check(lambda x, y: (x / y, y**x, jnp.where(x < y, x, y)), x, y)
    a, b = integers(4, 6), integers(4, 6, low=-3, high=40)
    check(lambda a, b: (lax.div(a, jnp.abs(b) + 1), a & b, a | b, a ^ b, ~a), a, b)
    check(lambda a, b: (lax.shift_left(a, b), lax.shift_right_arithmetic(a, b)), a, b)
    check(lambda a, b: lax.shift_right_logical(a, b), a, b)
    p, q = (integers(9, low=0, high=2).astype(bool) for _ in range(2))
    check(lambda p, q: (p & q, p | q, p ^ q, ~p, p == q, p < q, p.astype(np.float32)), p, q)
    check(lambda x: jax.scipy.special.erf(x), x)


MOVEMENT = {
    "reshape": lambda x: x.reshape(8, 3, 5),
    "transpose": lambda x: x.transpose(2, 0, 1),
    "broadcast": lambda x: lax.broadcast_in_dim(x, (2, 4, 6, 5), (1, 2, 3)),
    "slice": lambda x: x[1:3, 2:, 1:4],
    "strides": lambda x: x[::2, 1::3, ::-1],
    "pad": lambda x: jnp.pad(x, [(1, 2), (0, 1), (3, 0)], constant_values=np.float32(2.5)),
    "interior": lambda x: lax.pad(x, np.float32(1), [(1, -1, 2), (-2, 1, 0), (0, 0, 1)]),
    "concatenate": lambda x: jnp.concatenate([x, x[:, :2], x * 2], 1),
    "reverse": lambda x: x[::-1, :, ::-1],
    "iota": lambda x: x + lax.broadcasted_iota(np.float32, (4, 6, 5), 1),
    "slice_at": lambda x: lax.dynamic_slice(x, (2, 5, 0), (2, 2, 5)),
    "take": lambda x: jnp.take(x, np.array([[3, 0], [1, 5]]), axis=1),
    "take_first": lambda x: x[np.array([0, 3, 3])],
    "take_two": lambda x: x[np.array([0, 3, 3]), :, np.array([4, 0, 1])],
}  # fmt: skip


@pytest.mark.parametrize("name", MOVEMENT)
def test_movement(name):
    check(MOVEMENT[name], floats(4, 6, 5))


REDUCTIONS = {
    "sum": lambda x: x.sum(1), "all": lambda x: x.sum(), "max": lambda x: x.max((0, 2)),
    "min": lambda x: x.min(-1), "prod": lambda x: x.prod(0),
    "init": lambda x: lax.reduce(x, np.float32(2), lax.add, (0, 1)),
    "any": lambda x: (x > 2.9).any(1), "every": lambda x: (x > -2.9).all((0, 2)),
    "softmax": jax.nn.softmax, "integers": lambda x: x.astype(np.int8).max(1),
    "pool": lambda x: lax.reduce_window(x[None], -np.inf, lax.max, (1, 3, 2, 1), (1, 2, 2, 1), [(0, 0), (1, 1), (0, 1), (0, 0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    check(REDUCTIONS[name], floats(7, 6, 5), rtol=1e-4)


@pytest.mark.parametrize("text, left, right", [
    ("ij,jk->ik", (4, 7), (7, 3)), ("bij,bkj->bik", (2, 4, 7), (2, 3, 7)),
    ("ibj,jkb->bki", (4, 2, 7), (7, 3, 2)), ("i,i->", (9,), (9,)),
    ("ijk,jkl->il", (3, 4, 5), (4, 5, 2)),
])  # fmt: skip
def test_products(text, left, right):
    check(lambda x, y: jnp.einsum(text, x, y), floats(*left), floats(*right), rtol=1e-4, atol=1e-5)


def test_integer_product():
    check(lambda x, y: lax.dot(x, y, preferred_element_type=np.int32),
          integers(4, 9, dtype=np.int8), integers(9, 5, dtype=np.int8))  # fmt: skip


CONVOLUTIONS = {
    "plain": ((2, 8, 9, 3), (3, 3, 3, 4), dict(window_strides=(1, 1), padding="SAME")),
    "strided": ((1, 8, 9, 3), (3, 2, 3, 4), dict(window_strides=(2, 3), padding=[(1, 2), (0, 1)])),
    "dilated": ((1, 8, 9, 3), (3, 2, 3, 4), dict(window_strides=(1, 1), padding="VALID", rhs_dilation=(2, 3))),
    "depthwise": ((1, 8, 8, 3), (3, 3, 1, 6), dict(window_strides=(2, 2), padding="SAME", feature_group_count=3)),
    "grouped": ((1, 8, 8, 4), (3, 3, 2, 6), dict(window_strides=(1, 1), padding="VALID", feature_group_count=2)),
    "line": ((2, 9, 3), (3, 3, 5), dict(window_strides=(2,), padding=[(1, 1)])),
    "volume": ((1, 5, 6, 7, 2), (2, 3, 2, 2, 3), dict(window_strides=(1, 2, 1), padding="VALID")),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name):
    left, right, options = CONVOLUTIONS[name]
    spatial = "DHW"[5 - len(left) :]
    layout = (f"N{spatial}C", f"{spatial}IO", f"N{spatial}C")
    check(lambda x, y: lax.conv_general_dilated(x, y, dimension_numbers=layout, **options),
          floats(*left), floats(*right), rtol=1e-4, atol=1e-4)  # fmt: skip


def test_convolution_with_channels_first():
    check(lambda x, y: lax.conv(x, y, (1, 2), "SAME"), floats(1, 3, 8, 9), floats(4, 3, 3, 3), rtol=1e-4, atol=1e-4)


def test_what_stays_is_named():
    text = jax.jit(jnp.cbrt).lower(floats(3)).as_text()
    command = [BUILD / "bin/ferrule-opt", "-", "--convert-stablehlo-to-tosa=full"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 1
    assert "'stablehlo.cbrt' op has no form in TOSA for its types" in done.stderr
