"""Quantized programs against the specification's formulas in numpy."""

import numpy as np
import pytest
import stablehlo_parity as parity
from quantized import Quantized, program, tensor

RANDOM = np.random.default_rng(7)

TYPES = [
    Quantized("i8", "f32", 0.25, 3),
    Quantized("i8", "f32", 0.1, -100, limits=(-127, 127)),
    Quantized("u8", "f32", 0.037, 128),
    Quantized("i4", "f32", 0.5, 1),
    Quantized("u4", "f32", 0.3, 7),
    Quantized("i2", "f32", 0.75, 1),
    Quantized("i16", "f32", 0.001, 11),
    Quantized("u16", "f64", 0.01, 1000),
    Quantized("i32", "f32", 1e-6, 5),
    Quantized("i32", "f64", 1e-7, 2),
    Quantized("i8", "f64", 0.07, -5),
    Quantized("i8", "f16", 0.11, 4),
    Quantized("u8", "bf16", 0.3, 100),
]
NAMES = [f"{q.storage}-{q.expressed}-{i}" for i, q in enumerate(TYPES)]
every_type = pytest.mark.parametrize("q", TYPES, ids=NAMES)


def run(operands, results, body, *args):
    return [np.asarray(x) for x in parity.run(program(operands, results, body), *args)]


def same(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_array_equal(found.astype(np.float64), expected.astype(np.float64))


@every_type
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_quantize_and_dequantize(q, dynamic):
    x = np.concatenate([
        RANDOM.normal(0, 40, 300) * q.scales[0], [0, np.inf, -np.inf, 1e30, -1e30],
        (np.arange(-20, 20) + 0.5) * q.scales[0],
    ]).astype(q.float)  # fmt: skip
    shape = (None,) if dynamic else x.shape
    floats, stored = tensor(shape, q.expressed), q.tensor(shape)
    body = f"""
      %r0 = stablehlo.uniform_quantize %a0 : ({floats}) -> {stored}
      %r1 = stablehlo.uniform_dequantize %r0 : ({stored}) -> {floats}"""
    quantized, back = run([floats], [stored, floats], body, x)
    same(quantized, q.quantize(x))
    same(back, q.dequantize(quantized))


def test_along_an_axis():
    q = Quantized("i8", "f32", [0.1, 0.25, 3.0], [0, -7, 12], axis=1)
    other = Quantized("i8", "f32", [0.5, 0.4, 2.0], [28, 20, -90], axis=1)
    x = RANDOM.normal(0, 20, (5, 3, 4)).astype(np.float32)
    for shape in (x.shape, (None, 3, None)):
        floats = tensor(shape, "f32")
        body = f"""
          %r0 = stablehlo.uniform_quantize %a0 : ({floats}) -> {q.tensor(shape)}
          %r1 = stablehlo.uniform_quantize %r0 : ({q.tensor(shape)}) -> {other.tensor(shape)}
          %r2 = stablehlo.add %r0, %r0 : ({q.tensor(shape)}, {q.tensor(shape)}) -> {other.tensor(shape)}"""
        results = [q.tensor(shape), other.tensor(shape), other.tensor(shape)]
        first, second, third = run([floats], results, body, x)
        same(first, q.quantize(x))
        same(second, other.quantize(q.dequantize(first)))
        same(third, other.quantize(q.dequantize(first) + q.dequantize(first)))


EXACT = {
    "abs": (1, np.abs), "ceil": (1, np.ceil), "floor": (1, np.floor),
    "negate": (1, np.negative), "round_nearest_even": (1, np.rint),
    "sign": (1, np.sign), "add": (2, np.add), "subtract": (2, np.subtract),
    "multiply": (2, np.multiply), "divide": (2, np.divide),
    "maximum": (2, np.maximum), "minimum": (2, np.minimum),
}  # fmt: skip


def afz(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


@every_type
@pytest.mark.parametrize("name", EXACT)
def test_exact_arithmetic(q, name):
    count, function = EXACT[name]
    args = [q.random(RANDOM, (7, 31)) for _ in range(count)]
    if name == "divide":
        args[1] = np.where(q.distance(args[1]) == 0, args[1] - 1, args[1]).astype(q.dtype)
    t = q.tensor((7, 31))
    names = ", ".join(f"%a{i}" for i in range(count))
    body = f"%r0 = stablehlo.{name} {names} : {t}"
    (found,) = run([t] * count, [t], body, *args)
    numbers = function(*[q.dequantize(a) for a in args]).astype(q.float)
    if q.storage == "i32":
        # A product and a sum may be rounded once.
        np.testing.assert_allclose(found, q.quantize(numbers), rtol=0, atol=2**32 * np.finfo(q.float).eps)
    else:
        same(found, q.quantize(numbers))


LOGISTIC = lambda x: 1 / (1 + np.exp(-x))  # noqa: E731
SMOOTH = {
    "cbrt": np.cbrt, "cosine": np.cos, "exponential": np.exp,
    "exponential_minus_one": np.expm1, "log": np.log, "log_plus_one": np.log1p,
    "logistic": LOGISTIC, "round_nearest_afz": afz,
    "rsqrt": lambda x: 1 / np.sqrt(x), "sine": np.sin, "sqrt": np.sqrt,
    "tan": np.tan, "tanh": np.tanh, "atan2": np.arctan2, "power": np.power,
    "remainder": np.fmod,
}  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("expressed", ["f32", "f64"])
def test_smooth_functions(name, expressed):
    positive = name in ("log", "log_plus_one", "rsqrt", "sqrt", "power")
    q = Quantized("i8", expressed, 0.025, -128 if positive else 3)
    result = Quantized("i8", expressed, 0.0625, -10)
    count = SMOOTH[name].nin if isinstance(SMOOTH[name], np.ufunc) else 1
    args = [np.arange(-127, 128).astype(np.int8)]
    if count == 2:
        args.append(q.random(RANDOM, args[0].shape))
        args[1] = np.where(q.distance(args[1]) == 0, 100, args[1]).astype(np.int8)
    shape = args[0].shape
    names = ", ".join(f"%a{i}" for i in range(count))
    operands = [q.tensor(shape)] * count
    body = f"%r0 = stablehlo.{name} {names} : ({', '.join(operands)}) -> {result.tensor(shape)}"
    (found,) = run(operands, [result.tensor(shape)], body, *args)
    numbers = SMOOTH[name](*[q.dequantize(a).astype(np.float64) for a in args])
    apart = np.abs(found - result.quantize(numbers, exact=None))
    # A number between two integers may round to either.
    assert apart.max() <= 0.5 + 1e-4


@every_type
def test_choices(q):
    a, b, c = (q.random(RANDOM, (40,)) for _ in range(3))
    other = Quantized(q.storage, q.expressed, q.scales[0] * 2, q.zeros[0], limits=q.limits)
    t, o, p = q.tensor((40,)), other.tensor((40,)), tensor((40,), "i1")
    body = f"""
      %r0 = stablehlo.compare LT, %a0, %a1 : ({t}, {o}) -> {p}
      %r1 = stablehlo.select %r0, %a0, %a1 : ({p}, {t}, {o}) -> {o}
      %r2 = stablehlo.clamp %a0, %a2, %a1 : ({t}, {t}, {o}) -> {t}
      %r3 = stablehlo.is_finite %a0 : ({t}) -> {p}"""
    less, chosen, clamped, finite = run([t, o, t], [p, o, t, p], body, a, b, c)
    x, y, z = q.dequantize(a), other.dequantize(b), q.dequantize(c)
    same(less, x < y)
    same(chosen, other.quantize(np.where(x < y, x, y)))
    same(clamped, q.quantize(np.minimum(np.maximum(z, x), y)))
    same(finite, np.ones(40, bool))


@every_type
def test_movement(q):
    x = q.random(RANDOM, (3, 4))
    t, w = q.tensor((3, 4)), q.tensor((7, 3))
    body = f"""
      %0 = stablehlo.transpose %a0, dims = [1, 0] : ({t}) -> {q.tensor((4, 3))}
      %1 = stablehlo.reshape %a0 : ({t}) -> {q.tensor((4, 3))}
      %2 = stablehlo.slice %1 [0:3, 0:3] : ({q.tensor((4, 3))}) -> {q.tensor((3, 3))}
      %3 = stablehlo.concatenate %0, %2, dim = 0 : ({q.tensor((4, 3))}, {q.tensor((3, 3))}) -> {w}
      %4 = stablehlo.reverse %3, dims = [1] : {w}
      %z = stablehlo.constant() <{{value = dense<1> : tensor<i{q.storage[1:]}>}}> : () -> {q.tensor(())}
      %r0 = stablehlo.pad %4, %z, low = [1, 0], high = [0, 2], interior = [1, 0] : ({w}, {q.tensor(())}) -> {q.tensor((14, 5))}
      %r1 = stablehlo.broadcast_in_dim %a0, dims = [2, 0] : ({t}) -> {q.tensor((4, 2, 3))}
      %r2 = "stablehlo.gather"(%a0, %a1) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}}> : ({t}, tensor<5xi32>) -> {q.tensor((5, 4))}"""
    index = np.array([2, 0, 1, 1, 2], np.int32)
    shapes = [(14, 5), (4, 2, 3), (5, 4)]
    found = run([t, "tensor<5xi32>"], [q.tensor(s) for s in shapes], body, x, index)
    joined = np.concatenate([x.T, x.reshape(4, 3)[:3]])[:, ::-1]
    padded = np.ones((14, 5), q.dtype)
    padded[1::2, :3] = joined
    same(found[0], padded)
    same(found[1], np.broadcast_to(x.T[:, None, :], (4, 2, 3)))
    same(found[2], x[index])


def test_bodies():
    q = Quantized("i8", "f32", 0.25, 3)
    wide = Quantized("i32", "f32", 0.125, -2)
    x, y = q.random(RANDOM, (6, 9)), q.random(RANDOM, (6, 9))
    t, s, ws = q.tensor((6, 9)), q.tensor(()), wide.tensor(())
    body = f"""
      %i = stablehlo.constant() <{{value = dense<3> : tensor<i8>}}> : () -> {s}
      %r0 = "stablehlo.reduce"(%a0, %i) <{{dimensions = array<i64: 1>}}> ({{
        ^bb0(%l: {ws}, %r: {ws}):
          %0 = stablehlo.add %l, %r : {ws}
          stablehlo.return %0 : {ws}
      }}) : ({t}, {s}) -> {wide.tensor((6,))}
      %r1 = stablehlo.reduce(%a0 init: %i) applies stablehlo.maximum across dimensions = [0] : ({t}, {s}) -> {q.tensor((9,))}
      %r2:2 = "stablehlo.sort"(%a0, %a1) <{{dimension = 1 : i64, is_stable = true}}> ({{
        ^bb0(%l: {s}, %r: {s}, %m: {s}, %n: {s}):
          %0 = stablehlo.compare GT, %l, %r : ({s}, {s}) -> tensor<i1>
          stablehlo.return %0 : tensor<i1>
      }}) : ({t}, {t}) -> ({t}, {t})
      %r3 = stablehlo.add %r2#0, %r2#1 : {t}
      %r4 = "stablehlo.reduce_window"(%a0, %i) <{{window_dimensions = array<i64: 1, 3>}}> ({{
        ^bb0(%l: {s}, %r: {s}):
          %0 = stablehlo.maximum %l, %r : {s}
          stablehlo.return %0 : {s}
      }}) : ({t}, {s}) -> {q.tensor((6, 7))}"""
    text = program([t, t], [wide.tensor((6,)), q.tensor((9,)), t, q.tensor((6, 7))], body)
    text = text.replace("return %r0, %r1, %r2, %r3", "return %r0, %r1, %r3, %r4")
    sums, most, both, pooled = map(np.asarray, parity.run(text, x, y))
    same(sums, wide.quantize(q.dequantize(x).sum(1)))
    same(most, q.quantize(np.maximum(q.dequantize(x).max(0), 0)))
    order = np.argsort(-x.astype(int), axis=1, kind="stable")
    ordered = [q.dequantize(np.take_along_axis(v, order, 1)) for v in (x, y)]
    same(both, q.quantize(ordered[0] + ordered[1]))
    windows = np.lib.stride_tricks.sliding_window_view(q.dequantize(x), 3, axis=1)
    same(pooled, q.quantize(np.maximum(windows.max(-1), 0)))


def test_scatter_and_loop():
    q = Quantized("i8", "f32", 0.5, -4)
    x, u = q.random(RANDOM, (6,)), q.random(RANDOM, (3,))
    index = np.array([[4], [1], [4]], np.int32)
    t, s = q.tensor((6,)), q.tensor(())
    body = f"""
      %0 = "stablehlo.scatter"(%a0, %a1, %a2) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
        ^bb0(%l: {s}, %r: {s}):
          %1 = stablehlo.add %l, %r : {s}
          stablehlo.return %1 : {s}
      }}) : ({t}, tensor<3x1xi32>, {q.tensor((3,))}) -> {t}
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %r:2 = stablehlo.while(%v = %0, %n = %zero) : {t}, tensor<i32>
        cond {{
          %1 = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        }} do {{
          %1 = stablehlo.multiply %v, %v : {t}
          %2 = stablehlo.add %n, %one : tensor<i32>
          stablehlo.return %1, %2 : {t}, tensor<i32>
        }}
      %r0 = stablehlo.optimization_barrier %r#0 : {t}"""
    (found,) = run([t, "tensor<3x1xi32>", q.tensor((3,))], [t], body, x, index, u)
    expected = x.copy()
    for i, v in zip(index[:, 0], u):
        expected[i] = q.quantize(q.dequantize(expected[i : i + 1]) + q.dequantize(v[None]))[0]
    for _ in range(3):
        expected = q.quantize(q.dequantize(expected) * q.dequantize(expected))
    same(found, expected)
