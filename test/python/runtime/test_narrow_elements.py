"""Arrays of ml_dtypes whose elements are narrower than a byte, or floats of six
or eight bits, go in and come out."""

import ferrule
import ml_dtypes
import numpy as np
import pytest

TYPES = {
    "i2": "int2",
    "i4": "int4",
    "ui2": "uint2",
    "ui4": "uint4",
    "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f8E8M0FNU": "float8_e8m0fnu",
}


def random_array(name: str, shape: tuple[int, ...]) -> np.ndarray:
    dtype = np.dtype(getattr(ml_dtypes, TYPES[name]))
    bits = int("".join(c for c in name.split("E")[0] if c.isdigit()))
    random = np.random.default_rng(len(shape))
    low = -(1 << (bits - 1)) if name.startswith("i") else 0
    values = random.integers(low, low + (1 << bits), shape)
    if name.startswith("f"):
        return np.asarray(values, np.uint8).view(dtype)
    return np.asarray(values, np.int8).astype(dtype)


def identity(name: str, shape: tuple[int, ...]):
    kind = "".join(f"{size}x" for size in shape)
    return ferrule.compile(
        f"""func.func @main(%x: tensor<{kind}{name}>)
    -> (tensor<{kind}{name}>, tensor<{kind}f32>) {{
  %0 = stablehlo.convert %x : (tensor<{kind}{name}>) -> tensor<{kind}f32>
  return %x, %0 : tensor<{kind}{name}>, tensor<{kind}f32>
}}"""
    )


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 5), (4, 4), (0, 3)])
def test_in_and_out(name, shape):
    x = random_array(name, shape)
    same, wide = identity(name, shape)(x)
    assert same.dtype == x.dtype and same.shape == x.shape
    np.testing.assert_array_equal(same.astype(np.float32), x.astype(np.float32))
    np.testing.assert_array_equal(wide, x.astype(np.float32))


@pytest.mark.parametrize("name", TYPES)
def test_strides(name):
    x = random_array(name, (3, 5)).T
    same, _ = identity(name, (5, 3))(x)
    np.testing.assert_array_equal(same.astype(np.float32), x.astype(np.float32))


def test_numbers_and_wrong_types():
    program = identity("i4", (2,))
    np.testing.assert_array_equal(program([1, -8])[1], [1, -8])
    with pytest.raises(ValueError, match="is 2xi8, expected 2xi4"):
        program(np.zeros(2, np.int8))
