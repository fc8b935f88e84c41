"""Internal failures leave a file that reproduces them, without the weights."""

import os
import re
import shlex
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILE = Path(os.environ.get("FERRULE_BUILD", ROOT / "build")) / "bin/ferrule-compile"

SECRET = "3FC90FDB"  # pi, big-endian; a weight that must not leave the machine.
PROGRAM = """
func.func @main(%x: tensor<4x32xf32>) -> (tensor<4x48xf32>, tensor<96xi32>) {
  %w = stablehlo.constant dense<"0xWEIGHTS"> : tensor<32x48xf32>
  %i = stablehlo.constant dense<"0xINTEGERS"> : tensor<96xi32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4x32xf32>, tensor<32x48xf32>) -> tensor<4x48xf32>
  return %0, %i : tensor<4x48xf32>, tensor<96xi32>
}
"""
WEIGHTS = bytes.fromhex(SECRET)[::-1].hex().upper()
PROGRAM = PROGRAM.replace("WEIGHTS", (WEIGHTS + "00000040") * 768)
PROGRAM = PROGRAM.replace("INTEGERS", "0700000009000000" * 48)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(PROGRAM)
    return path


def run(command, tmp_path, fail=""):
    environment = {
        **os.environ,
        "TMPDIR": str(tmp_path),
        "FERRULE_INJECT_FAILURE": fail,
    }
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def repro_of(errors):
    """The file and the command that the error names."""
    found = re.search(
        r"internal failure in the stage '(\w+)'.*with the file (\S+) .*fails again by: (.*)",
        errors,
    )
    assert found, errors
    command = shlex.split(found[3])
    return found[1], Path(found[2]), [COMPILE, *command[1:]]


@pytest.mark.parametrize("stage", ["graph", "dispatch", "kernel", "byre"])
def test_failure_is_replayed(model, tmp_path, stage):
    options = ["--target-cpu=x86-64-v3", "--opt-level=0", "--kernel-cache=off"]
    command = [COMPILE, model, "-o", tmp_path / "out.byre", *options]
    # Weights are evaluated by a compilation of their own, which would fail first.
    result = run(command, tmp_path, stage)
    assert result.returncode == 1
    assert "injected failure" in result.stderr
    named, file, replay = repro_of(result.stderr)
    assert named == stage and file.is_relative_to(tmp_path)
    assert "--target-cpu=x86-64-v3" in replay and "--opt-level=0" in replay
    again = run(replay, tmp_path, stage)
    assert again.returncode == 1 and repro_of(again.stderr)[0] == stage
    # When the fault is gone, the same command succeeds.
    assert run(replay, tmp_path).returncode == 0
    text = file.read_text()
    assert "model.mlir" in text  # Source lines stay.
    assert WEIGHTS not in text and "ferrule.seed" in text
    assert file.stat().st_size < len(PROGRAM)


def test_refusals_leave_nothing(model, tmp_path):
    model.write_text(PROGRAM.replace("stablehlo.dot_general", "stablehlo.unknown"))
    result = run([COMPILE, model, "-o", tmp_path / "out.byre"], tmp_path)
    assert result.returncode == 1 and "internal failure" not in result.stderr
    assert not list(tmp_path.glob("ferrule-repro*"))


def test_no_temporary_folder(model, tmp_path):
    result = run([COMPILE, model, "-o", tmp_path / "o"], tmp_path / "none", "dispatch")
    assert result.returncode == 1
    assert "no repro could be written" in result.stderr


@pytest.mark.parametrize(
    "options", [[], ["--compile-to=linalg"], ["--compile-to=linalg", "-S"]]
)
def test_devices_are_written_not_replaced(model, tmp_path, options):
    """As -o /dev/null by root would be."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    result = run([COMPILE, model, "-o", pipe, *options], tmp_path)
    data = reader.communicate(timeout=60)[0]
    assert result.returncode == 0, result.stderr
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert len(data) > 1000
