"""Every function of the math dialect against a double or wider reference."""

import math

import mpmath
import numpy as np
import pytest
from kernel_harness import Kernels

N = 1024
UNARY = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x, 2),
    "log10": mpmath.log10,
    "log1p": mpmath.log1p,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
    "atan": mpmath.atan,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "asinh": mpmath.asinh,
    "acosh": mpmath.acosh,
    "atanh": mpmath.atanh,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
}
TYPES = {"f32": np.float32, "f64": np.float64}


def unary_kernel(name, element):
    tensor = f"tensor<{N}x{element}>"
    return f"""
func.func private @{name}_{element}(%x: {tensor}, %o: {tensor}) -> {tensor}
    attributes {{byre.kernel}} {{
  %e = tensor.empty() : {tensor}
  %r = linalg.generic {{
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x : {tensor}) outs(%e : {tensor}) {{
  ^bb0(%a: {element}, %b: {element}):
    %m = math.{name} %a : {element}
    linalg.yield %m : {element}
  }} -> {tensor}
  return %r : {tensor}
}}
"""


@pytest.fixture(scope="module", params=["x86-64-v3", "host"])
def kernels(request):
    text = "".join(unary_kernel(n, t) for n in UNARY for t in TYPES)
    return Kernels(text, request.param)


def sample(name, dtype):
    rng = np.random.default_rng(len(name))
    single = dtype == np.float32
    values = np.concatenate(
        [
            rng.uniform(-1, 1, N // 4),
            rng.uniform(-12, 12, N // 4),
            np.exp(rng.uniform(-40, 40, N // 4)),
            rng.uniform(-80, 80, N // 4) if single else rng.uniform(-700, 700, N // 4),
        ]
    )
    values[:7] = [0, 1, -1, 0.5, 2, np.inf, -np.inf]
    values[7] = np.nan
    if name in ("sin", "cos", "tan"):
        values = np.where(np.abs(values) > 1e6, 1.0, values)
    return values.astype(dtype)


def expect(name, x):
    if math.isnan(x):
        return math.nan
    if math.isinf(x):
        with np.errstate(all="ignore"):
            special = {
                "erf": np.sign(x),
                "erfc": 1 - np.sign(x),
                "cbrt": x,
                "rsqrt": 0.0 if x > 0 else math.nan,
                "asin": math.nan,
                "acos": math.nan,
                "atan": np.arctan(x),
                "asinh": x,
                "acosh": x if x > 0 else math.nan,
                "atanh": math.nan,
            }
            return special[name] if name in special else getattr(np, name)(x)
    try:
        value = UNARY[name](mpmath.mpf(x))
    except (ValueError, ZeroDivisionError):
        with np.errstate(all="ignore"):
            poles = {"rsqrt": math.inf, "atanh": math.copysign(math.inf, x)}
            return poles[name] if name in poles else float(getattr(np, name)(x))
    if isinstance(value, mpmath.mpc):
        return math.nan
    return float(value)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("element", TYPES)
def test_function_is_accurate(kernels, name, element):
    dtype = TYPES[element]
    x = sample(name, dtype)
    with mpmath.workprec(120), np.errstate(all="ignore"):
        exact = np.array([expect(name, float(v)) for v in x])
        (got,) = kernels.run(f"{name}_{element}", [x], [((N,), dtype)])
        rounded = exact.astype(dtype)
        normal = np.isfinite(rounded) & (np.abs(exact) > np.finfo(dtype).tiny)
        error = np.abs(got[normal].astype(np.float64) - exact[normal])
        ulp = error / np.spacing(np.abs(rounded[normal])).astype(np.float64)
    assert ulp.max() <= 3, f"{ulp.max()} ULP at {x[normal][ulp.argmax()]}"
    infinite = ~np.isfinite(rounded)
    np.testing.assert_array_equal(got[infinite], rounded[infinite])
