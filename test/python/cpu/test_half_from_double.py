"""f64 -> f16 on the CPU target rounds once: NumPy does."""

import ferrule
import numpy as np


def test_every_half_and_what_lies_between():
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64)
    finite = np.sort(halves[np.isfinite(halves)])
    middles = (finite[1:] + finite[:-1]) / 2
    # Just off a middle, the bits that decide lie beyond those of f32.
    values = np.concatenate(
        [
            halves,
            middles,
            np.nextafter(middles, np.inf),
            np.nextafter(middles, -np.inf),
            [65519.999, 65520.0, 1e300, -1e300, 5e-324, 2.0**-25, 2.0**-26],
        ]
    )
    program = ferrule.compile(
        f"""func.func @main(%x: tensor<{len(values)}xf64>) -> tensor<{len(values)}xf16> {{
  %0 = stablehlo.convert %x : (tensor<{len(values)}xf64>) -> tensor<{len(values)}xf16>
  return %0 : tensor<{len(values)}xf16>
}}"""
    )
    with np.errstate(over="ignore"):
        expected = values.astype(np.float16)
    np.testing.assert_array_equal(program(values), expected)
