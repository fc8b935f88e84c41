"""A target of its own project, built against the installed tree."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
pytestmark = pytest.mark.xdist_group("out_of_tree")

# The device takes the first two products; the third reads its right side
# transposed and stays on the CPU.
MODEL = """
func.func @main(%x: tensor<?x8xf32> {ferrule.dims = ["rows", ""],
                                     ferrule.name = "x"},
                %w: tensor<8x6xf32> {ferrule.name = "w"},
                %v: tensor<6x6xf32> {ferrule.name = "v"}) -> tensor<?x6xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x8xf32>, tensor<8x6xf32>) -> tensor<?x6xf32>
  %1 = stablehlo.tanh %0 : tensor<?x6xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0]
    : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [1]
    : (tensor<?x6xf32>, tensor<6x6xf32>) -> tensor<?x6xf32>
  return %3 : tensor<?x6xf32>
}
"""


def command(*words) -> str:
    result = subprocess.run(
        [str(word) for word in words],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    command("cmake", "--install", BUILD, "--prefix", prefix)
    return prefix


def configure(source, build, prefix):
    command(
        *("cmake", "-S", source, "-B", build, "-G", "Ninja"),
        *("-DCMAKE_CXX_COMPILER=clang++-22", "-DCMAKE_C_COMPILER=clang-22"),
        f"-DCMAKE_PREFIX_PATH={prefix};/usr/lib/llvm-22",
    )


@pytest.fixture(scope="module")
def tools(installed, tmp_path_factory):
    build = tmp_path_factory.mktemp("acme")
    configure(ROOT / "examples/out_of_tree_target", build, installed)
    command("cmake", "--build", build, "-j", "2")
    return build


def test_a_target_outside_the_tree_takes_its_part(tools, tmp_path):
    model, program = tmp_path / "model.mlir", tmp_path / "model.byre"
    model.write_text(MODEL)
    command(tools / "acme-compile", model, program)
    for rows in (5, 0, 1):
        x, w, v = (
            ((np.arange(np.prod(shape)) * (i + 1) % 7 - 3) / 4).reshape(shape)
            for i, shape in enumerate([(rows, 8), (8, 6), (6, 6)])
        )
        *values, last = command(tools / "acme-run", program, rows).splitlines()
        assert last == "products on the device: 2"
        expected = np.tanh(x @ w) @ v @ v.T
        np.testing.assert_allclose(
            np.array(values, float), expected.ravel(), rtol=0, atol=1e-5
        )


def test_the_device_must_be_there(tools, tmp_path):
    model, program = tmp_path / "model.mlir", tmp_path / "model.byre"
    model.write_text(MODEL)
    command(tools / "acme-compile", model, program)
    sizes = {"x": "2x8", "w": "8x6", "v": "6x6"}
    inputs = [f"--input={name}={size}xf32=1" for name, size in sizes.items()]
    result = subprocess.run(
        [BUILD / "bin/ferrule-run", program, *inputs],
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert "no provider has operation 'acme.matmul'" in result.stderr


def test_the_device_side_has_no_llvm(tools):
    text = command("ldd", tools / "acme-run").lower()
    assert "libferrule_runtime.so" in text
    assert "llvm" not in text and "mlir" not in text


def test_the_runtime_alone_can_be_used_from_c(installed, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(User LANGUAGES C)\n"
        "find_package(Ferrule REQUIRED)\nadd_executable(user user.c)\n"
        "target_link_libraries(user PRIVATE Ferrule::runtime)\n"
    )
    (tmp_path / "user.c").write_text(
        "#include <ferrule/ferrule.h>\n#include <stdio.h>\n"
        "int main(void) { puts(ferrule_version()); return 0; }\n"
    )
    configure(tmp_path, tmp_path / "build", installed)
    command("cmake", "--build", tmp_path / "build")
    assert command(tmp_path / "build/user") == "0.1.0\n"
