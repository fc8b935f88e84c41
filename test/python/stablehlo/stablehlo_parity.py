"""Compiles a JAX function's StableHLO with Ferrule and compares with JAX."""

import jax
import numpy as np

import ferrule

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def run(text, *args):
    """The outputs of a StableHLO program as a tuple of arrays."""
    outputs = ferrule.compile(text)(*args)
    return outputs if isinstance(outputs, tuple) else (outputs,)


def assert_close(found, expected, rtol, atol):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
        return
    # bfloat16 has no comparison of its own in numpy.
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(
        found.astype(wide), expected.astype(wide), rtol=rtol, atol=atol
    )


def check(function, *args, rtol=2e-6, atol=1e-6, reference=None):
    """Lowers `function` for `args`, runs it with Ferrule and compares with JAX
    (or with `reference`, where JAX on CPU is wrong itself)."""
    args = [np.asarray(a) for a in args]
    text = jax.jit(function, keep_unused=True).lower(*args).as_text()
    found = run(text, *args)
    expected = jax.tree_util.tree_leaves(jax.jit(reference or function)(*args))
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        assert_close(f, e, rtol, atol)
