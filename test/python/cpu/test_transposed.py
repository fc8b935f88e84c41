"""Transpositions, whose squares are turned in registers, and what is fused
with them, against NumPy."""

import itertools
import random

import ferrule
import ml_dtypes
import numpy as np
import pytest

TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i16": np.int16,
    "i64": np.int64,
    "ui8": np.uint8,
    "i1": np.bool_,
    "complex<f32>": np.complex64,
}
SIZES = [1, 3, 15, 16, 17, 31, 32, 48, 67]


def values(shape, dtype):
    numbers = np.random.default_rng(0).integers(-100, 100, shape)
    if np.issubdtype(dtype, np.complexfloating):
        return (numbers + 1j * numbers[..., ::-1]).astype(dtype)
    return (numbers > 0 if dtype == np.bool_ else numbers).astype(dtype)


@pytest.mark.parametrize("cpu", ["host", "x86-64-v3"])
@pytest.mark.parametrize("element", TYPES)
def test_orders_of_dimensions(element, cpu):
    """All orders of up to four dimensions with sizes around a square's."""
    choose = random.Random(element + cpu)
    functions, cases = [], []
    for rank in (2, 3, 4):
        for order in itertools.permutations(range(rank)):
            shape = [choose.choice(SIZES[: 9 if rank < 4 else 5]) for _ in order]
            given = "x".join(map(str, shape)) + "x" + element
            result = "x".join(str(shape[d]) for d in order) + "x" + element
            name = f"f{len(cases)}" if cases else "main"
            functions.append(
                f"func.func @{name}(%x: tensor<{given}>) -> tensor<{result}> {{\n"
                f"  %0 = stablehlo.transpose %x, dims = {list(order)} : "
                f"(tensor<{given}>) -> tensor<{result}>\n"
                f"  return %0 : tensor<{result}>\n}}"
            )
            cases.append((name, shape, order))
    program = ferrule.compile("\n".join(functions), target_cpu=cpu)
    for name, shape, order in cases:
        x = values(shape, TYPES[element])
        result = program.function(name)(x)
        np.testing.assert_array_equal(result, x.transpose(order), err_msg=f"{shape}")


FUSED = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>)
    -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.multiply %0, %y : tensor<?x?xf32>
  %2 = stablehlo.exponential %1 : tensor<?x?xf32>
  %3 = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %4 = stablehlo.get_dimension_size %y, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %5 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
  %7 = stablehlo.concatenate %5, %6, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %8 = stablehlo.dynamic_broadcast_in_dim %b, %7, dims = [0]
    : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %9 = stablehlo.add %2, %8 : tensor<?x?xf32>
  return %9 : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_fused_and_dynamic(threads):
    """With an operand read in order and one that does not move with the lane."""
    program = ferrule.compile(FUSED, threads=threads)
    random_numbers = np.random.default_rng(1)
    for rows, columns in itertools.product([0, 1, 5, 16, 33, 130], repeat=2):
        x = random_numbers.uniform(-1, 1, (columns, rows)).astype(np.float32)
        y = random_numbers.uniform(-1, 1, (rows, columns)).astype(np.float32)
        b = random_numbers.uniform(-1, 1, rows).astype(np.float32)
        expected = np.exp(x.T.astype(np.float64) * y) + b[:, None]
        np.testing.assert_allclose(program(x, y, b), expected, rtol=0, atol=1e-6)


def test_two_operands_of_one_square():
    """A matrix and its transpose, and a transposed one of another type."""
    program = ferrule.compile(
        """
func.func @main(%x: tensor<40x40xf32>, %n: tensor<40x40xi32>) -> tensor<40x40xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<40x40xf32>) -> tensor<40x40xf32>
  %1 = stablehlo.add %0, %x : tensor<40x40xf32>
  %2 = stablehlo.transpose %n, dims = [1, 0] : (tensor<40x40xi32>) -> tensor<40x40xi32>
  %3 = stablehlo.convert %2 : (tensor<40x40xi32>) -> tensor<40x40xf32>
  %4 = stablehlo.multiply %1, %3 : tensor<40x40xf32>
  return %4 : tensor<40x40xf32>
}
"""
    )
    x = values((40, 40), np.float32) / 8
    n = values((40, 40), np.int32)
    np.testing.assert_array_equal(program(x, n), (x + x.T) * n.T)
