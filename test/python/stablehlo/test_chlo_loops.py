"""chlo.scan and chlo.ragged_dot, which JAX emits for other platforms than the
CPU, against JAX's own results on the CPU."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from stablehlo_parity import run

import ferrule

RAGGED = jax.lax.RaggedDotDimensionNumbers


def normal(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype("float32")


CASES = {
    "free": (
        RAGGED((((1,), (1,)), ((), ())), [0], [0]),
        (normal(11, 4), normal(3, 4, 5)),
        [[2, 5, 4], [0, 11, 0], [1, 2, 3]],
    ),
    "free-batch": (
        RAGGED((((2,), (2,)), ((0,), (1,))), [1], [0]),
        (normal(2, 7, 4), normal(3, 2, 4, 5)),
        [[1, 2, 4], [[7, 0, 0], [1, 3, 3]]],
    ),
    "sum": (
        RAGGED((((0,), (0,)), ((), ())), [0], []),
        (normal(11, 4), normal(11, 5)),
        [[2, 5, 4], [3, 0, 1]],
    ),
    "sum-batch": (
        RAGGED((((1,), (1,)), ((0,), (0,))), [1], []),
        (normal(2, 7, 4), normal(2, 7, 5)),
        [[1, 2, 4], [[7, 0, 0], [1, 3, 3]]],
    ),
    "batch": (
        RAGGED((((2,), (1,)), ((0,), (0,))), [0], []),
        (normal(5, 3, 4), normal(5, 4, 2)),
        [[2, 3]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_ragged_dot(name):
    numbers, (lhs, rhs), groups = CASES[name]

    def function(lhs, rhs, sizes):
        return jax.lax.ragged_dot_general(
            lhs, rhs, sizes, ragged_dot_dimension_numbers=numbers
        )

    for sizes in groups:
        sizes = np.array(sizes, "int32")
        text = ragged_text(function, lhs, rhs, sizes)
        assert "chlo.ragged_dot" in text
        (found,) = run(text, lhs, rhs, sizes)
        expected = jax.jit(function)(lhs, rhs, sizes)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def ragged_text(function, *args):
    option = "jax_ragged_dot_use_ragged_dot_instruction"
    before = getattr(jax.config, option)
    jax.config.update(option, True)
    try:
        return export.export(jax.jit(function), platforms=["tpu"])(*args).mlir_module()
    finally:
        jax.config.update(option, before)


SCAN = """
func.func @main(%x: tensor<{shape}xf32>, %c: tensor<{carry}xf32>)
    -> (tensor<{shape}xf32>, tensor<{carry}xf32>) {{
  %0:2 = "chlo.scan"(%x, %c) <{{dimension = {dim} : i64, is_reverse = {reverse},
      operandSegmentSizes = array<i32: 1, 1>,
      resultSegmentSizes = array<i32: 1, 1>}}> ({{
  ^bb0(%a: tensor<{carry}xf32>, %b: tensor<{carry}xf32>):
    %h = stablehlo.constant dense<0.5> : tensor<{carry}xf32>
    %p = stablehlo.multiply %b, %h : tensor<{carry}xf32>
    %s = stablehlo.add %a, %p : tensor<{carry}xf32>
    %n = stablehlo.negate %s : tensor<{carry}xf32>
    stablehlo.return %n, %s : tensor<{carry}xf32>, tensor<{carry}xf32>
  }}) : (tensor<{shape}xf32>, tensor<{carry}xf32>)
    -> (tensor<{shape}xf32>, tensor<{carry}xf32>)
  return %0#0, %0#1 : tensor<{shape}xf32>, tensor<{carry}xf32>
}}
"""


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("size", [5, 1, 0, None])
def test_scan(size, dim, reverse):
    """size None: known at run time only."""
    length = 4 if size is None else size
    x = normal(*[(length, 3), (3, length)][dim])
    text = "?" if size is None else str(size)
    program = ferrule.compile(
        SCAN.format(
            shape=[f"{text}x3", f"3x{text}"][dim],
            carry="3",
            dim=dim,
            reverse=str(reverse).lower(),
        )
    )
    carry = np.ones(3, "float32")

    def body(carry, slice):
        total = slice + 0.5 * carry
        return total, -total

    last, outputs = jax.lax.scan(body, carry, jnp.moveaxis(x, dim, 0), reverse=reverse)
    found = program(x, carry)
    np.testing.assert_allclose(found[0], jnp.moveaxis(outputs, 0, dim), rtol=1e-6)
    np.testing.assert_allclose(found[1], last, rtol=1e-6)
