"""Networks lowered by JAX, as text, against JAX."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from stablehlo_parity import check

random = np.random.default_rng(0)


def weights(*shape):
    scale = np.prod(shape[:-1]) ** -0.5
    return (random.standard_normal(shape) * scale).astype(np.float32)


def convolution(x, w, stride=1, groups=1):
    return lax.conv_general_dilated(
        x,
        w,
        (stride, stride),
        "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=groups,
    )


def batch_norm(x, scale, shift):
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def test_convolutional_network():
    """Strides, a depthwise step, a residual, pooling, a dense layer."""
    stem, depth, point = (
        weights(3, 3, 3, 24),
        weights(3, 3, 1, 24),
        weights(1, 1, 24, 24),
    )
    scale, shift, dense = weights(1, 24)[0], weights(1, 24)[0], weights(24, 10)

    def network(x):
        x = jax.nn.relu(batch_norm(convolution(x, stem, 2), scale, shift))
        y = jax.nn.silu(convolution(x, depth, groups=24))
        x = x + convolution(y, point)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        return jax.nn.softmax(x.mean((1, 2)) @ dense)

    x = random.standard_normal((2, 32, 32, 3)).astype(np.float32)
    check(network, x, rtol=1e-4, atol=1e-6)


def layer_norm(x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def test_transformer_block():
    """Rotated positions, causal attention of grouped heads, a gated layer."""
    width, heads, groups, length = 32, 4, 2, 11
    size = width // heads
    wq, wo = weights(width, heads, size), weights(heads, size, width)
    wk, wv = weights(width, groups, size), weights(width, groups, size)
    gate, up, down = weights(width, 64), weights(width, 64), weights(64, width)

    def rotate(x):
        angle = jnp.arange(length)[:, None] / 100.0 ** (jnp.arange(size // 2) / size)
        sin, cos = jnp.sin(angle)[:, None], jnp.cos(angle)[:, None]
        a, b = jnp.split(x, 2, -1)
        return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    def block(tokens, table):
        x = table[tokens]
        y = layer_norm(x)
        q = rotate(jnp.einsum("bsd,dhk->bshk", y, wq))
        k = rotate(jnp.einsum("bsd,dgk->bsgk", y, wk))
        v = jnp.einsum("bsd,dgk->bsgk", y, wv)
        k, v = (jnp.repeat(z, heads // groups, axis=2) for z in (k, v))
        scores = jnp.einsum("bshk,bthk->bhst", q, k) / np.sqrt(size)
        seen = jnp.tril(jnp.ones((length, length), bool))
        scores = jax.nn.softmax(jnp.where(seen, scores, -1e9), -1)
        x = x + jnp.einsum("bhst,bthk,hkd->bsd", scores, v, wo)
        y = layer_norm(x)
        return x + (jax.nn.silu(y @ gate) * (y @ up)) @ down

    tokens = random.integers(0, 50, (2, length)).astype(np.int32)
    check(block, tokens, weights(50, width), rtol=1e-4, atol=1e-5)
