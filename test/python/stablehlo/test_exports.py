"""What jax.export stores, as users hand it over: the object, its file, and
programs for several platforms, symbolic sizes and annotated shardings."""

import ferrule
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.sharding import Mesh, NamedSharding, PartitionSpec


def platform_number(x):
    number = jax.lax.platform_dependent(
        x,
        cpu=lambda x: x + 1,
        cuda=lambda x: x + 2,
        default=lambda x: x + 3,
    )
    return jnp.sin(number)


def forms(exported, tmp_path):
    """The ways to hand an export over."""
    path = tmp_path / "program.export"
    path.write_bytes(exported.serialize())
    return exported, exported.serialize(), path


@pytest.mark.parametrize("platforms", [["cpu"], ["tpu", "cpu"], ["cuda", "tpu", "cpu"]])
def test_programs_for_several_platforms(platforms, tmp_path):
    """The CPU's branch is taken, and its index is no input."""
    x = np.arange(4, dtype=np.float32)
    exported = export.export(jax.jit(platform_number), platforms=platforms)(
        jax.ShapeDtypeStruct(x.shape, x.dtype)
    )
    for model in forms(exported, tmp_path):
        program = ferrule.compile(model)
        assert len(program.inputs) == 1
        np.testing.assert_allclose(program(x), np.sin(x + 1), rtol=1e-6, atol=1e-7)


def test_symbolic_sizes_on_several_platforms(tmp_path):
    a, b = export.symbolic_shape("a, b", constraints=["a >= 2"])
    exported = export.export(jax.jit(platform_number), platforms=["tpu", "cpu"])(
        jax.ShapeDtypeStruct((a, b), jnp.float32)
    )
    for model in forms(exported, tmp_path):
        program = ferrule.compile(model)
        for shape in ((2, 1), (3, 5), (4, 0)):
            x = np.ones(shape, np.float32)
            if shape[1] == 0:
                continue
            np.testing.assert_allclose(program(x), np.sin(x + 1), rtol=1e-6)


def test_other_platforms_are_refused(tmp_path):
    exported = export.export(jax.jit(platform_number), platforms=["tpu", "cuda"])(
        jax.ShapeDtypeStruct((4,), jnp.float32)
    )
    with pytest.raises(Exception, match="exported for tpu, cuda, expected cpu"):
        ferrule.compile(exported.serialize())


def test_shardings_on_one_device():
    mesh = Mesh(np.array(jax.devices()[:1]), ("x",))
    sharding = NamedSharding(mesh, PartitionSpec("x", None))

    def function(x):
        y = jax.lax.with_sharding_constraint(jnp.sin(x), sharding)
        return jax.lax.with_sharding_constraint(
            y + 1, NamedSharding(mesh, PartitionSpec())
        )

    lowered = jax.jit(function, in_shardings=sharding).lower(
        jax.ShapeDtypeStruct((4, 3), jnp.float32)
    )
    assert "sdy.sharding_constraint" in lowered.as_text()
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    for model in (lowered, lowered.as_text()):
        np.testing.assert_allclose(ferrule.compile(model)(x), np.sin(x) + 1, rtol=1e-6)


def test_static_and_donated_arguments():
    function = jax.jit(
        lambda x, y, axis: (x + y, x.sum(axis)), static_argnums=2, donate_argnums=0
    )
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    lowered = function.lower(x, x, 1)
    total, row = ferrule.compile(lowered)(x, x)
    np.testing.assert_array_equal(total, x + x)
    np.testing.assert_array_equal(row, x.sum(1))


def test_arguments_in_trees():
    """A pytree of arguments comes flat, in JAX's order."""

    def function(tree):
        return {"b": tree["a"] * 2, "a": tree["c"][0] - tree["c"][1]}

    values = [np.full(3, i, np.float32) for i in range(1, 4)]
    tree = {"a": values[0], "c": (values[1], values[2])}
    exported = export.export(jax.jit(function))(tree)
    first, second = ferrule.compile(exported)(*values)
    np.testing.assert_array_equal(first, values[1] - values[2])
    np.testing.assert_array_equal(second, values[0] * 2)
