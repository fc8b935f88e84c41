"""Text and portable artifacts: what JAX writes is what Ferrule prints."""

import pathlib
import subprocess

import ferrule
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax
from jaxlib.mlir.dialects import stablehlo

# As in parity.py, which may share the process.
jax.config.update("jax_enable_x64", True)

TOOLS = pathlib.Path(__file__).parents[3] / "build" / "bin"

X = np.ones((3, 4), np.float32)
IMAGE = np.ones((1, 8, 8, 3), np.float32)
KERNEL = np.ones((3, 3, 3, 5), np.float32)


def convolution(x, k):
    return lax.conv_general_dilated(
        x, k, (2, 2), "SAME", rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


def two_reductions(x):
    start = (np.float32(0), np.float32(1))
    return lax.reduce((x, x), start, lambda a, b: (a[0] + b[0], a[1] * b[1]), (0,))


PROGRAMS = {
    "elementwise": (lambda x: jnp.where(x > 0, jnp.exp(x) + lax.rsqrt(x), -x), X),
    "clamp": (lambda x: lax.clamp(np.float32(0), x, np.float32(1)).astype(jnp.int32) << 2, X),
    "complex": (lambda x: jnp.abs(jnp.exp(lax.complex(x, x))), X),
    "constants": (lambda: (jnp.arange(6.0), jnp.array([True, False, True]), jnp.zeros((0, 3)))),
    "bfloat16": (lambda x: x.astype(jnp.bfloat16) * 2, X),
    "float8": (lambda x: x.astype(jnp.float8_e4m3fn), X),
    "move": (lambda x: jnp.pad(x[::-1, 1::2].T, 1).reshape(-1), X),
    "concatenate": (lambda x: jnp.concatenate([x, x], 1), X),
    "pad_negative": (lambda x: lax.pad(x, np.float32(0), ((1, -1, 0), (2, 0, 1))), X),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i, 0), (1, 2)), X, 1),
    "dynamic_update_slice": (lambda x, i: lax.dynamic_update_slice(x, x[:1], (i, 0)), X, 1),
    "matmul": (lambda x: jnp.einsum("bij,bjk->bik", x, x, precision="highest"), np.ones((2, 3, 3), np.float32)),
    "convolution": (convolution, IMAGE, KERNEL),
    "max_pool": (max_pool, IMAGE),
    "max_pool_gradient": (jax.grad(lambda x: max_pool(x).sum()), IMAGE),
    "reduce": (lambda x: (x.sum(1), x.max(), x.argmax(1), (x > 0).any()), X),
    "two_reductions": (two_reductions, X),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 5, 10), X),
    "cumulative": (lambda x: jnp.cumsum(x, 0), X),
    "sort": (lambda x: lax.sort((x, x * 2), num_keys=2), X),
    "gather": (lambda x, i: x[i], X, np.array([0, 2])),
    "scatter": (lambda x, i: x.at[i, i].add(2.0), X, np.array([0, 2])),
    "while": (lambda x: lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 2), (0, x)), X),
    "nested": (lambda x: lax.fori_loop(0, 9, lambda i, s: lax.fori_loop(0, i, lambda j, q: q + j, s), x), X),
    "scan": (lambda x: lax.scan(lambda c, y: (c + y, c * y), x[0], x), X),
    "cond": (lambda x: lax.cond(x.sum() > 0, lambda q: q + 1, lambda q: q * 2, x), X),
    "switch": (lambda x, i: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x), X, 1),
    "random_bits": (lambda: lax.rng_bit_generator(jnp.zeros((4,), jnp.uint32), (3, 4), jnp.uint32)),
    "fft": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x)), X),
    "barrier": (lambda x: lax.optimization_barrier((x, x)), X),
    "composite": (lambda x: lax.composite(lambda q: q * 2, name="my.op")(x), X),
    "gelu": (jax.nn.gelu, X),
    "cholesky": (jnp.linalg.cholesky, np.eye(3, dtype=np.float32)),
    "erf": (lambda x: lax.erf(x) + lax.lgamma(x), X),
    "top_k": (lambda x: lax.top_k(x, 2), X),
}


def text_of(name):
    program = PROGRAMS[name]
    function, *args = program if isinstance(program, tuple) else (program,)
    return jax.jit(function).lower(*args).as_text()


def run(tool, data, *options):
    return subprocess.run([TOOLS / tool, *options], input=data, capture_output=True, check=True).stdout


def normal(text):
    return text.decode().strip()


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_is_a_fixed_point(name):
    text = text_of(name).encode()
    assert normal(run("ferrule-opt", text)) == normal(text)
    bytecode = run("ferrule-opt", text, "--emit-bytecode")
    assert normal(run("ferrule-opt", bytecode)) == normal(text)


@pytest.mark.parametrize("version", [None, "1.0.0", "0.14.0", "0.9.0"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_portable_artifact(name, version, tmp_path):
    text = text_of(name)
    if "chlo." in text or "sdy." in text:
        pytest.skip("not portable")
    try:
        artifact = stablehlo.serialize_portable_artifact_str(text, version or stablehlo.get_current_version())
    except Exception:  # The serialiser has no exception of its own.
        pytest.skip(f"no form for version {version}")
    path = tmp_path / "program.mlirbc"
    path.write_bytes(artifact)
    assert normal(run("ferrule-translate", None, path)) == normal(text.encode())


POLYMORPHIC = {
    "mlp": (lambda x, w: jax.nn.softmax(jnp.tanh(x @ w)), ["b, 4", "4, 5"]),
    "reshape": (lambda x: x.reshape(-1, 2) + 1, ["b, 4"]),
    "slice": (lambda x: x[1:, ::2], ["b, 4"]),
    "pad": (lambda x: jnp.pad(x, ((0, x.shape[0]), (1, 1))), ["b, 4"]),
    "attention": (lambda q: jax.nn.softmax(jnp.einsum("bsd,btd->bst", q, q)) @ q, ["b, s, 4"]),
}


@pytest.mark.parametrize("name", POLYMORPHIC)
def test_export_with_symbolic_sizes(name, tmp_path):
    """One file from jax.export runs at every size."""
    function, shapes = POLYMORPHIC[name]
    scope = export.SymbolicScope()
    specs = [
        jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), np.float32) for shape in shapes
    ]
    exported, program = tmp_path / "program.jax", tmp_path / "program.byre"
    exported.write_bytes(export.export(jax.jit(function))(*specs).serialize())
    subprocess.run([TOOLS / "ferrule-compile", exported, "-o", program], check=True)
    executable = ferrule.load(str(program))
    random = np.random.default_rng(0)
    for b, s in [(1, 1), (2, 3), (7, 17)]:
        sizes = [[{"b": b, "s": s}.get(d, d) for d in shape.split(", ")] for shape in shapes]
        args = [random.standard_normal([int(d) for d in size]).astype(np.float32) for size in sizes]
        np.testing.assert_allclose(executable(*args), function(*args), rtol=2e-5, atol=1e-6)
