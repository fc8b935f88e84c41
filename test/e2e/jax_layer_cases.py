"""More functions for test/e2e: what models are made of, and rarer types."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax_cases import INF, NAN, case, numbers

# ---- Linear algebra, spectra, random bits


@case(
    "linear-algebra",
    np.array([[4, 2, 2], [2, 5, 3], [2, 3, 6]], "f4"),
    numbers(3, 2),
    check="expect_almost_eq",
)
def factor_and_solve(a, b):
    "A Cholesky factor and systems with it, from both sides."
    factor = lax.linalg.cholesky(a)
    left = lax.linalg.triangular_solve(factor, b, left_side=True, lower=True)
    return (
        factor,
        left,
        lax.linalg.triangular_solve(factor, b.T, lower=True, transpose_a=True),
    )


@case("linear-algebra", numbers(2, 12), check="expect_almost_eq")
def spectra(x):
    "Fourier transforms of 12 points: forward, back, of real numbers."
    whole = jnp.fft.fft(x)
    return (
        whole,
        jnp.fft.ifft(whole),
        jnp.fft.rfft(x),
        jnp.fft.irfft(jnp.fft.rfft(x), 12),
    )


@case("random", np.array([7, 42], "u4"))
def threefry(key):
    "Bits of JAX's generator."
    key = jax.random.wrap_key_data(key, impl="threefry2x32")
    return jax.random.bits(key, (5,))


@case("random", np.array([1, 2, 3, 4], "u4"))
def philox(key):
    "Bits of the generator that XLA has itself."
    return lax.rng_bit_generator(key, (7,), algorithm=lax.RandomAlgorithm.RNG_PHILOX)


# ---- More element types


@case(
    "number-types",
    np.array([1e-3, 1.5, -65504, 7, NAN], "f2"),
    np.array([3, 0.5, 2, -7, 1], "f2"),
)
def half_precision(x, y):
    "Arithmetic in 16 bits, overflow included."
    return x + y, x * y, x / y, lax.lt(x, y), x.astype(jnp.int32)


@case("number-types", np.array([2**62, -(2**62), 5], "i8"), np.array([3, 3, -2], "i8"))
def wide_integers(x, y):
    "Products wrap; bits are counted."
    return x * y, lax.div(x, y), lax.population_count(x), lax.clz(x)


@case("number-types", np.array([0.1, -2.5, 1e300], "f8"))
def double_precision(x):
    "Numbers that f32 does not have."
    return x * x, jnp.sqrt(jnp.abs(x)), x.astype(jnp.float32)


@case("number-types", np.array([300.7, -300.7, NAN, 1e20, -0.9], "f4"))
def float_to_integer(x):
    "Towards zero, to the nearest integer that there is; NaN gives 0."
    return x.astype(jnp.int32), x.astype(jnp.int8), x.astype(jnp.uint8)


# ---- Layers


@case(
    "layers",
    numbers(2, 4, 8),
    numbers(8, seed=1),
    numbers(8, seed=2),
    check="expect_almost_eq",
)
def normalised(x, scale, shift):
    "Layer normalisation and softmax."
    y = jax.nn.standardize(x, axis=-1) * scale + shift
    return y, jax.nn.softmax(y, axis=1), jax.nn.gelu(y, approximate=False)


@case(
    "layers",
    numbers(2, 5, 8),
    numbers(2, 7, 8, seed=1),
    numbers(2, 7, 4, seed=2),
    check="expect_almost_eq",
)
def attention(q, k, v):
    "Scores with a causal mask."
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / 8**0.5
    mask = jnp.arange(5)[:, None] >= jnp.arange(7)[None, :]
    return jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1) @ v


@case("layers", numbers(1, 8, 8, 3), numbers(3, 3, 3, 4, seed=1), numbers(4, seed=2))
def convolution_block(x, w, bias):
    "A convolution with bias, an activation and a pooling behind it."
    y = lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return lax.reduce_window(
        jax.nn.relu(y + bias), -INF, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
    )


@case("layers", numbers(3, 4), numbers(4, 5, seed=1), check="expect_almost_eq")
def gradient(x, w):
    "The derivative of a small loss."
    return jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
