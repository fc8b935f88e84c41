"""Elementwise ops on every element type, special values first."""

import itertools

import ml_dtypes
import numpy as np
from sweep.programs import (
    COMPLEX, EVERY, FLOATS, INTEGERS, NUMPY, SIGNED, SMALL_FLOATS, UNSIGNED, Case, is_float, tensor, type_of,
)  # fmt: skip

ALL_FLOATS = [*SMALL_FLOATS, *FLOATS]


def width(element):
    return int("".join(c for c in element if c.isdigit()))


def integers(element):
    bits = width(element)
    if element[0] == "u":
        values = [0, 1, 2, 3, 5, 7, bits, bits + 1, 2 ** (bits - 1), 2**bits - 2, 2**bits - 1]
        return sorted({v for v in values if v < 2**bits})
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    values = [low, low + 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, bits, high - 1, high]
    return sorted({v for v in values if low <= v <= high})


def samples(element):
    """A vector of values that probes an element type."""
    dtype = NUMPY[element]
    if element == "i1":
        return np.array([False, True])
    if element in INTEGERS:
        return np.array(integers(element)).astype(dtype) if width(element) < 64 else np.array(integers(element), dtype)
    if element in SMALL_FLOATS:
        bits = int(element[1])
        return np.arange(2**bits, dtype=np.uint8).view(dtype)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, 0.1, -0.3, 7.25, 30.0, -9.0,
              np.inf, -np.inf, np.nan]  # fmt: skip
    if element in COMPLEX:
        parts = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.25]
        return np.array([complex(a, b) for a, b in itertools.product(parts, parts)], dtype)
    return np.array(values).astype(dtype)


def grid(element):
    values = samples(element)
    if len(values) > 64:
        values = values[:: len(values) // 32]
    if element in COMPLEX:
        values = values[::3]
    x, y = np.meshgrid(values, values)
    return x.astype(values.dtype), y.astype(values.dtype)


EXACT = "exact"
CLOSE = "close"

UNARY = {
    "abs": ([*SIGNED, *ALL_FLOATS, *COMPLEX], EXACT),
    "negate": ([*INTEGERS, *ALL_FLOATS, *COMPLEX], EXACT),
    "sign": ([*SIGNED, *ALL_FLOATS, *COMPLEX], EXACT),
    "not": (["i1", *INTEGERS], EXACT),
    "popcnt": (INTEGERS, EXACT),
    "count_leading_zeros": (INTEGERS, EXACT),
    "ceil": (ALL_FLOATS, EXACT),
    "floor": (ALL_FLOATS, EXACT),
    "round_nearest_afz": (ALL_FLOATS, EXACT),
    "round_nearest_even": (ALL_FLOATS, EXACT),
    "real": ([*FLOATS, *COMPLEX], EXACT),
    "imag": ([*FLOATS, *COMPLEX], EXACT),
    "is_finite": (ALL_FLOATS, EXACT),
    **{
        name: ([*ALL_FLOATS, *COMPLEX], CLOSE)
        for name in [
            "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one",
            "logistic", "rsqrt", "sine", "sqrt", "tan", "tanh",
        ]
    },
}  # fmt: skip
BINARY = {
    "add": (EVERY, EXACT),
    "subtract": ([*INTEGERS, *ALL_FLOATS, *COMPLEX], EXACT),
    "multiply": (EVERY, EXACT),
    "divide": ([*INTEGERS, *ALL_FLOATS, *COMPLEX], EXACT),
    "remainder": ([*INTEGERS, *ALL_FLOATS], EXACT),
    "maximum": (EVERY, EXACT),
    "minimum": (EVERY, EXACT),
    "power": ([*INTEGERS, *ALL_FLOATS, *COMPLEX], CLOSE),
    "atan2": ([*ALL_FLOATS, *COMPLEX], CLOSE),
    **{op: (["i1", *INTEGERS], EXACT) for op in ["and", "or", "xor"]},
    **{op: (INTEGERS, EXACT) for op in ["shift_left", "shift_right_arithmetic", "shift_right_logical"]},
}


def result_element(op, element):
    if op == "is_finite":
        return "i1"
    if element in COMPLEX and op in ("abs", "real", "imag"):
        return element[8:11]
    return element


def wide(function, *args):
    """The function in f32, rounded to the element type, as oracle for the
    types that XLA does not compute with."""
    dtype = args[0].dtype
    with np.errstate(all="ignore"):
        result = function(*(a.astype(np.float32) for a in args))
    return result if result.dtype == np.bool_ else result.astype(np.float32).astype(dtype)


NUMPY_FUNCTIONS = {
    "abs": np.abs, "negate": np.negative, "sign": np.sign, "ceil": np.ceil, "floor": np.floor,
    "round_nearest_afz": lambda x: np.copysign(np.floor(np.abs(x) + np.float32(0.5)), x),
    "round_nearest_even": np.rint, "is_finite": np.isfinite, "cbrt": np.cbrt,
    "cosine": np.cos, "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log,
    "log_plus_one": np.log1p, "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "rsqrt": lambda x: 1 / np.sqrt(x), "sine": np.sin, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "remainder": np.fmod, "maximum": np.maximum, "minimum": np.minimum, "power": np.power,
    "atan2": np.arctan2,
}  # fmt: skip


def expected_for(op, element):
    if element not in SMALL_FLOATS:
        return None
    return lambda *args: wide(NUMPY_FUNCTIONS[op], *args)


def operations():
    for table, arity in ((UNARY, 1), (BINARY, 2)):
        for op, (elements, agreement) in table.items():
            for element in elements:
                inputs = [samples(element)] if arity == 1 else list(grid(element))
                agreed = agreement
                if element in COMPLEX and agreement == EXACT and op in ("divide", "sign", "abs", "multiply"):
                    agreed = CLOSE
                if element in SMALL_FLOATS:
                    agreed = EXACT
                names = ", ".join(f"%a{i}" for i in range(arity))
                static = None
                for dynamic in (False, True):
                    result = tensor(result_element(op, element), *(["?"] * inputs[0].ndim if dynamic else inputs[0].shape))
                    types = [type_of(a, dynamic) for a in inputs]
                    static = Case(
                        f"{op} {element}{' dynamic' if dynamic else ''}",
                        inputs,
                        f"%r = stablehlo.{op} {names} : ({', '.join(types)}) -> {result}",
                        [result],
                        agreed,
                        expected=expected_for(op, element),
                        arguments=types,
                        like=static,
                    )
                    yield static
                scalars = [a.reshape(-1)[len(a.reshape(-1)) // 2] for a in inputs]
                scalars = [np.asarray(s) for s in scalars]
                empty = [a.reshape(-1)[:0].reshape(0, 3) for a in inputs]
                for kind, arrays in (("scalar", scalars), ("empty", empty)):
                    result = tensor(result_element(op, element), *arrays[0].shape)
                    yield Case(
                        f"{op} {element} {kind}",
                        arrays,
                        f"%r = stablehlo.{op} {names} : ({', '.join(type_of(a) for a in arrays)}) -> {result}",
                        [result],
                        agreed,
                        expected=expected_for(op, element),
                    )


def conversions():
    for source in EVERY:
        for target in EVERY:
            x = samples(source)
            if "f6" in source + target and not (is_float(source) and is_float(target)):
                continue  # jaxlib has no floats of six bits.
            expected = None
            if (source in SMALL_FLOATS and is_float(target)) or (target in SMALL_FLOATS and is_float(source)):
                def expected(a, t=target):
                    with np.errstate(all="ignore"):
                        return a.astype(np.float64).astype(NUMPY[t])
            yield Case(
                f"convert {source} to {target}",
                [x],
                f"%r = stablehlo.convert %a0 : ({type_of(x)}) -> {tensor(target, *x.shape)}",
                [tensor(target, *x.shape)],
                expected=expected,
            )


def comparisons():
    for element in EVERY:
        x, y = grid(element)
        kinds = ["FLOAT"] if is_float(element) or element in COMPLEX else ["UNSIGNED" if element in UNSIGNED or element == "i1" else "SIGNED"]
        if element in FLOATS:
            kinds.append("TOTALORDER")
        for kind in kinds:
            directions = ["EQ", "NE"] if element in COMPLEX else ["EQ", "NE", "GE", "GT", "LE", "LT"]
            result = tensor("i1", *x.shape)
            body = "\n".join(
                f"%r{i or ''} = stablehlo.compare {d}, %a0, %a1, {kind} : ({type_of(x)}, {type_of(y)}) -> {result}"
                for i, d in enumerate(directions)
            )
            expected = None
            if element in SMALL_FLOATS:
                def expected(a, b):
                    a, b = a.astype(np.float32), b.astype(np.float32)
                    return [a == b, a != b, a >= b, a > b, a <= b, a < b]
            yield Case(f"compare {kind} {element}", [x, y], body, [result] * len(directions), expected=expected)


def selections():
    for element in EVERY:
        x, y = (a[:4, :6] for a in grid(element))
        p = np.arange(x.size).reshape(x.shape) % 3 == 0
        t = type_of(x)
        yield Case(
            f"select {element}", [p, x, y],
            f"%r = stablehlo.select %a0, %a1, %a2 : {type_of(p)}, {t}", [t],
            expected=lambda p, x, y: np.where(p, x, y).astype(x.dtype),
        )  # fmt: skip
        one = np.array(True)
        yield Case(
            f"select scalar {element}", [one, x, y],
            f"%r = stablehlo.select %a0, %a1, %a2 : (tensor<i1>, {t}, {t}) -> {t}", [t],
            expected=lambda p, x, y: x,
        )  # fmt: skip
        if element in COMPLEX or element == "f6E2M3FN" or element == "f6E3M2FN":
            continue
        values = samples(element)
        finite = values[np.isfinite(values.astype(np.float64))]
        low, high = np.asarray(finite[len(finite) // 4]), np.asarray(finite[len(finite) // 2])
        s = type_of(low)
        yield Case(
            f"clamp {element}", [low, x, high],
            f"%r = stablehlo.clamp %a0, %a1, %a2 : ({s}, {t}, {s}) -> {t}", [t],
        )  # fmt: skip
        yield Case(f"clamp tensors {element}", [y, x, x], f"%r = stablehlo.clamp %a0, %a1, %a2 : {t}", [t])


def others():
    for part, whole in (("f32", "complex<f32>"), ("f64", "complex<f64>")):
        x, y = grid(part)
        yield Case(f"complex {part}", [x, y], f"%r = stablehlo.complex %a0, %a1 : {tensor(whole, *x.shape)}",
                   [tensor(whole, *x.shape)])  # fmt: skip
    for element in FLOATS:
        x = np.concatenate([samples(element), np.random.default_rng(1).standard_normal(40).astype(NUMPY[element])])
        for e, m in ((5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (2, 1), (11, 52), (5, 0), (1, 3)):
            yield Case(f"reduce_precision {element} e{e}m{m}", [x],
                       f"%r = stablehlo.reduce_precision %a0, format = e{e}m{m} : {type_of(x)}", [type_of(x)])  # fmt: skip
    widths = {}
    for element in EVERY:
        if element in COMPLEX or element == "i1":
            continue
        bits = int(element[1]) if element in SMALL_FLOATS else width(element)
        widths.setdefault(bits, []).append(element)
    rng = np.random.default_rng(2)
    for a, b in itertools.product(widths, widths):
        if a == 6 or b == 6 or max(a, b) % min(a, b):
            continue
        for source, target in {(widths[a][0], widths[b][0]), (widths[a][-1], widths[b][-1]), (widths[a][0], widths[b][-1])}:
            count = max(a, b) // min(a, b)
            shape = (3,) if a == b else (3, count) if a < b else (3,)
            out = (3,) if a == b else (3,) if a < b else (3, count)
            raw = rng.integers(0, 2 ** min(a, 8), (*shape, max(a // 8, 1)), dtype=np.uint8)
            x = raw.reshape(*shape, -1).view(NUMPY[source]).reshape(shape) if a >= 8 else raw[..., 0].astype(np.uint8).view(NUMPY[source]).reshape(shape)
            if is_float(source) and not np.isfinite(x.astype(np.float64)).all():
                continue
            yield Case(f"bitcast_convert {source} to {target}", [x],
                       f"%r = stablehlo.bitcast_convert %a0 : ({type_of(x)}) -> {tensor(target, *out)}",
                       [tensor(target, *out)])  # fmt: skip
    for element in EVERY:
        if element == "i1":
            continue
        for dim in (0, 1):
            t = tensor(element, 3, 4)
            yield Case(f"iota {element} {dim}", [], f"%r = stablehlo.iota dim = {dim} : {t}", [t],
                       expected=lambda d=dim, e=element: np.indices((3, 4))[d].astype(NUMPY[e] if e[:4] not in ("f8E8", ) else np.float32).astype(NUMPY[e]))  # fmt: skip


def cases():
    yield from operations()
    yield from conversions()
    yield from comparisons()
    yield from selections()
    yield from others()
