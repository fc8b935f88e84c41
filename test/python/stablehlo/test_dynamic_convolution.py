"""Convolutions whose sizes are unknown when they are compiled, against JAX."""

import ferrule
import jax
import numpy as np
import pytest

PROGRAM = """
func.func @main(%x: tensor<{lhs}xf32>, %w: tensor<{rhs}xf32>) -> tensor<?x?x?x?xf32> {{
  %0 = "stablehlo.convolution"(%x, %w) {{
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = {features} : i64, batch_group_count = {batches} : i64,
    window_strides = array<i64: 1, 2>, lhs_dilation = array<i64: 1, 2>,
    padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>,
    window_reversal = array<i1: {reverse}, false>}}
    : (tensor<{lhs}xf32>, tensor<{rhs}xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}}
"""


@pytest.mark.parametrize("open_sizes", ["input", "kernel", "both", "features"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("features", "batches", "inputs", "outputs"),
    [
        (1, 1, 3, 4),
        (2, 1, 4, 6),
        (2, 1, 2, 6),
        (2, 1, 2, 2),
        (1, 2, 3, 4),
        (1, 2, 3, 2),
    ],
)
def test_sizes(open_sizes, reverse, features, batches, inputs, outputs):
    random = np.random.default_rng(0)
    x = random.standard_normal((4, 5, 6, inputs)).astype(np.float32)
    w = random.standard_normal((3, 2, inputs // features, outputs)).astype(np.float32)
    lhs, rhs = ("x".join(map(str, array.shape)) for array in (x, w))
    if open_sizes in ("input", "both"):
        lhs = "?x?x?x?"
    if open_sizes in ("kernel", "both"):
        rhs = "?x?x?x?"
    if open_sizes == "features":
        lhs, rhs = "4x5x6x?", "3x2x?x?"
    program = ferrule.compile(
        PROGRAM.format(
            lhs=lhs,
            rhs=rhs,
            features=features,
            batches=batches,
            reverse=str(reverse).lower(),
        )
    )
    expected = jax.lax.conv_general_dilated(
        x,
        w[::-1] if reverse else w,
        window_strides=(1, 2),
        padding=((1, 0), (0, 1)),
        lhs_dilation=(1, 2),
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=features,
        batch_group_count=batches,
        precision="highest",
    )
    np.testing.assert_allclose(program(x, w), expected, atol=1e-4)
