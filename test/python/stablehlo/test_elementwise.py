"""Elementwise ops, every kind of element, and their corner cases."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import stablehlo_parity as parity
import pytest
from jax import lax

FLOATS = np.array(
    [-np.inf, -3.5, -2.5, -1.0, -0.5, -0.0, 0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 40.0,
     np.inf, np.nan, 1e-30], np.float32)  # fmt: skip
POSITIVE = np.array([0.0, 1e-3, 0.5, 1.0, 2.0, 7.25, 100.0, np.inf], np.float32)
UNIT = np.array([-1.0, -0.7, -0.1, 0.0, 0.1, 0.7, 0.99, 1.0], np.float32)

UNARY = {
    "abs": (lax.abs, FLOATS),
    "acos": (lax.acos, UNIT),
    "acosh": (lax.acosh, POSITIVE[3:]),
    "asin": (lax.asin, UNIT),
    "asinh": (lax.asinh, FLOATS[1:12]),
    "atan": (lax.atan, FLOATS),
    "atanh": (lax.atanh, UNIT[1:7]),
    "cbrt": (lax.cbrt, FLOATS[1:12]),
    "ceil": (lax.ceil, FLOATS),
    "cos": (lax.cos, FLOATS[1:12]),
    "cosh": (lax.cosh, FLOATS[1:12]),
    "digamma": (lax.digamma, POSITIVE[1:7]),
    "erf": (lax.erf, FLOATS),
    "erf_inv": (lax.erf_inv, UNIT),
    "erfc": (lax.erfc, FLOATS),
    "exp": (lax.exp, FLOATS),
    "expm1": (lax.expm1, FLOATS),
    "floor": (lax.floor, FLOATS),
    "is_finite": (lax.is_finite, FLOATS),
    "lgamma": (lax.lgamma, np.array([-1.5, 0.2, 0.5, 1.5, 3.0, 9.0], np.float32)),
    "log": (lax.log, POSITIVE),
    "log1p": (lax.log1p, POSITIVE),
    "logistic": (lax.logistic, FLOATS),
    "neg": (lax.neg, FLOATS),
    "bessel_i1e": (lax.bessel_i1e, FLOATS[1:13]),
    "round_afz": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), FLOATS),
    "round_even": (lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), FLOATS),
    "rsqrt": (lax.rsqrt, POSITIVE),
    "sign": (lax.sign, FLOATS),
    "sin": (lax.sin, FLOATS[1:12]),
    "sinh": (lax.sinh, FLOATS[1:12]),
    "sqrt": (lax.sqrt, POSITIVE),
    "square": (lax.square, FLOATS),
    "tan": (lax.tan, FLOATS[1:12]),
    "tanh": (lax.tanh, FLOATS),
}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    function, x = UNARY[name]
    parity.check(function, x, rtol=5e-6)


@pytest.mark.parametrize("dtype", [np.float64, ml_dtypes.bfloat16, np.float16])
@pytest.mark.parametrize("name", ["exp", "tanh", "logistic", "erf", "sqrt", "sign"])
def test_unary_of_other_floats(name, dtype):
    function = UNARY[name][0]
    x = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 4.0]).astype(dtype)
    parity.check(function, x, rtol=1e-14 if dtype == np.float64 else 1e-2)


BINARY = {
    "add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div,
    "rem": lax.rem, "max": lax.max, "min": lax.min,
}  # fmt: skip


def test_float_binary():
    def every(x, y):
        return [f(x, y) for f in BINARY.values()] + [
            lax.atan2(x, y), lax.nextafter(x, y),
            x == y, x != y, x < y, x <= y, x > y, x >= y,
        ]  # fmt: skip

    x, y = np.meshgrid(FLOATS, FLOATS)
    parity.check(every, x, y)


def test_power():
    x, y = np.meshgrid(POSITIVE[1:7], np.array([-2, -0.5, 0, 1, 3.5], np.float32))
    parity.check(lax.pow, x, y, rtol=1e-5)


INTEGERS = {
    np.int8: [-128, -7, -1, 0, 1, 2, 7, 127],
    np.int32: [-(2**31), -7, -1, 0, 1, 2, 7, 2**31 - 1],
    np.int64: [-(2**63), -7, -1, 0, 1, 2, 7, 2**63 - 1],
    np.uint8: [0, 1, 2, 3, 7, 8, 200, 255],
    np.uint32: [0, 1, 2, 3, 7, 32, 2**31, 2**32 - 1],
}


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_binary(dtype):
    def every(x, y):
        return [f(x, y) for f in BINARY.values()] + [
            x & y, x | y, x ^ y,
            lax.shift_left(x, y), lax.shift_right_logical(x, y),
            lax.shift_right_arithmetic(x, y),
            x == y, x < y, x >= y,
        ]  # fmt: skip

    values = np.array(INTEGERS[dtype], dtype)
    x, y = np.meshgrid(values, values)
    parity.check(every, x, y)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_unary(dtype):
    def every(x):
        magnitude = x if np.dtype(dtype).kind == "u" else lax.abs(x)
        return magnitude, lax.neg(x), lax.sign(x), ~x, lax.clz(x), lax.population_count(x)

    parity.check(every, np.array(INTEGERS[dtype] * 2, dtype))


def test_integer_power():
    text = """
func.func @main(%x: tensor<7x9xi32>, %y: tensor<7x9xi32>) -> tensor<7x9xi32> {
  %0 = stablehlo.power %x, %y : tensor<7x9xi32>
  return %0 : tensor<7x9xi32>
}
"""
    x, y = np.meshgrid(np.arange(-4, 5, dtype=np.int32), np.arange(-3, 4, dtype=np.int32))
    exact = np.where(x == 0, 0.0, np.float64(x) ** np.where(x == 0, 1, y))
    want = np.where((x == 0) & (y == 0), 1, np.where((x == 0) & (y > 0), 0, np.trunc(exact)))
    (found,) = parity.run(text, x, y)
    parity.assert_close(found, want.astype(np.int32), 0, 0)


def test_boolean_logic():
    def every(x, y):
        return x & y, x | y, x ^ y, ~x, jnp.where(x, 1.0, 2.0), x == y

    x, y = np.meshgrid([True, False] * 5, [True, True, False])
    parity.check(every, x, y)


TYPES = [np.bool_, np.int8, np.int32, np.int64, np.uint8, np.uint32, np.float16,
         ml_dtypes.bfloat16, np.float32, np.float64, np.complex64]  # fmt: skip


@pytest.mark.parametrize("source", TYPES)
def test_convert(source):
    """From one type to all others; out of range saturates for floats."""

    def every(x):
        return [lax.convert_element_type(x, t) for t in TYPES]

    if np.dtype(source).kind in "bui":
        x = np.array([0, 1, 2, 3, 5, 100, 127, 1] * 2).astype(source)
    else:
        x = np.array([-3e9, -300, -1.5, -0.25, 0, 0.5, 1, 2.75, 300, 4e9, 1e4]).astype(source)
    if source == np.complex64:
        with_reals = [t for t in TYPES if t != np.bool_]
        parity.check(lambda v: [lax.convert_element_type(v.real, t) for t in with_reals], x)
        return
    parity.check(every, x, rtol=1e-2 if np.dtype(source).itemsize == 2 else 2e-6)


def test_convert_nan_to_integer_is_zero():
    parity.check(lambda x: lax.convert_element_type(x, np.int32), np.full(9, np.nan, np.float32))


def test_complex():
    def every(x, y):
        return (x + y, x - y, x * y, x / y, lax.abs(x), lax.exp(x), lax.log(x), lax.sqrt(x),
                lax.tanh(x), lax.sin(x), lax.real(x), lax.imag(x), lax.conj(x), x == y,
                lax.complex(x.real, y.imag))  # fmt: skip

    x = np.array([1 + 2j, -0.5 + 0.3j, 2 - 1j, 0.1 - 0.1j], np.complex64)
    parity.check(every, x, x[::-1].copy(), rtol=1e-5)


def test_clamp_and_select():
    x = FLOATS.reshape(4, 4)
    parity.check(lambda v: lax.clamp(np.float32(-1), v, np.float32(1)), x)
    parity.check(lambda p, a, b: lax.select(p, a, b), x > 0, x, -x)
    parity.check(lambda i: lax.clamp(np.uint8(3), i, np.uint8(200)), np.arange(256).astype(np.uint8))


def test_total_order_and_reduce_precision():
    parity.check(lambda x: jnp.sort(x), FLOATS)
    for e, m in [(5, 10), (8, 7), (4, 3)]:
        parity.check(lambda x: lax.reduce_precision(x, e, m), np.linspace(-500, 500, 101, dtype=np.float32))


def test_bitcast():
    x = np.array([1.5, -2.25, 0.0, 1e10], np.float32)
    parity.check(lambda v: lax.bitcast_convert_type(v, np.int32), x)
    parity.check(lambda v: lax.bitcast_convert_type(v, np.uint8), x)
    parity.check(lambda v: lax.bitcast_convert_type(v, np.float32), x.view(np.uint8).reshape(4, 4))


def test_special_functions_of_two():
    n = np.array([0, 1, 2, 3], np.int32)
    x = np.array([0.5, 1.5, 2.0, 7.0], np.float32)
    parity.check(jax.scipy.special.polygamma, n, x, rtol=1e-5)
    parity.check(jax.scipy.special.zeta, n + np.float32(2), x, rtol=1e-5)


@pytest.mark.parametrize("algorithm", ["RNG_THREE_FRY", "RNG_PHILOX", "RNG_DEFAULT"])
@pytest.mark.parametrize("shape", [(6,), (5,), (3, 5), (3, 4, 6)])
def test_random_bits(algorithm, shape):
    key = np.array([1, 2, 3, 2**32 - 1], np.uint32)
    for dtype in (np.uint8, np.uint32, np.uint64):
        parity.check(
            lambda k: lax.rng_bit_generator(k, shape, dtype, algorithm=lax.RandomAlgorithm[algorithm]), key
        )
