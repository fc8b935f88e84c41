"""Ops that move, combine or reduce elements, and control flow."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import stablehlo_parity as parity
import pytest
from jax import lax

RNG = np.random.default_rng(7)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


MOVES = {
    "broadcast_in_dim": lambda x: lax.broadcast_in_dim(x, (2, 3, 5, 4), (1, 3)),
    "broadcast_unit": lambda x: jnp.broadcast_to(x[:, :1], (3, 4)),
    "concatenate": lambda x: jnp.concatenate([x, x[:1], x + 1], axis=0),
    "iota": lambda x: x + lax.broadcasted_iota(np.float32, (3, 4), 1),
    "pad": lambda x: lax.pad(x, np.float32(7), [(1, 2, 0), (0, 1, 0)]),
    "pad_interior": lambda x: lax.pad(x, np.float32(7), [(1, 2, 2), (0, 1, 1)]),
    "pad_negative": lambda x: lax.pad(x, np.float32(7), [(-1, 2, 0), (1, -2, 1)]),
    "reshape": lambda x: [x.reshape(s) for s in [(12,), (2, 6), (6, 2), (1, 3, 1, 4), (4, 3), (2, 2, 3)]],
    "reshape_scalar": lambda x: x[0, 0].reshape(1, 1).reshape(()),
    "reverse": lambda x: (x[::-1], x[:, ::-1], x[::-1, ::-1]),
    "slice": lambda x: (x[1:3, ::2], x[:, 1:2]),
    "transpose": lambda x: (x.T, x.reshape(3, 2, 2).transpose(2, 0, 1)),
    "where": lambda x: jnp.where(x > 0, x, 0),
    "tril": lambda x: jnp.tril(x),
    "roll": lambda x: jnp.roll(x, 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_moves(name):
    parity.check(MOVES[name], floats(3, 4))


@pytest.mark.parametrize("start", [-2, 0, 1, 9])
def test_dynamic_slices(start):
    def slices(x, i):
        part = lax.dynamic_slice(x, (i, np.int32(1)), (2, 3))
        return part, lax.dynamic_update_slice(x, part * 2, (i, i))

    parity.check(slices, floats(4, 5), np.int32(start))


def test_gather():
    def gathers(x, i):
        return (x[i], x[:, i % 5], jnp.take(x, i, axis=1, mode="clip"),
                jnp.take_along_axis(x, i.reshape(4, 1), axis=1), x[i, i])  # fmt: skip

    parity.check(gathers, floats(4, 5), np.array([3, 0, 2, 1], np.int32))


def test_gather_batched():
    parity.check(jax.vmap(lambda x, i: x[i]), floats(3, 5, 2), np.array([[0, 4], [1, 1], [3, 2]], np.int32))


def test_scatter():
    def scatters(x, i, u):
        return (x.at[i].set(u), x.at[i].add(u), x.at[:, i].mul(2.0), x.at[i, i].max(0.5),
                x.at[i].set(u, mode="drop"))  # fmt: skip

    parity.check(scatters, floats(4, 5), np.array([3, 0, 3], np.int32), floats(3, 5))


def test_scatter_out_of_bounds():
    parity.check(lambda x, i: x.at[i].add(1.0), floats(4), np.array([-1, 0, 7, 3], np.int32))


DOTS = {
    "matmul": ("ij,jk->ik", (3, 5), (5, 4)),
    "batch": ("bij,bjk->bik", (2, 3, 5), (2, 5, 4)),
    "transposed": ("ij,kj->ik", (3, 5), (4, 5)),
    "attention": ("bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4)),
    "two_contracting": ("iab,abk->ik", (3, 2, 5), (2, 5, 4)),
    "outer": ("i,j->ij", (3,), (4,)),
    "vector": ("i,i->", (6,), (6,)),
}


@pytest.mark.parametrize("name", DOTS)
def test_dot(name):
    equation, a, b = DOTS[name]
    parity.check(lambda x, y: jnp.einsum(equation, x, y), floats(*a), floats(*b), rtol=1e-5)


def test_dot_types():
    a, b = floats(4, 8), floats(8, 3)
    for t in (ml_dtypes.bfloat16, np.float16):
        parity.check(jnp.dot, a.astype(t), b.astype(t), rtol=2e-2, atol=2e-2)
    parity.check(jnp.dot, a.astype(np.float64), b.astype(np.float64), rtol=1e-12)
    i = RNG.integers(-100, 100, (4, 8)).astype(np.int8)
    parity.check(lambda x, y: lax.dot(x, y, preferred_element_type=np.int32), i, i.T.copy())
    c = (a + 1j * a).astype(np.complex64)
    parity.check(jnp.dot, c, c.T.copy(), rtol=1e-5, atol=1e-5)


CONVOLUTIONS = {
    "nchw": dict(window_strides=(1, 1), padding="SAME"),
    "strided": dict(window_strides=(2, 2), padding=[(1, 1), (0, 2)]),
    "dilated": dict(window_strides=(1, 1), padding="SAME", rhs_dilation=(2, 2)),
    "transposed": dict(window_strides=(1, 1), padding=[(2, 2), (1, 2)], lhs_dilation=(2, 3)),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name):
    def function(x, w):
        return lax.conv_general_dilated(x, w, **CONVOLUTIONS[name])

    parity.check(function, floats(2, 3, 9, 8), floats(5, 3, 3, 3), rtol=1e-4, atol=1e-5)


def test_convolution_with_negative_padding():
    def function(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), [(-1, 1), (0, -1)])

    def reference(x, w):
        x = jnp.pad(x[:, :, 1:, :-1], [(0, 0), (0, 0), (0, 1), (0, 0)])
        return lax.conv_general_dilated(x, w, (1, 1), "VALID")

    x, w = floats(2, 3, 9, 8), floats(5, 3, 3, 3)
    parity.check(function, x, w, rtol=1e-4, atol=1e-5, reference=reference)


@pytest.mark.parametrize(
    "layout", [("NHWC", "HWIO", "NHWC"), ("NHWC", "OIHW", "NCHW"), ("NCHW", "HWIO", "NHWC")]
)
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_convolution_layouts_and_groups(layout, groups):
    def function(x, w):
        return lax.conv_general_dilated(
            x, w, (1, 2), "SAME", dimension_numbers=layout, feature_group_count=groups
        )

    x, w = floats(2, 4, 7, 6), floats(8, 4 // groups, 3, 3)
    if layout[0] == "NHWC":
        x = x.transpose(0, 2, 3, 1).copy()
    if layout[1] == "HWIO":
        w = w.transpose(2, 3, 1, 0).copy()
    parity.check(function, x, w, rtol=1e-4, atol=1e-5)


def test_convolution_of_other_ranks():
    parity.check(lambda x, w: lax.conv(x, w, (2,), "SAME"), floats(2, 3, 11), floats(4, 3, 3), rtol=1e-4, atol=1e-5)
    parity.check(lambda x, w: lax.conv(x, w, (1, 1, 1), "VALID"), floats(1, 2, 5, 5, 5), floats(3, 2, 2, 2, 2), rtol=1e-4, atol=1e-5)
    parity.check(
        lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", batch_group_count=2),
        floats(4, 3, 5, 5), floats(6, 3, 3, 3), rtol=1e-4, atol=1e-5)  # fmt: skip


def test_convolution_gradient():
    """Reversed windows, dilations and batch groups in one program."""

    def loss(x, w):
        y = lax.conv_general_dilated(x, w, (2, 2), "SAME", feature_group_count=2)
        return (y * y).sum()

    parity.check(jax.grad(loss, (0, 1)), floats(2, 4, 6, 6), floats(4, 2, 3, 3), rtol=1e-3, atol=1e-4)


REDUCTIONS = {
    "sum": lambda x: (x.sum(0), x.sum(1), x.sum()),
    "max": lambda x: (x.max(0), x.min(1)),
    "prod": lambda x: x.prod(1),
    "argmax": lambda x: (x.argmax(1), x.argmin(0)),
    "any": lambda x: ((x > 0).any(0), (x > 1).all(1)),
    "softmax": lambda x: jax.nn.softmax(x, axis=-1),
    "variance": lambda x: x.var(1),
    "cumsum": lambda x: (x.cumsum(0), x.cumsum(1), jnp.cumprod(x, 1)),
    "cummax": lambda x: (lax.cummax(x, 1), lax.cummin(x, 0), lax.cumlogsumexp(x, 0)),
    "reverse_cumsum": lambda x: lax.cumsum(x, 1, reverse=True),
    "sort": lambda x: (jnp.sort(x, 0), jnp.sort(x, 1), jnp.argsort(x, 1)),
    "top_k": lambda x: lax.top_k(x, 3),
    "median": lambda x: jnp.median(x, 1),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    parity.check(REDUCTIONS[name], floats(6, 9), rtol=1e-5, atol=1e-5)


def test_nan_wins_in_max():
    x = floats(4, 5)
    x[1, 2] = np.nan
    parity.check(lambda v: (v.max(1), v.min(0), v.argmax(1)), x)


def test_long_sort():
    """More rows than one merge run, with equal keys: stable."""
    keys = RNG.integers(0, 50, 1000).astype(np.int32)
    parity.check(lambda k, v: lax.sort((k, v), num_keys=1), keys, np.arange(1000, dtype=np.int32))
    parity.check(lambda k: lax.top_k(k, 700), floats(1000))


WINDOWS = {
    "max": lambda x: lax.reduce_window(x, np.float32(-np.inf), lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME"),
    "average": lambda x: lax.reduce_window(x, np.float32(0), lax.add, (1, 1, 2, 2), (1, 1, 2, 2), "VALID") / 4,
    "dilated": lambda x: lax.reduce_window(x, np.float32(0), lax.add, (1, 1, 2, 2), (1, 1, 1, 1), [(0, 0), (0, 0), (1, 1), (0, 2)], (1, 1, 2, 1), (1, 1, 1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", WINDOWS)
def test_reduce_window(name):
    parity.check(WINDOWS[name], floats(2, 3, 7, 8), rtol=1e-5)


def test_select_and_scatter():
    def loss(x):
        return (lax.reduce_window(x, np.float32(-np.inf), lax.max, (1, 3, 3), (1, 2, 2), "SAME") ** 2).sum()

    parity.check(jax.grad(loss), floats(2, 7, 8))


def test_while():
    def newton(x):
        def step(state):
            i, v = state
            return i + 1, 0.5 * (v + x / v)

        return lax.while_loop(lambda s: s[0] < 8, step, (0, x))

    parity.check(newton, np.array([2.0, 9.0, 100.0], np.float32))


def test_scan():
    def function(w, xs):
        return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), h.sum()), jnp.zeros(4, np.float32), xs)

    parity.check(function, floats(4, 4), floats(6, 4), rtol=1e-5)


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 5])
def test_branches(index):
    def function(i, x):
        a = lax.switch(i, [lambda v: v + 1, lambda v: v * 2, lambda v: -v], x)
        return a, lax.cond(i > 0, lambda v: v.sum(), lambda v: v.max(), x)

    parity.check(function, np.int32(index), floats(3))


def test_fft():
    x = floats(3, 20)
    for function in (jnp.fft.fft, jnp.fft.ifft, jnp.fft.rfft, jnp.fft.fft2, jnp.fft.rfft2):
        parity.check(function, x if "r" in function.__name__ else x + 1j * x[::-1], rtol=1e-4, atol=1e-4)
    parity.check(lambda v: jnp.fft.irfft(v, 20), np.fft.rfft(x).astype(np.complex64), rtol=1e-4, atol=1e-5)
    parity.check(jnp.fft.fft, (floats(7) + 0j).astype(np.complex64), rtol=1e-4, atol=1e-4)


def test_batch_norm():
    text = """
func.func @main(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>
}
"""
    x, s, o = floats(2, 3, 4), floats(3), floats(3)
    y, mean, var = parity.run(text, x, s, o)
    m, v = x.mean((0, 2)), x.var((0, 2))
    want = (x - m[:, None]) / np.sqrt(v + 1e-3)[:, None] * s[:, None] + o[:, None]
    parity.assert_close(mean, m, 1e-5, 1e-6)
    parity.assert_close(var, v, 1e-5, 1e-6)
    parity.assert_close(y, want, 1e-4, 1e-5)


def test_triangular():
    a = floats(2, 5, 5)
    spd = a @ a.transpose(0, 2, 1) + 5 * np.eye(5, dtype=np.float32)
    text = """
func.func @main(%a: tensor<2x5x5xf32>, %b: tensor<2x5x3xf32>) -> (tensor<2x5x5xf32>, tensor<2x5x3xf32>) {
  %l = stablehlo.cholesky %a, lower = true : tensor<2x5x5xf32>
  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  return %l, %x : tensor<2x5x5xf32>, tensor<2x5x3xf32>
}
"""
    b = floats(2, 5, 3)
    lower, x = parity.run(text, spd, b)
    parity.assert_close(lower, np.linalg.cholesky(spd), 1e-4, 1e-5)
    parity.assert_close(lower @ x, b, 1e-4, 1e-4)


def test_shape_polymorphism():
    """Sizes known at run time only."""
    from jax import export

    def function(x):
        n = x.shape[0]
        return jnp.concatenate([x.reshape(n, 2, 2).sum(1), x[:, :2]]), x / n, x.T @ x

    (b,) = export.symbolic_shape("b")
    exported = export.export(jax.jit(function))(jax.ShapeDtypeStruct((b, 4), np.float32))
    compiled_for = exported.mlir_module()
    for n in (1, 3):
        x = floats(n, 4)
        for f, e in zip(parity.run(compiled_for, x), function(x)):
            parity.assert_close(f, e, 1e-5, 1e-5)


DYNAMIC_BROADCAST = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %d = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %r = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.concatenate %r, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %z = stablehlo.add %b, %y : tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
"""


@pytest.mark.parametrize("rows", [1, 3])
def test_dynamic_broadcast_expands_at_run_time(rows):
    x, y = floats(rows, 4), floats(3, 4)
    (z,) = parity.run(DYNAMIC_BROADCAST, x, y)
    parity.assert_close(z, x + y, 1e-6, 1e-6)


def test_composites_of_exported_programs():
    """JAX exports CHLO functions as composites."""
    from jax import export

    def function(x):
        return lax.erf(x), lax.asinh(x), lax.lgamma(x), lax.top_k(x, 2), lax.erf_inv(x / 9), jnp.sinh(x)

    x = floats(3, 5)
    text = export.export(jax.jit(function))(x).mlir_module()
    assert "stablehlo.composite" in text
    found = parity.run(text, x)
    for f, e in zip(found, jax.tree_util.tree_leaves(function(x))):
        parity.assert_close(f, e, 1e-5, 1e-5)


def test_pad_of_nothing():
    """An operand without elements leaves the padding alone."""
    for low, high, interior in ((2, 0, 1), (2, 3, 0), (0, 1, 2)):
        config = ((0, 0, 0), (low, high, interior))
        parity.check(
            lambda x, config=config: jax.lax.pad(x, np.float32(7), config),
            np.zeros((5, 0), "float32"),
        )
