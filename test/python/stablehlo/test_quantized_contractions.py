"""Products and convolutions of quantized tensors: exact sums, one rounding."""

import itertools

import jax
import numpy as np
import pytest
import stablehlo_parity as parity
from quantized import Quantized, program, tensor

RANDOM = np.random.default_rng(11)


def expected(result, sums, lhs, rhs, axis):
    """The sums as storage of the result; rhs scales run along `axis`."""
    scales = rhs.scales.astype(rhs.float).astype(np.float64)
    if rhs.axis is not None:
        scales = scales.reshape([-1 if d == axis else 1 for d in range(sums.ndim)])
    scale = float(lhs.scales[0].astype(lhs.float)) * scales
    return result.quantize(sums.astype(np.float64) * scale, exact=True)


def same(found, wanted):
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_array_equal(found.astype(np.int64), wanted.astype(np.int64))


PAIRS = {
    "i8": (Quantized("i8", "f32", 0.02, 5), Quantized("i8", "f32", 0.013, limits=(-127, 127)),
           Quantized("i8", "f32", 0.9, -3)),
    "u8": (Quantized("u8", "f32", 0.02, 128), Quantized("u8", "f32", 0.013),
           Quantized("u8", "f32", 1.7, 20)),
    "sum": (Quantized("i8", "f32", 0.02, -128), Quantized("i8", "f32", 0.013),
            Quantized("i32", "f32", 0.02 * 0.013)),
    "i4": (Quantized("i4", "f32", 0.5, 2), Quantized("i4", "f32", 0.25),
           Quantized("i8", "f32", 0.3, 1)),
    "i16": (Quantized("i16", "f32", 1e-4, 100), Quantized("i16", "f32", 1e-4),
            Quantized("i16", "f32", 2e-3, 0)),
    "f64": (Quantized("i8", "f64", 0.02, 5), Quantized("i8", "f64", 0.013),
            Quantized("i8", "f64", 0.9, -3)),
    "bf16": (Quantized("i8", "bf16", 0.5, 5), Quantized("i8", "bf16", 0.25),
             Quantized("i8", "bf16", 8.0, -3)),
}  # fmt: skip


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", PAIRS)
def test_matrix_product(name, dynamic):
    lhs, rhs, result = PAIRS[name]
    a, b = lhs.random(RANDOM, (17, 70)), rhs.random(RANDOM, (70, 33))
    sizes = [(None, None), (None, 33), (None, 33)] if dynamic else [(17, 70), (70, 33), (17, 33)]
    types = [q.tensor(s) for q, s in zip(PAIRS[name], sizes)]
    body = f"%r0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : ({types[0]}, {types[1]}) -> {types[2]}"
    (found,) = parity.run(program(types[:2], types[2:], body), a, b)
    same(found, expected(result, lhs.distance(a) @ rhs.distance(b), lhs, rhs, None))


def test_product_of_all_extremes():
    lhs, rhs = Quantized("i8", "f32", 1.0, 127), Quantized("i8", "f32", 1.0)
    result = Quantized("i32", "f64", 1.0)
    result.expressed, result.float = "f32", np.dtype(np.float32)
    terms = 70000
    a = np.full((1, terms), -128, np.int8)
    b = np.full((terms, 1), -128, np.int8)
    types = [lhs.tensor(a.shape), rhs.tensor(b.shape), result.tensor((1, 1))]
    body = f"%r0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : ({types[0]}, {types[1]}) -> {types[2]}"
    (found,) = parity.run(program(types[:2], types[2:], body), a, b)
    assert found[0, 0] == min(255 * 128 * terms, 2**31 - 1)


@pytest.mark.parametrize("axis", [0, 2], ids=["batch", "free"])
def test_product_with_scales_along_an_axis(axis):
    lhs = Quantized("i8", "f32", 0.02, 5)
    sizes = (3, 12, 5)
    scales = RANDOM.uniform(0.01, 0.05, sizes[axis])
    rhs = Quantized("i8", "f32", scales, axis=axis)
    result = Quantized("i8", "f32", RANDOM.uniform(0.5, 1.5, 5), RANDOM.integers(-9, 9, 5), axis=2)
    a, b = lhs.random(RANDOM, (3, 4, 12)), rhs.random(RANDOM, sizes)
    types = [lhs.tensor(a.shape), rhs.tensor(b.shape), result.tensor((3, 4, 5))]
    body = f"%r0 = stablehlo.dot_general %a0, %a1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({types[0]}, {types[1]}) -> {types[2]}"
    (found,) = parity.run(program(types[:2], types[2:], body), a, b)
    same(found, expected(result, lhs.distance(a) @ rhs.distance(b), lhs, rhs, axis))


def test_product_with_floats():
    rhs = Quantized("i8", "f32", RANDOM.uniform(0.01, 0.05, 6), axis=1)
    a = RANDOM.normal(size=(4, 9)).astype(np.float32)
    b = rhs.random(RANDOM, (9, 6))
    types = ["tensor<4x9xf32>", rhs.tensor(b.shape), "tensor<4x6xf32>"]
    body = f"%r0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : ({types[0]}, {types[1]}) -> {types[2]}"
    (found,) = parity.run(program(types[:2], types[2:], body), a, b)
    np.testing.assert_allclose(found, a.astype(np.float64) @ rhs.dequantize(b), rtol=1e-5, atol=1e-5)


def integer_convolution(a, b, window, groups):
    """Sums of products in double precision, which holds them exactly."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    return np.rint(np.asarray(jax.lax.conv_general_dilated(
        a, b, window["stride"], window["pad"], window["lhs_dilate"], window["rhs_dilate"],
        ("NHWC", "HWIO", "NHWC"), feature_group_count=groups))).astype(np.int64)  # fmt: skip


WINDOWS = [
    {"stride": [1, 1], "pad": [[1, 1], [1, 1]], "lhs_dilate": [1, 1], "rhs_dilate": [1, 1]},
    {"stride": [2, 1], "pad": [[0, 2], [3, 0]], "lhs_dilate": [1, 2], "rhs_dilate": [2, 1]},
]
KERNELS = ["tensor", "axis", "zero", "grouped"]


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("window, kind", list(itertools.product(range(len(WINDOWS)), KERNELS)))
def test_convolution(window, kind, dynamic):
    window = WINDOWS[window]
    groups = 2 if kind == "grouped" else 1
    lhs = Quantized("u8", "f32", 0.04, 100)
    scales = RANDOM.uniform(0.01, 0.03, 8) if kind in ("axis", "grouped") else 0.02
    axis = 3 if kind in ("axis", "grouped") else None
    rhs = Quantized("u8", "f32", scales, 77 if kind == "zero" else 0, axis=axis)
    a, b = lhs.random(RANDOM, (2, 9, 8, 6)), rhs.random(RANDOM, (3, 3, 6 // groups, 8))
    sums = integer_convolution(lhs.distance(a), rhs.distance(b), window, groups)
    result = Quantized("u8", "f32", np.abs(sums).max() * 0.04 * 0.02 / 200, 60)
    if axis is not None:
        result = Quantized("u8", "f32", result.scales[0] * np.arange(1, 9), 60, axis=3)
    shape = (None, None, 8, 6) if dynamic else a.shape
    out = (None, None, *sums.shape[2:]) if dynamic else sums.shape
    types = [lhs.tensor(shape), rhs.tensor(b.shape), result.tensor(out)]
    text = ", ".join(f"{k} = {v}" for k, v in window.items())
    body = (
        f"%r0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{{text}}}"
        f" {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({types[0]}, {types[1]}) -> {types[2]}"
    )
    (found,) = parity.run(program(types[:2], types[2:], body), a, b)
    same(found, expected(result, sums, lhs, rhs, 3))


def test_convolution_of_floats():
    rhs = Quantized("i8", "f32", 0.02)
    a = RANDOM.normal(size=(1, 6, 6, 3)).astype(np.float32)
    b = rhs.random(RANDOM, (3, 3, 3, 4))
    types = [tensor(a.shape, "f32"), rhs.tensor(b.shape), tensor((1, 4, 4, 4), "f32")]
    body = (
        "%r0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}"
        f" {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({types[0]}, {types[1]}) -> {types[2]}"
    )
    (found,) = parity.run(program(types[:2], types[2:], body), a, b)
    wanted = jax.lax.conv_general_dilated(
        a.astype(np.float64), rhs.dequantize(b).astype(np.float64), [1, 1], "VALID",
        dimension_numbers=("NHWC", "HWIO", "NHWC"))  # fmt: skip
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
