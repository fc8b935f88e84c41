"""Reductions along contiguous rows, which go through vectors of partial
results, against NumPy in double precision."""

import itertools

import ferrule
import numpy as np
import pytest

BODIES = {
    "add": (np.add, "0"),
    "multiply": (np.multiply, "1"),
    "maximum": (np.maximum, None),
    "minimum": (np.minimum, None),
    "and": (np.bitwise_and, "-1"),
    "or": (np.bitwise_or, "0"),
    "xor": (np.bitwise_xor, "0"),
}
TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "ui16": np.uint16,
    "i32": np.int32,
    "i64": np.int64,
    "i1": np.bool_,
}


def first_value(body, element):
    """Text of the initial value."""
    if body in ("maximum", "minimum"):
        if element.startswith("f"):
            bits = {"f32": ("0xFF800000", "0x7F800000")}.get(
                element, ("0xFFF0000000000000", "0x7FF0000000000000")
            )
            return bits[body == "minimum"]
        limits = np.iinfo(TYPES[element])
        return str(limits.min if body == "maximum" else limits.max)
    text = BODIES[body][1]
    if element == "i1":
        return {"0": "false", "-1": "true", "1": "true"}[text]
    if element.startswith("ui") and text == "-1":
        return str(np.iinfo(TYPES[element]).max)
    return text + ".0" if element.startswith("f") else text


def reduce_program(body, element, rank, dimensions):
    given = "x".join(["?"] * rank + [element])
    result = "x".join(["?"] * (rank - len(dimensions)) + [element])
    return f"""
func.func @main(%x: tensor<{given}>) -> tensor<{result}> {{
  %init = stablehlo.constant dense<{first_value(body, element)}> : tensor<{element}>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.{body}
    across dimensions = {list(dimensions)}
    : (tensor<{given}>, tensor<{element}>) -> tensor<{result}>
  return %0 : tensor<{result}>
}}
"""


def numbers(shape, dtype, seed=0):
    generator = np.random.default_rng(seed)
    if dtype == np.bool_:
        return generator.integers(0, 10, shape) > 0
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return generator.uniform(0.5, 1.5, shape).astype(dtype)


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("body", BODIES)
def test_kinds_and_sizes(body, element):
    if body in ("and", "or", "xor") and element.startswith("f"):
        body = {"and": "add", "or": "maximum", "xor": "minimum"}[body]
    if element == "i1" and body not in ("and", "or", "xor"):
        body = "or"
    combine = BODIES[body][0]
    for rank, dimensions in [(1, (0,)), (2, (1,)), (3, (1, 2)), (3, (0, 2))]:
        program = ferrule.compile(reduce_program(body, element, rank, dimensions))
        for size in (0, 1, 5, 16, 63, 64, 65, 200):
            if size == 0 and body in ("maximum", "minimum"):
                continue
            x = numbers((3, 4, size)[3 - rank :], TYPES[element], size)
            wide = x.astype(np.float64) if element.startswith("f") else x
            expected = combine.reduce(wide, axis=dimensions, dtype=wide.dtype)
            result = program(x)
            if element.startswith("f"):
                np.testing.assert_allclose(result, expected, rtol=2e-5)
            else:
                np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("body", ["maximum", "minimum"])
@pytest.mark.parametrize("size", [5, 16, 64, 77])
def test_nan_anywhere(body, size):
    program = ferrule.compile(reduce_program(body, "f32", 2, (1,)))
    x = np.tile(numbers((size,), np.float32), (size, 1))
    x[np.arange(size), np.arange(size)] = np.nan
    assert np.isnan(program(x)).all()


def test_long_sums_keep_their_digits():
    program = ferrule.compile(reduce_program("add", "f32", 2, (1,)))
    for size in (19_200, 1_000_003):
        x = numbers((2, size), np.float32)
        np.testing.assert_allclose(program(x), x.sum(1, dtype=np.float64), rtol=1e-6)


MASKED_SOFTMAX = """
func.func @main(%x: tensor<?x{n}xf32>, %mask: tensor<?x{n}xi1>) -> tensor<?x{n}xf32> {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x{n}xf32>) -> tensor<i32>
  %r = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %n = stablehlo.constant dense<{n}> : tensor<1xi32>
  %shape = stablehlo.concatenate %r, %n, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %lows = stablehlo.dynamic_broadcast_in_dim %low, %shape, dims = []
    : (tensor<f32>, tensor<2xi32>) -> tensor<?x{n}xf32>
  %0 = stablehlo.select %mask, %x, %lows : tensor<?x{n}xi1>, tensor<?x{n}xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [1]
    : (tensor<?x{n}xf32>, tensor<f32>) -> tensor<?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %shape, dims = [0]
    : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x{n}xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<?x{n}xf32>
  %4 = stablehlo.exponential %3 : tensor<?x{n}xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x{n}xf32>, tensor<f32>) -> tensor<?xf32>
  %6 = stablehlo.dynamic_broadcast_in_dim %5, %shape, dims = [0]
    : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x{n}xf32>
  %7 = stablehlo.divide %4, %6 : tensor<?x{n}xf32>
  return %7 : tensor<?x{n}xf32>
}}
"""


@pytest.mark.parametrize("n", [3, 16, 50, 64, 197, "?"])
@pytest.mark.parametrize("cpu", ["host", "x86-64-v3"])
def test_masked_softmax(n, cpu):
    """The mask is one byte an element; the exponentials are kept beside the
    sum."""
    if n == "?":
        text = MASKED_SOFTMAX.format(n="?").replace(
            "%n = stablehlo.constant dense<?> : tensor<1xi32>",
            "%c = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> "
            "tensor<i32>\n  %n = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>",
        )
    else:
        text = MASKED_SOFTMAX.format(n=n)
    program = ferrule.compile(text, target_cpu=cpu)
    columns = [1, 40, 129] if n == "?" else [n]
    for rows, size in itertools.product((0, 1, 37), columns):
        x = numbers((rows, size), np.float32) * 8
        mask = numbers((rows, size), np.int32) % 3 != 0
        mask[:, 0] = True
        wide = np.where(mask, x.astype(np.float64), -np.inf)
        powers = np.exp(wide - wide.max(1, keepdims=True, initial=-np.inf))
        expected = powers / powers.sum(1, keepdims=True)
        np.testing.assert_allclose(program(x, mask), expected, rtol=2e-6, atol=1e-9)
