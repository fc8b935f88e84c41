"""Functions whose programs, inputs and results test/e2e holds:
utils/make_e2e.py writes them. The docstring is the program's comment."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

FILES: dict[str, list] = {}


def case(file, *args, check="expect_close"):
    """Registers a function with its inputs for a file of programs."""

    def register(function):
        arrays = [np.asarray(arg) for arg in args]
        FILES.setdefault(file, []).append((function, arrays, check))
        return function

    return register


def numbers(*shape, dtype="f4", seed=0):
    """Eighths between -2 and 2: their sums and products are exact."""
    values = np.random.default_rng(seed).integers(-16, 17, shape)
    return (values / 8).astype(dtype)


# ---- Elementwise corner cases

INF, NAN = float("inf"), float("nan")
SPECIAL = np.array([0.0, -0.0, 1.5, -2.5, INF, -INF, NAN, 1e-30], "f4")


@case(
    "elementwise",
    np.array([7, -7, 7, -7, -(2**31)], "i4"),
    np.array([3, 3, -3, -3, 2], "i4"),
)
def integer_division(x, y):
    "Quotients and remainders round towards zero."
    return lax.div(x, y), lax.rem(x, y)


@case(
    "elementwise", np.array([1, -1, 200, -128], "i4"), np.array([0, 31, 32, 40], "i4")
)
def shifts(x, y):
    "Shifts by the width and more give zero, or the sign."
    return (
        lax.shift_left(x, y),
        lax.shift_right_logical(x, y),
        lax.shift_right_arithmetic(x, y),
    )


@case("elementwise", SPECIAL, SPECIAL[::-1].copy())
def maximum_and_minimum(x, y):
    "NaN wins in both."
    return lax.max(x, y), lax.min(x, y)


@case("elementwise", np.array([0.5, 1.5, 2.5, -0.5, -1.5, 1e30, INF, NAN], "f4"))
def rounding(x):
    "To even, away from zero, down, up; infinities and NaN stay."
    away = lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO)
    even = lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)
    return away, even, lax.floor(x), lax.ceil(x)


@case(
    "elementwise",
    np.array([2, 2, -2, -2, 0, 0, INF, 1], "f4"),
    np.array([3, -1, 3, 0.5, 0, -1, 0, NAN], "f4"),
)
def powers(x, y):
    "Negative bases, zeros and what is 1 by definition."
    return lax.pow(x, y)


@case("number-types", np.array([250, 5, 255], "u1"), np.array([10, 10, 255], "u1"))
def unsigned_wraps(x, y):
    "Unsigned bytes wrap around and compare without a sign."
    return x + y, x - y, x * y, lax.lt(x, y)


@case("number-types", numbers(5, 7))
def to_bfloat16(x):
    "Rounding to bfloat16 and arithmetic in it."
    y = (x * 1.01).astype(jnp.bfloat16)
    return y, y + y, y.astype(jnp.float32)


@case(
    "number-types", np.array([1.00390625, 1.01171875, NAN, INF, 3.4e38, -1e-41], "f4")
)
def bfloat16_corners(x):
    "Ties go to even, NaN stays, the largest overflow; selection keeps bits."
    y = x.astype(jnp.bfloat16)
    return y, lax.max(y, -y), jnp.where(y > 1, y, -y)


@case(
    "number-types",
    np.array([1 + 2j, -1j, 0, 3], "c8"),
    np.array([2 - 1j, 4, 1j, -2], "c8"),
)
def complex_arithmetic(x, y):
    "Products, quotients, moduli and parts."
    return x * y, x / y, lax.abs(x), lax.real(x), lax.imag(x)


@case(
    "elementwise",
    np.array([-1.0, 0.0, 0.3, 2.5, 40.0, -40.0], "f4"),
    check="expect_almost_eq",
)
def functions(x):
    "Functions of the mathematical library."
    return (
        jnp.exp(-jnp.abs(x)),
        jnp.tanh(x),
        lax.logistic(x),
        lax.erf(x),
        jnp.sin(x),
        jnp.log1p(jnp.abs(x)),
    )


# ---- Contractions and convolutions


@case("dot-general", numbers(2, 3, 5), numbers(2, 5, 4, seed=1))
def batched_product(x, y):
    "A batch of matrix products."
    return lax.dot_general(x, y, (([2], [1]), ([0], [0])))


@case("dot-general", numbers(5, 2, 3), numbers(3, 4, 5, seed=1))
def two_contracted_dimensions(x, y):
    "Two dimensions contracted, in another order on both sides."
    return lax.dot_general(x, y, (([0, 2], [2, 0]), ([], [])))


@case("dot-general", numbers(7), numbers(7, seed=1))
def inner_product(x, y):
    "The result is a scalar."
    return lax.dot_general(x, y, (([0], [0]), ([], [])))


@case(
    "dot-general",
    np.arange(-6, 6, dtype="i1").reshape(3, 4),
    np.arange(-8, 12, dtype="i1").reshape(4, 5),
)
def byte_product(x, y):
    "Bytes summed up in 32 bits."
    return lax.dot_general(
        x, y, (([1], [0]), ([], [])), preferred_element_type=jnp.int32
    )


@case("convolution", numbers(1, 3, 6, 6), numbers(4, 3, 3, 3, seed=1))
def strided_and_padded(x, w):
    "Strides 2 and 1, padding on unequal sides."
    return lax.conv_general_dilated(x, w, (2, 1), [(1, 0), (1, 2)])


@case("convolution", numbers(1, 5, 5, 4), numbers(3, 3, 1, 8, seed=1))
def depthwise(x, w):
    "One filter of two outputs for each of four channels, channels last."
    return lax.conv_general_dilated(
        x,
        w,
        (1, 1),
        "VALID",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=4,
    )


@case("convolution", numbers(2, 3, 4), numbers(2, 3, 3, seed=1))
def dilated_both_ways(x, w):
    "Holes in the input and in the window."
    return lax.conv_general_dilated(
        x, w, (1,), [(2, 2)], lhs_dilation=(2,), rhs_dilation=(2,)
    )


# ---- Reductions


@case("reduce", numbers(3, 4, 5))
def sums(x):
    "Over the first, a middle, the last and all dimensions."
    return jnp.sum(x, 0), jnp.sum(x, 1), jnp.sum(x, 2), jnp.sum(x)


@case("reduce", np.array([[3, -1, 3], [-5, -5, 2]], "i4"))
def extremes(x):
    "The first of equal elements counts."
    return jnp.max(x, 1), jnp.argmax(x, 1), jnp.argmin(x, 1), jnp.prod(x, 0)


@case("reduce", np.array([[True, False], [True, True]]))
def booleans(x):
    "Conjunction and disjunction."
    return jnp.all(x, 0), jnp.any(x, 1)


@case("reduce-window", numbers(1, 6, 6, 2))
def pooling(x):
    "Overlapping windows that reach into the padding."
    largest = lax.reduce_window(x, -INF, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    return largest, lax.reduce_window(
        x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "VALID"
    )


@case("reduce-window", numbers(3, 8))
def running_sum(x):
    "A window as long as the dimension."
    return jnp.cumsum(x, 1), lax.cumsum(x, 0, reverse=True)


@case("reduce-window", np.arange(16, dtype="f4").reshape(1, 4, 4) % 7)
def gradient_of_pooling(x):
    "Scatters to the largest element of each window."
    pool = lambda v: jnp.sum(
        lax.reduce_window(v, -INF, lax.max, (1, 2, 2), (1, 2, 2), "VALID") * 3
    )
    return jax.grad(pool)(x)


# ---- Indices


@case("gather", numbers(5, 4), np.array([4, 0, 7, -1], "i4"))
def rows(x, i):
    "Indices out of range are clamped, negative ones too."
    return lax.gather(
        x,
        i[:, None],
        lax.GatherDimensionNumbers((1,), (0,), (0,)),
        (1, 4),
        mode=lax.GatherScatterMode.CLIP,
    )


@case("gather", numbers(4, 6), np.array([[0, 1], [3, 2]], "i4"))
def windows(x, i):
    "Slices of 2x3 at computed places."
    return lax.gather(
        x,
        i,
        lax.GatherDimensionNumbers((1, 2), (), (0, 1)),
        (2, 3),
        mode=lax.GatherScatterMode.CLIP,
    )


@case("scatter", numbers(5, 3), np.array([1, 4, 1, 9], "i4"), numbers(4, 3, seed=1))
def sum_of_updates(x, i, u):
    "Two updates of one row add up; one out of range is dropped."
    return x.at[i].add(u, mode="drop"), x.at[i].max(u, mode="drop")


@case(
    "scatter",
    np.zeros((2, 4), "i4"),
    np.array([[0, 3], [1, 0]], "i4"),
    np.array([5, 6], "i4"),
)
def single_elements(x, i, u):
    "Elements at pairs of indices are replaced."
    return x.at[i[:, 0], i[:, 1]].set(u)


@case("sort", np.array([[3, 1, 2, 1], [0, -1, 5, -1]], "i4"), numbers(2, 4))
def keys_and_values(k, v):
    "Stable: values of equal keys keep their order."
    return lax.sort((k, v), dimension=1, num_keys=1)


@case("sort", np.array([2.0, NAN, -0.0, 0.0, -INF, 1.0], "f4"))
def special_floats(x):
    "NaN goes last."
    return jnp.argsort(x), lax.top_k(x[2:], 2)


# ---- Control flow


@case("control-flow", np.array(10, "i4"), numbers(3))
def counted_loop(n, x):
    "The number of iterations is known at run time only."
    return lax.fori_loop(0, n, lambda i, v: v * 0.5 + i.astype(jnp.float32), x)


@case("control-flow", np.array(27, "i4"))
def collatz(n):
    "A loop that ends on a computed condition."
    step = lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1)
    return lax.while_loop(lambda s: s[0] != 1, step, (n, jnp.int32(0)))


@case("control-flow", np.array(True), numbers(4))
def branch(p, x):
    "Both branches, the other one by negation."
    pick = lambda q: lax.cond(q, lambda v: v + 1, lambda v: v * 2, x)
    return pick(p), pick(jnp.logical_not(p))


@case("control-flow", np.array(7, "i4"), numbers(4))
def branch_by_number(i, x):
    "Numbers out of range take the last branch."
    return lax.switch(i, [lambda v: v, lambda v: -v, lambda v: v * 3], x)


@case("control-flow", numbers(5, 3))
def scan(x):
    "A loop over slices that collects its values."
    return lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(3, jnp.float32), x)


# ---- Movement of data


@case("movement", numbers(2, 3, 4))
def rearranging(x):
    "Transposes, reverses, slices with steps, negative padding."
    padded = lax.pad(x, jnp.float32(9), [(1, 0, 0), (-1, 2, 1), (0, -1, 0)])
    return jnp.transpose(x, (2, 0, 1)), lax.rev(x, (1, 2)), x[:, ::2, 1::3], padded


@case("movement", numbers(4, 6), np.array(3, "i4"), np.array(-2, "i4"))
def dynamic_slices(x, i, j):
    "Starts are clamped so that the slice lies within."
    part = lax.dynamic_slice(x, (i, j), (2, 3))
    return part, lax.dynamic_update_slice(x, part * 2, (i, i))


@case("movement", np.zeros((0, 3), "f4"), numbers(2, 3))
def empty_tensors(x, y):
    "Tensors without elements."
    return lax.concatenate([x, y], 0), jnp.sum(x, 0)
