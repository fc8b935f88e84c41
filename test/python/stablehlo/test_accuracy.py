"""Transcendental functions over the whole range of their types: within 3 units
in the last place in f32 and f64, all numbers of 16 bits within one of the
correctly rounded result. FERRULE_FULL=1 takes many times more numbers."""

import os
import pathlib
import sys

import mpmath
import numpy as np
import pytest

import ferrule

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from sweep import accuracy  # noqa: E402

FULL = os.environ.get("FERRULE_FULL") == "1"
OPS = [*accuracy.UNARY, *accuracy.BINARY]


def run(text, *args):
    return np.asarray(ferrule.compile(text)(*args))


def check(op, element, each, limit):
    args, got, exact, error = accuracy.measure(op, element, each, run)
    worst = np.argsort(-error)[:5]
    assert error[worst[0]] <= limit, "\n".join(
        f"{op}({', '.join(str(a[i]) for a in args)}) = {got[i]}, not {exact[i]}: "
        f"{error[i]:.3g} units in the last place"
        for i in worst
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("op", OPS)
def test_function(op, element):
    # These are sums of dozens of powers, times a factorial.
    loose = element == "f64" and op in ("chlo.zeta", "chlo.polygamma")
    check(op, element, 64 if FULL else 4, limit=40 if loose else 3)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("element", ["f16", "bf16"])
@pytest.mark.parametrize("op", OPS if FULL else OPS[::4])
def test_every_number_of_16_bits(op, element):
    # Half a unit is what rounding correctly costs.
    check(op, element, 4, limit=1.5)


def test_next_after():
    for dtype in (np.float32, np.float64):
        some = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-40, np.finfo(dtype).max,
                         np.finfo(dtype).smallest_subnormal, np.finfo(dtype).tiny]).astype(dtype)  # fmt: skip
        x, y = (a.ravel() for a in np.meshgrid(some, some))
        element = "f32" if dtype == np.float32 else "f64"
        got = run(accuracy.text("chlo.next_after", element, 2), x, y)
        np.testing.assert_array_equal(got, np.nextafter(x, y))


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_arithmetic_of_16_bits_rounds_at_every_op(element):
    """multiply, add, exponential: what each op alone gives, rounded."""
    dtype = accuracy.DTYPES[element]
    rng = np.random.default_rng(7)
    a, b, c = (rng.uniform(-2, 2, 4096).astype(dtype) for _ in range(3))
    t = f"tensor<4096x{element}>"
    text = f"""
    func.func @main(%a: {t}, %b: {t}, %c: {t}) -> {t} {{
      %0 = stablehlo.multiply %a, %b : {t}
      %1 = stablehlo.add %0, %c : {t}
      %2 = stablehlo.exponential %1 : {t}
      return %2 : {t}
    }}"""
    f32 = np.float32
    product = (a.astype(f32) * b.astype(f32)).astype(dtype)
    total = (product.astype(f32) + c.astype(f32)).astype(dtype)
    expected = np.exp(total.astype(np.float64)).astype(f32).astype(dtype)
    np.testing.assert_array_equal(run(text, a, b, c), expected)


def test_products_and_sums_are_rounded_one_by_one():
    x = (1 + np.arange(1000) * 2.0**-12).astype(np.float32)
    t = "tensor<1000xf32>"
    text = f"""
    func.func @main(%x: {t}) -> {t} {{
      %0 = stablehlo.multiply %x, %x : {t}
      %1 = stablehlo.subtract %0, %x : {t}
      return %1 : {t}
    }}"""
    np.testing.assert_array_equal(run(text, x), x * x - x)


def complex_samples(count, dtype):
    """All sizes of both parts, and the neighbourhoods of 0, -1 and the axes."""
    generator = np.random.default_rng(5)
    parts = generator.choice([-1, 1], (count, 2)) * 10 ** generator.uniform(
        -12, 1.5, (count, 2)
    )
    numbers = parts[:, 0] + 1j * parts[:, 1]
    numbers[::5] = numbers[::5].real + 1e-6j * numbers[::5].imag
    numbers[1::5] = 1e-6 * numbers[1::5].real + 1j * numbers[1::5].imag
    numbers[2::5] = -1 + 1e-3 * numbers[2::5]
    return numbers.astype(dtype)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_complex_functions(element):
    """Distance to the value in 300 bits over its size, in units of the last place
    of one; complex<f32> comes correctly rounded."""
    dtype, limit = {"f32": (np.complex64, 0.75), "f64": (np.complex128, 6)}[element]
    functions = {
        "sqrt": mpmath.sqrt,
        "rsqrt": lambda z: 1 / mpmath.sqrt(z),
        "log": mpmath.log,
        "log_plus_one": lambda z: mpmath.log(1 + z),
        "exponential": mpmath.exp,
        "exponential_minus_one": lambda z: mpmath.exp(z) - 1,
        "sine": mpmath.sin,
        "cosine": mpmath.cos,
        "tan": mpmath.tan,
        "tanh": mpmath.tanh,
    }
    numbers = complex_samples(400, dtype)
    kind = f"tensor<{len(numbers)}xcomplex<{element}>>"
    body = "\n".join(
        f"  %{i} = stablehlo.{name} %x : {kind}" for i, name in enumerate(functions)
    )
    names = ", ".join(f"%{i}" for i in range(len(functions)))
    kinds = ", ".join([kind] * len(functions))
    program = ferrule.compile(
        f"func.func @main(%x: {kind}) -> ({kinds}) {{\n{body}\n"
        f"  return {names} : {kinds}\n}}"
    )
    with mpmath.workprec(300):
        for (name, function), results in zip(
            functions.items(), program(numbers), strict=True
        ):
            for number, result in zip(numbers, results, strict=True):
                exact = function(mpmath.mpc(float(number.real), float(number.imag)))
                found = mpmath.mpc(float(result.real), float(result.imag))
                error = float(abs(found - exact) / abs(exact)) / np.finfo(dtype).eps
                assert error < limit, (name, number, result, error)
