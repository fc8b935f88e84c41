"""Functions of jax.numpy with the types that they are called with."""

import jax.numpy as jnp
import numpy as np

from jax_case import BFLOAT16, Case, complex_numbers, floats, integers, truths

FLOATS = ["float32", "float64", "float16", BFLOAT16]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"]

UNARY = """abs absolute fabs negative positive sign signbit sqrt square cbrt
reciprocal exp exp2 expm1 sin cos tan sinh cosh tanh arcsin arctan arcsinh floor
ceil trunc rint round isnan isinf isfinite isposinf isneginf nan_to_num
deg2rad rad2deg degrees radians sinc i0 spacing modf frexp logical_not angle
real imag conj""".split()
POSITIVE = "log log2 log10 log1p arccosh sqrt".split()
UNARY_INTEGERS = "abs negative sign square bitwise_not invert bitwise_count".split()
UNARY_COMPLEX = """abs negative square sqrt exp log sin cos tan sinh cosh tanh
reciprocal conj real imag angle isnan isfinite arcsin arccos arctan arcsinh
arctanh""".split()
BINARY = """add subtract multiply divide true_divide floor_divide mod fmod
remainder power maximum minimum fmax fmin arctan2 hypot copysign nextafter
logaddexp logaddexp2 heaviside equal not_equal less less_equal greater
greater_equal isclose float_power divmod""".split()
BINARY_INTEGERS = """add subtract multiply floor_divide remainder maximum minimum
bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm equal less
greater_equal""".split()
BINARY_COMPLEX = "add subtract multiply divide equal power".split()
LOGICAL = "logical_and logical_or logical_xor".split()
REDUCTIONS = """sum prod mean std var max min argmax argmin any all median ptp
nansum nanmax nanmin nanmean count_nonzero cumsum cumprod amax amin
nanargmax nanstd cumulative_sum""".split()
REDUCTIONS_INTEGERS = (
    "sum prod max min argmax argmin any all cumsum cumprod mean".split()
)


def elementwise():
    for dtype in FLOATS:
        for name in UNARY:
            if name == "spacing" and dtype == BFLOAT16:
                continue
            yield Case(f"jnp.{name}", getattr(jnp, name), floats(dtype, 3, 5))
        for name in POSITIVE:
            yield Case(
                f"jnp.{name}", getattr(jnp, name), floats(dtype, 3, 5, low=1.1, high=4)
            )
        for name in ("arccos", "arctanh"):
            yield Case(
                f"jnp.{name}",
                getattr(jnp, name),
                floats(dtype, 3, 5, low=-0.9, high=0.9),
            )
        for name in BINARY:
            args = (
                floats(dtype, 3, 5, low=0.3, high=3),
                floats(dtype, 5, low=0.4, high=2, seed=1),
            )
            yield Case(f"jnp.{name}", getattr(jnp, name), *args)
    for dtype in INTEGERS:
        for name in UNARY_INTEGERS:
            yield Case(f"jnp.{name}", getattr(jnp, name), integers(dtype, 3, 5))
        for name in BINARY_INTEGERS:
            second = integers(dtype, 5, low=1, high=6, seed=1)
            yield Case(f"jnp.{name}", getattr(jnp, name), integers(dtype, 3, 5), second)
    for dtype in ("complex64", "complex128"):
        for name in UNARY_COMPLEX:
            yield Case(f"jnp.{name}", getattr(jnp, name), complex_numbers(dtype, 3, 4))
        for name in BINARY_COMPLEX:
            args = complex_numbers(dtype, 3, 4), complex_numbers(dtype, 4, seed=1)
            yield Case(f"jnp.{name}", getattr(jnp, name), *args)
    for name in LOGICAL:
        yield Case(f"jnp.{name}", getattr(jnp, name), truths(3, 4), truths(4, seed=1))


def reductions():
    for dtype in FLOATS:
        for name in REDUCTIONS:
            function = getattr(jnp, name)
            yield Case(
                f"jnp.{name}-last",
                lambda x, f=function: f(x, axis=-1),
                floats(dtype, 4, 6),
            )
            if name != "cumulative_sum":
                yield Case(
                    f"jnp.{name}-all", function, floats(dtype, 4, 6, low=0.5, high=1.5)
                )
    for dtype in INTEGERS:
        for name in REDUCTIONS_INTEGERS:
            function = getattr(jnp, name)
            yield Case(
                f"jnp.{name}-first",
                lambda x, f=function: f(x, axis=0),
                integers(dtype, 4, 3),
            )


X = "float32", 4, 6
SHAPES = {
    "reshape": lambda x: x.reshape(3, 8),
    "transpose": lambda x: x.T,
    "moveaxis": lambda x: jnp.moveaxis(x[None], 0, 2),
    "swapaxes": lambda x: jnp.swapaxes(x, 0, 1),
    "expand_dims": lambda x: jnp.expand_dims(x, (0, 2)),
    "squeeze": lambda x: jnp.squeeze(x[None]),
    "ravel": jnp.ravel,
    "concatenate": lambda x: jnp.concatenate([x, x + 1], axis=1),
    "stack": lambda x: jnp.stack([x, -x], axis=1),
    "vstack": lambda x: jnp.vstack([x, x]),
    "hstack": lambda x: jnp.hstack([x, x]),
    "dstack": lambda x: jnp.dstack([x, x]),
    "split": lambda x: jnp.split(x, 3, axis=1),
    "array_split": lambda x: jnp.array_split(x, 4, axis=1),
    "tile": lambda x: jnp.tile(x, (2, 1)),
    "repeat": lambda x: jnp.repeat(x, 3, axis=0),
    "broadcast_to": lambda x: jnp.broadcast_to(x, (2, 4, 6)),
    "flip": lambda x: jnp.flip(x, 1),
    "rot90": jnp.rot90,
    "roll": lambda x: jnp.roll(x, 2, axis=1),
    "pad-constant": lambda x: jnp.pad(x, ((1, 2), (0, 1)), constant_values=3),
    "pad-edge": lambda x: jnp.pad(x, 2, mode="edge"),
    "pad-reflect": lambda x: jnp.pad(x, 2, mode="reflect"),
    "pad-symmetric": lambda x: jnp.pad(x, 2, mode="symmetric"),
    "pad-wrap": lambda x: jnp.pad(x, 2, mode="wrap"),
    "tril": jnp.tril,
    "triu": lambda x: jnp.triu(x, 1),
    "diag": lambda x: jnp.diag(x[0]),
    "diagonal": jnp.diagonal,
    "trace": jnp.trace,
    "eye": lambda x: x @ jnp.eye(6),
    "arange": lambda x: x[0] + jnp.arange(6),
    "linspace": lambda x: x[0] * jnp.linspace(0, 1, 6),
    "meshgrid": lambda x: jnp.meshgrid(x[0], x[:, 0]),
    "sort": lambda x: jnp.sort(x, axis=0),
    "sort-descending": lambda x: jnp.sort(x, descending=True),
    "argsort": jnp.argsort,
    "lexsort": lambda x: jnp.lexsort((x[0], x[1])),
    "partition": lambda x: jnp.sort(jnp.partition(x, 2)[:, :3]),
    "searchsorted": lambda x: jnp.searchsorted(jnp.sort(x[0]), x[1]),
    "digitize": lambda x: jnp.digitize(x, jnp.array([-0.5, 0.0, 0.5])),
    "histogram": lambda x: jnp.histogram(x, bins=5, range=(-2, 2)),
    "bincount": lambda x: jnp.bincount(jnp.abs(x[0] * 3).astype(int), length=8),
    "where": lambda x: jnp.where(x > 0, x, 2 * x),
    "select": lambda x: jnp.select([x > 1, x > 0], [x, -x], 7.0),
    "clip": lambda x: jnp.clip(x, -0.5, 0.5),
    "take": lambda x: jnp.take(x, jnp.array([3, 0, 5]), axis=1),
    "take_along_axis": lambda x: jnp.take_along_axis(x, jnp.argsort(x), axis=1),
    "index-integers": lambda x: x[jnp.array([0, 2]), jnp.array([1, 5])],
    "index-slices": lambda x: x[1:, ::2],
    "index-negative": lambda x: x[::-1, -3:],
    "index-mask": lambda x: jnp.where(x > 0)[0].sum() if False else x[:, None],
    "at-set": lambda x: x.at[1:3, 2].set(5.0),
    "at-add": lambda x: x.at[jnp.array([0, 0, 2])].add(1.0),
    "at-multiply": lambda x: x.at[:, jnp.array([1, 1])].multiply(2.0),
    "at-max": lambda x: x.at[jnp.array([0, 1])].max(0.0),
    "at-min": lambda x: x.at[jnp.array([0, 1])].min(0.0),
    "at-get-fill": lambda x: x.at[jnp.array([0, 9])].get(mode="fill", fill_value=1.0),
    "nonzero": lambda x: jnp.nonzero(x > 0, size=8, fill_value=0),
    "unique": lambda x: jnp.unique(jnp.round(x), size=6, fill_value=0),
    "diff": jnp.diff,
    "ediff1d": lambda x: jnp.ediff1d(x[0]),
    "gradient": lambda x: jnp.gradient(x, axis=1),
    "convolve": lambda x: jnp.convolve(x[0], x[1][:3]),
    "correlate": lambda x: jnp.correlate(x[0], x[1][:3]),
    "interp": lambda x: jnp.interp(x[0], jnp.linspace(-2, 2, 6), x[1]),
    "polyval": lambda x: jnp.polyval(x[0], x[1]),
    "cov": jnp.cov,
    "corrcoef": jnp.corrcoef,
    "average": lambda x: jnp.average(x, axis=0, weights=jnp.abs(x)),
    "quantile": lambda x: jnp.quantile(x, 0.3, axis=1),
    "percentile": lambda x: jnp.percentile(x, 40, axis=0),
    "nanmedian": lambda x: jnp.nanmedian(x, axis=0),
    "dot": lambda x: jnp.dot(x, x.T),
    "matmul": lambda x: x @ x.T,
    "vdot": lambda x: jnp.vdot(x[0], x[1]),
    "inner": lambda x: jnp.inner(x, x),
    "outer": lambda x: jnp.outer(x[0], x[1]),
    "kron": lambda x: jnp.kron(x[:2, :2], x),
    "cross": lambda x: jnp.cross(x[:, :3], x[:, 3:]),
    "tensordot": lambda x: jnp.tensordot(x, x, axes=[[0], [0]]),
    "einsum-batch": lambda x: jnp.einsum("ij,ik->ijk", x, x),
    "einsum-trace": lambda x: jnp.einsum("ii->i", x[:, :4]),
    "vander": lambda x: jnp.vander(x[0], 3),
    "tri": lambda x: x * jnp.tri(4, 6),
    "block": lambda x: jnp.block([[x, x], [x, x]]),
    "insert": lambda x: jnp.insert(x, 2, 1.0, axis=1),
    "delete": lambda x: jnp.delete(x, 2, axis=1),
    "append": lambda x: jnp.append(x, x),
    "apply_along_axis": lambda x: jnp.apply_along_axis(jnp.sum, 1, x),
    "trapezoid": lambda x: jnp.trapezoid(x, axis=1),
    "fft": lambda x: jnp.fft.fft(x),
    "ifft": lambda x: jnp.fft.ifft(x + 0j),
    "rfft": lambda x: jnp.fft.rfft(x),
    "irfft": lambda x: jnp.fft.irfft(x + 0j),
    "fft2": lambda x: jnp.fft.fft2(x),
    "fftn": lambda x: jnp.fft.fftn(x),
    "fftshift": lambda x: jnp.fft.fftshift(x),
    "unwrap": lambda x: jnp.unwrap(x * 4),
    "packbits": lambda x: jnp.packbits(x > 0),
    "unpackbits": lambda x: jnp.unpackbits(jnp.abs(x * 9).astype("uint8")),
    "view": lambda x: x.view("int32"),
    "astype-int": lambda x: (x * 5).astype("int32"),
    "astype-bool": lambda x: x.astype(bool),
    "astype-half": lambda x: x.astype("float16"),
    "allclose": lambda x: jnp.allclose(x, x),
    "array_equal": lambda x: jnp.array_equal(x, x + 1),
    "isin": lambda x: jnp.isin(jnp.round(x), jnp.array([0.0, 1.0])),
    "setdiff1d": lambda x: jnp.setdiff1d(
        jnp.round(x[0]), jnp.array([0.0]), size=6, fill_value=9
    ),
    "union1d": lambda x: jnp.union1d(
        jnp.round(x[0]), jnp.round(x[1]), size=8, fill_value=9
    ),
    "compress": lambda x: jnp.compress(
        jnp.array([True, False, True, False]), x, axis=0, size=2
    ),
    "choose": lambda x: jnp.choose(
        jnp.array([0, 1, 1, 0, 0, 1]), [x[0], x[1]], mode="clip"
    ),
    "piecewise": lambda x: jnp.piecewise(
        x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2]
    ),
    "ix_": lambda x: x[jnp.ix_(jnp.array([0, 2]), jnp.array([1, 3]))],
    "ldexp": lambda x: jnp.ldexp(x, jnp.arange(6)),
    "empty": lambda x: jnp.concatenate([x, jnp.zeros((0, 6))]).sum(0),
}


def shapes():
    for name, function in SHAPES.items():
        yield Case(f"jnp.{name}", function, floats(*X))
    for name in ("sort", "argsort", "where", "roll", "take", "tril", "concatenate"):
        yield Case(f"jnp.{name}", SHAPES[name], integers("int32", 4, 6))
        yield Case(f"jnp.{name}", SHAPES[name], floats(BFLOAT16, 4, 6))
    wide = np.arange(24, dtype="int64").reshape(4, 6) - 7
    for name in ("transpose", "flip", "tile", "diag", "trace", "split"):
        yield Case(f"jnp.{name}", SHAPES[name], wide)


def cases():
    yield from elementwise()
    yield from reductions()
    yield from shapes()
