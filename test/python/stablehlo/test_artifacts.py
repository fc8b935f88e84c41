"""Portable artifacts that Ferrule writes are read by StableHLO's own reader,
and mean what StableHLO's own writer makes of the same program."""

import os
import re
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("jaxlib")
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
PROGRAMS = ROOT / "test/Dialect/StableHLO"


def parts(name):
    return re.split(r"// -----.*\n", (PROGRAMS / name).read_text())


def translate(data, *options):
    return subprocess.run(
        [BUILD / "bin/ferrule-translate", "-", *options],
        input=data,
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout


def read_by_reference(artifact):
    with ir.Context() as context:
        stablehlo.register_dialect(context)
        context.allow_unregistered_dialects = True
        return str(stablehlo.deserialize_portable_artifact(context, artifact))


@pytest.mark.parametrize("version", ["1.10.0", "1.16.0", "1.17.0"])
@pytest.mark.parametrize(
    "name", ["elementwise.mlir", "shape.mlir", "contraction.mlir", "regions.mlir"]
)
def test_as_the_reference_writes(name, version):
    for text in parts(name):
        theirs = stablehlo.serialize_portable_artifact_str(text, version)
        ours = translate(text.encode(), "--serialize", f"--target={version}")
        assert read_by_reference(ours) == read_by_reference(theirs)
        # What they write we read, and what we read we write again.
        again = translate(theirs, "--serialize", f"--target={version}")
        assert read_by_reference(again) == read_by_reference(theirs)


def test_a_jax_program_in_old_versions():
    import jax
    import jax.numpy as jnp

    def function(x):
        return jnp.sort(jnp.tanh(x) @ x.T, axis=-1)[..., :2]

    text = jax.jit(function).lower(jnp.ones((3, 4))).as_text()
    for version in ["1.0.0", "1.5.0", "1.13.0"]:
        artifact = translate(text.encode(), "--serialize", f"--target={version}")
        assert artifact[5:].startswith(f"StableHLO_v{version}".encode())
        assert "stablehlo.sort" in read_by_reference(artifact)
