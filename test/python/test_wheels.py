"""The two wheels, each installed into an environment with NumPy alone, and the
full one beside torch, jax and tensorflow."""

import itertools
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import ferrule
import pytest

ROOT = Path(__file__).resolve().parents[2]
# One worker makes the wheels.
pytestmark = pytest.mark.xdist_group("wheels")

MODEL = """
func.func @main(%x: tensor<?x8xf32> {ferrule.dims = ["rows", ""]},
                %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.tanh %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
"""

# Parts of the programs that run in the other environments.
VALUES = """
import numpy as np
random = np.random.default_rng(0)
w = random.standard_normal((8, 4)).astype(np.float32)
for rows in (5, 0, 33):
    x = random.standard_normal((rows, 8)).astype(np.float32)
    expected = np.tanh(x.astype(np.float64) @ w.astype(np.float64))
    result = program(x, w)
    assert result.shape == (rows, 4) and result.dtype == np.float32
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-5)
"""
LIBRARIES = """
with open("/proc/self/maps") as maps:
    files = {line.split()[-1] for line in maps if ".so" in line}
print(*sorted(files), sep="\\n")
"""


def build_wheel(kind: str, folder: Path) -> Path:
    subprocess.run(
        [ROOT / "utils/build_wheels.sh", folder, kind], check=True, timeout=540
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def make_environment(folder: Path, wheel: Path) -> Path:
    """An environment with the wheel and what it asks for; its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q"]
    subprocess.run([*pip, "--disable-pip-version-check", wheel], check=True)
    return python


def run(python: Path, program: str, folder: Path, **environment: str):
    """Runs a program away from the checkout."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "LD_LIBRARY_PATH")
    }
    return subprocess.run(
        [python, "-c", program],
        check=False,
        cwd=folder,
        env={**variables, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


def libraries_of(result) -> list[str]:
    assert result.returncode == 0, result.stderr
    return [Path(line).name for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def runtime_python(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runtime")
    wheel = build_wheel("runtime", folder)
    assert wheel.name.startswith("ferrule_runtime-")
    assert wheel.stat().st_size < 1 << 20
    return make_environment(folder / "environment", wheel)


@pytest.fixture(scope="module")
def full_wheel(tmp_path_factory):
    return build_wheel("full", tmp_path_factory.mktemp("full"))


def test_the_runtime_wheel_runs_programs_without_llvm(runtime_python, tmp_path):
    ferrule.compile(MODEL).save(tmp_path / "model.byre")
    load = "import ferrule\nprogram = ferrule.load('model.byre', threads=2)\n"
    names = libraries_of(run(runtime_python, load + VALUES + LIBRARIES, tmp_path))
    assert any(name.startswith("_runtime.") for name in names)
    foreign = ("llvm", "mlir", "lld", "clang", "_compiler", "torch")
    assert [n for n in names if any(f in n.lower() for f in foreign)] == []


def test_the_runtime_wheel_says_that_it_has_no_compiler(runtime_python, tmp_path):
    result = run(runtime_python, "import ferrule; ferrule.compile('')", tmp_path)
    assert result.returncode == 1
    assert "ImportError: this installation of ferrule runs programs" in result.stderr
    listed = run(runtime_python, "import ferrule; print(ferrule.__file__)", tmp_path)
    assert str(ROOT) not in listed.stdout


def test_the_full_wheel_needs_no_llvm_package(full_wheel, tmp_path):
    python = make_environment(tmp_path / "environment", full_wheel)
    build = f"import ferrule\nprogram = ferrule.compile('''{MODEL}''')\n"
    names = libraries_of(run(python, build + VALUES + LIBRARIES, tmp_path))
    assert any(name.startswith("_compiler.") for name in names)
    shared = ("libllvm", "libmlir", "liblld", "libclang")
    assert [n for n in names if n.lower().startswith(shared)] == []


def orders_of(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The orders of import to test: by default the rotations of the names
    forwards and backwards, in which each stands before and after each other."""
    if os.environ.get("FERRULE_FULL"):
        return list(itertools.permutations(names))
    return [
        direction[i:] + direction[:i]
        for direction in (names, names[::-1])
        for i in range(len(names))
    ]


def test_the_full_wheel_beside_frameworks_in_every_order(full_wheel, tmp_path):
    """TensorFlow has an environment of its own; the others come from this one."""
    python = ROOT / ".venv-tf/bin/python"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
    subprocess.run(
        [*pip, tmp_path / "site", "--disable-pip-version-check", full_wheel],
        check=True,
    )
    paths = f"import sys\nsys.path.append({sysconfig.get_path('purelib')!r})\n"
    build = f"""
assert ferrule.__file__.startswith({str(tmp_path)!r}), ferrule.__file__
program = ferrule.compile('''{MODEL}''')
assert float(torch.ones(3).sum()) == 3 and float(jax.numpy.ones(3).sum()) == 3
assert float(tensorflow.reduce_sum(tensorflow.ones(3))) == 3
"""
    for order in orders_of(("ferrule", "torch", "jax", "tensorflow")):
        imports = "".join(f"import {name}\n" for name in order)
        result = run(
            python,
            paths + imports + build + VALUES,
            tmp_path,
            PYTHONPATH=str(tmp_path / "site"),
            TF_CPP_MIN_LOG_LEVEL="2",
        )
        assert result.returncode == 0, (order, result.stderr)
