"""Transcendental functions over the whole range of their types, measured in
units in the last place against references of higher precision: double (NumPy,
SciPy, mpmath) for f32 and narrower, extended precision or mpmath for f64."""

import ml_dtypes
import mpmath
import numpy as np
import scipy.special as special

DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
MANTISSA = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7}
LEAST_EXPONENT = {"f64": -1022, "f32": -126, "f16": -14, "bf16": -126}


def by_mpmath(function):
    """A function on arrays; None stands for a value that a test cannot know."""

    def compute(*arrays):
        with mpmath.workprec(140):
            found = [function(*(mpmath.mpf(float(v)) for v in row)) for row in zip(*arrays)]
            out = np.empty(len(found), np.longdouble)
            for i, value in enumerate(found):
                high = float(value)
                out[i] = high
                if np.isfinite(high):
                    out[i] += np.longdouble(float(value - mpmath.mpf(high)))
        return out

    return compute


def guarded(function, edges=None):
    """mpmath's function where it is finite, `edges` (a double-precision
    function on an array) where it raises, on infinities, NaN and zeros."""
    compute = by_mpmath(function)

    def whole(*arrays):
        with np.errstate(all="ignore"):
            out = np.asarray(edges(*(a.astype(np.float64) for a in arrays))).astype(np.longdouble)
        usual = np.isfinite(out) & (out != 0)
        for a in arrays:
            usual &= np.isfinite(a) & (a != 0)
        if usual.any():
            out[usual] = compute(*(a[usual] for a in arrays))
        return out

    return whole


def mp_lgamma(x):
    return mpmath.log(abs(mpmath.gamma(x))) if abs(x) < 1e5 else mpmath.loggamma(x).real


def mp_i1e(x):
    return mpmath.besseli(1, x) * mpmath.exp(-abs(x)) if abs(x) < 500 else large_i1e(x)


def large_i1e(x):
    z = abs(x)
    term = total = mpmath.mpf(1)
    for k in range(1, 30):
        term *= -(4 - (2 * k - 1) ** 2) / (8 * z * k)
        total += term
    return mpmath.sign(x) * total / mpmath.sqrt(2 * mpmath.pi * z)


def logistic(x):
    return 1 / (1 + np.exp(-x))


def odd(function):
    """SciPy loses the sign of zero."""
    return lambda x: np.copysign(function(x), x)


def lgamma_edges(x):
    # SciPy's is infinite for denormals.
    out = np.where(np.abs(x) < 1e-300, -np.log(np.abs(x)), special.gammaln(x))
    return np.where((x <= 0) & (x == np.floor(x)), np.inf, np.where(np.isinf(x), np.inf, out))


def digamma_edges(x):
    out = np.where(np.abs(x) < 1e-300, -1 / x, special.psi(x))
    return np.where((x <= 0) & (x == np.floor(x)), np.nan, out)


def mp_zeta(s, q):
    """Terms one by one up to a positive argument."""
    total = mpmath.mpf(0)
    while q <= 0:
        total += q**-s
        q += 1
    return total + mpmath.zeta(s, q)


def mp_polygamma(n, x):
    if n == 0:
        return mpmath.digamma(x)
    return (-1) ** (int(n) + 1) * mpmath.factorial(n) * mp_zeta(n + 1, x)


def zeta_edges(s, q):
    out = np.ones_like(s)
    out[(q <= 0) & (s != np.floor(s))] = np.nan
    out[(q <= 0) & (q == np.floor(q))] = np.inf
    out[s < 1] = np.nan
    out[s == 1] = np.inf
    return out


def polygamma_edges(n, x):
    out = zeta_edges(n + 1, x)
    # The sign of every term of an even order, as PyTorch has it at poles.
    out = np.where(n % 2 == 0, -out, out)
    out[n == 0] = digamma_edges(x[n == 0])
    out[(n < 0) | (n != np.floor(n))] = np.nan
    return out


# name: (text of the op, reference for f32 and narrower on f64, for f64 on
# extended precision)
UNARY = {
    "exponential": (np.exp, np.exp),
    "exponential_minus_one": (np.expm1, np.expm1),
    "log": (np.log, np.log),
    "log_plus_one": (np.log1p, np.log1p),
    "logistic": (logistic, logistic),
    "tanh": (np.tanh, np.tanh),
    "tan": (np.tan, np.tan),
    "sine": (np.sin, np.sin),
    "cosine": (np.cos, np.cos),
    "sqrt": (np.sqrt, np.sqrt),
    "rsqrt": (lambda x: 1 / np.sqrt(x), lambda x: 1 / np.sqrt(x)),
    "cbrt": (np.cbrt, np.cbrt),
    "chlo.acos": (np.arccos, np.arccos),
    "chlo.acosh": (np.arccosh, np.arccosh),
    "chlo.asin": (np.arcsin, np.arcsin),
    "chlo.asinh": (np.arcsinh, np.arcsinh),
    "chlo.atan": (np.arctan, np.arctan),
    "chlo.atanh": (np.arctanh, np.arctanh),
    "chlo.cosh": (np.cosh, np.cosh),
    "chlo.sinh": (np.sinh, np.sinh),
    "chlo.tan": (np.tan, np.tan),
    "chlo.erf": (special.erf, guarded(mpmath.erf, special.erf)),
    "chlo.erfc": (guarded(mpmath.erfc, special.erfc), guarded(mpmath.erfc, special.erfc)),
    "chlo.erf_inv": (odd(special.erfinv), guarded(mpmath.erfinv, odd(special.erfinv))),
    "chlo.lgamma": (guarded(mp_lgamma, lgamma_edges), guarded(mp_lgamma, lgamma_edges)),
    "chlo.digamma": (guarded(mpmath.digamma, digamma_edges), guarded(mpmath.digamma, digamma_edges)),
    "chlo.bessel_i1e": (odd(special.i1e), guarded(mp_i1e, odd(special.i1e))),
}
# Functions that mpmath computes, in f32 or in f64 too.
SLOW = {
    "f32": {"chlo.erfc", "chlo.lgamma", "chlo.digamma", "chlo.zeta", "chlo.polygamma"},
    "f64": {"chlo.erf", "chlo.erfc", "chlo.erf_inv", "chlo.lgamma", "chlo.digamma", "chlo.bessel_i1e",
            "chlo.zeta", "chlo.polygamma"},
}  # fmt: skip
# Left of zero these cross zero between any two poles; there the error is one of
# the terms that cancel, whose size this is.
TERMS = {"chlo.lgamma": lambda x: special.gammaln(1 - x), "chlo.digamma": lambda x: special.psi(1 - x)}
BINARY = {
    "power": (np.power, np.power),
    "atan2": (np.arctan2, np.arctan2),
    "chlo.zeta": (guarded(mp_zeta, zeta_edges), guarded(mp_zeta, zeta_edges)),
    "chlo.polygamma": (guarded(mp_polygamma, polygamma_edges), guarded(mp_polygamma, polygamma_edges)),
}


def text(op, element, arity=1):
    t = f"tensor<?x{element}>"
    arguments = ", ".join(f"%a{i}: {t}" for i in range(arity))
    names = ", ".join(f"%a{i}" for i in range(arity))
    types = f"({', '.join([t] * arity)}) -> {t}"
    full = op if op.startswith("chlo.") else f"stablehlo.{op}"
    return (
        f"func.func @main({arguments}) -> {t} {{\n"
        f'  %r = "{full}"({names}) : {types}\n  return %r : {t}\n}}\n'
    )


def numbers(element, each, seed=0):
    """Every exponent with `each` mantissas and both signs, denormals and
    special values, the usual range more densely; all numbers of 16 bits."""
    dtype = DTYPES[element]
    width = np.dtype(dtype).itemsize * 8
    if width == 16:
        return np.arange(1 << 16, dtype=np.uint16).view(dtype)
    mantissa = MANTISSA[element]
    unsigned = {32: np.uint32, 64: np.uint64}[width]
    rng = np.random.default_rng(seed)
    exponents = np.arange(1 << (width - 1 - mantissa), dtype=np.uint64).repeat(each)
    low = rng.integers(0, 1 << mantissa, len(exponents), dtype=np.uint64)
    low[::each] = 0
    bits = ((exponents << np.uint64(mantissa)) | low).astype(unsigned)
    values = bits.view(dtype)
    values = np.concatenate([values, -values])
    count = each * 64
    usual = [rng.uniform(-r, r, count) for r in (1, 4, 30, 200)]
    usual += [1 + rng.uniform(-1, 1, count) * 10.0 ** rng.uniform(-6, 0, count)]
    usual += [2 + rng.uniform(-1, 1, count) * 10.0 ** rng.uniform(-6, 0, count)]
    usual += [-1 - rng.uniform(-1, 1, count) * 10.0 ** rng.uniform(-6, 0, count)]
    usual += [np.arange(-40, 40) * 0.5, np.arange(-200, 200) * np.pi / 4]
    least = np.array([1, 2, 3, (1 << mantissa) - 1, 1 << mantissa], unsigned).view(dtype)
    top = ml_dtypes.finfo(dtype).max
    fixed = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, top, -top], dtype)
    return np.concatenate([fixed, least, -least, *[u.astype(dtype) for u in usual], values])


def pairs(element, each, seed=1):
    """Two arguments: the special ones with one another, then many."""
    rng = np.random.default_rng(seed)
    dtype = DTYPES[element]
    some = np.array([0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, -2.5, np.inf, -np.inf, np.nan,
                     1e-4, 1e4, ml_dtypes.finfo(dtype).max, ml_dtypes.finfo(dtype).tiny, ml_dtypes.finfo(dtype).smallest_subnormal])  # fmt: skip
    x, y = (a.ravel().astype(dtype) for a in np.meshgrid(some, some))
    n = 256 * each
    wide = DTYPES["f64"]
    a = np.exp(rng.uniform(-1, 1, n) * 10.0 ** rng.uniform(-4, 2.5, n))
    b = rng.uniform(-1, 1, n) * 10.0 ** rng.uniform(-3, 3, n)
    c = rng.uniform(-8, 8, n)
    d = np.round(rng.uniform(-40, 40, n))
    e = np.abs(numbers(element, max(each // 4, 1), seed).astype(wide))
    f = rng.permutation(e) * rng.choice([-1, 1], len(e))
    # Powers that neither overflow nor vanish.
    with np.errstate(all="ignore"):
        g = rng.uniform(-700, 700, len(e)) / np.log(e)
    return (
        np.concatenate([x, *(v.astype(dtype) for v in (a, a, c, e, e))]),
        np.concatenate([y, *(v.astype(dtype) for v in (b, c, d, f, g))]),
    )


def gamma_arguments(op, element, count, seed=2):
    """Orders and arguments of both signs for zeta and polygamma."""
    rng = np.random.default_rng(seed)
    dtype = DTYPES[element]
    n = np.round(rng.uniform(0, 12, count))
    s = np.where(rng.random(count) < 0.5, n + 1, 1 + rng.exponential(6, count))
    q = rng.uniform(-1, 1, count) * 10.0 ** rng.uniform(-2, 1.8, count)
    q[:4] = [0, -3, 1, 2]
    first = s if op == "chlo.zeta" else n
    return first.astype(dtype), q.astype(dtype)


def ulps(element, got, exact, terms=0.0):
    """How far each number is from the exact one, in units of the last place of
    the latter (or of a larger term of its sum); infinite where infinities, NaNs or signs of zero disagree."""
    dtype = DTYPES[element]
    exact = np.asarray(exact, np.longdouble)
    wide = got.astype(np.longdouble)
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(exact), np.abs(terms))
        _, exponent = np.frexp(np.where(np.isfinite(size), size, 1))
        exponent = np.maximum(exponent - 1, LEAST_EXPONENT[element])
        unit = np.ldexp(np.longdouble(1), exponent - MANTISSA[element])
        # Past the largest number the exact value is as good as the first
        # number that does not exist.
        limit = np.longdouble(ml_dtypes.finfo(dtype).max)
        beyond = np.abs(exact) > limit
        capped = np.where(beyond, np.sign(exact) * limit, exact)
        reached = np.where(np.isinf(wide), np.sign(wide) * limit, wide)
        near = np.abs(np.where(beyond | np.isinf(wide), reached - capped, wide - exact)) / unit
    nan = np.isnan(exact)
    near = np.where(nan | np.isnan(wide), np.where(nan & np.isnan(wide), 0, np.inf), near)
    infinite = np.isinf(exact)
    near = np.where(infinite & ~nan, np.where(wide == exact, 0, np.inf), near)
    signs = (exact == 0) & (wide == 0) & (np.signbit(wide) != np.signbit(exact))
    return np.where(signs, np.inf, near).astype(np.float64)


def reference(table, op, element, *arrays):
    function = table[op][1 if element == "f64" else 0]
    wide = np.longdouble if element == "f64" else np.float64
    with np.errstate(all="ignore"):
        return function(*(a.astype(wide) for a in arrays))


def arguments(op, element, each):
    if op in ("chlo.zeta", "chlo.polygamma"):
        return gamma_arguments(op, element, 100 * each)
    if op in BINARY:
        return pairs(element, each * 4)
    return (numbers(element, max(1, each // 8) if element == "f64" else each),)


def measure(op, element, each, run):
    """Arguments, results, references and errors; `run` takes a program and
    arrays."""
    table = BINARY if op in BINARY else UNARY
    args = arguments(op, element, each)
    if op in SLOW["f64" if element == "f64" else "f32"]:
        # The special values stand first.
        limit = 150 * each
        chosen = np.random.default_rng(3).permutation(len(args[0]))[:limit]
        chosen = np.concatenate([np.arange(min(20, len(args[0]))), chosen])
        args = [a[chosen] for a in args]
    got = run(text(op, element, len(args)), *args)
    exact = reference(table, op, element, *args)
    terms = np.zeros(len(got))
    if op in TERMS:
        x = args[0].astype(np.float64)
        with np.errstate(all="ignore"):
            terms = np.where(x < 0, TERMS[op](x), 0.0)
    return args, got, exact, ulps(element, got, exact, terms)
