"""The C API of the compiler, from C11 against the installed tree."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
pytestmark = pytest.mark.xdist_group("out_of_tree")

# The row sums of [0, 1], [2, 3], [4, 5], doubled.
MODEL = """
func.func @main(%x: tensor<?x2xf32> {ferrule.dims = ["n", ""]}) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %x, %x : tensor<?x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add
    across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""

CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(User LANGUAGES C CXX)
find_package(Ferrule REQUIRED COMPONENTS Compiler)
add_executable(compile_and_run {here}/capi/compile_and_run.c)
add_executable(dialects {here}/capi/dialects.c)
target_link_libraries(dialects PRIVATE MLIRCAPIIR)
foreach(program compile_and_run dialects)
  set_target_properties(${{program}} PROPERTIES C_STANDARD 11
    C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  target_compile_options(${{program}} PRIVATE -Wall -Wextra -Werror -pedantic
    -Wno-error=strict-prototypes -Wno-strict-prototypes)
  target_link_libraries(${{program}} PRIVATE Ferrule::compiler)
endforeach()
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
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("capi")
    command("cmake", "--install", BUILD, "--prefix", folder / "prefix")
    (folder / "CMakeLists.txt").write_text(
        CMAKE.format(here=Path(__file__).resolve().parent)
    )
    command(
        *("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja"),
        *("-DCMAKE_CXX_COMPILER=clang++-22", "-DCMAKE_C_COMPILER=clang-22"),
        f"-DCMAKE_PREFIX_PATH={folder}/prefix;/usr/lib/llvm-22",
    )
    command("cmake", "--build", folder / "build")
    return folder / "build"


def test_compile_and_run(programs, tmp_path):
    model = tmp_path / "model.mlir"
    model.write_text(MODEL)
    text = command(programs / "compile_and_run", model, tmp_path / "model.byre")
    lines = text.splitlines()
    assert lines[0] == "version 0.1.0, targets cpu, reference"
    assert lines[1:6] == [
        "stages 6",
        "equal 1 1",
        "values 2 10 18",
        "values 2 10 18",
        "text 1",
    ]
    wrong = "\n".join(lines[6:])
    assert "second error at bad.mlir:1" in wrong
    assert "bad 1 1 1" in wrong
    for message in (
        "1 unknown option 'speed', expected target, ",
        "1 malformed --opt-level 'x', expected a number",
        "1 malformed --input-shape 'x', expected NAME:SIZExSIZE...",
        "1 unknown stage 'none' for --compile-to, expected input, ",
        "1 malformed --target-option 'x', expected NAME=VALUE",
        "1 cannot load the plug-in: /none.so",
    ):
        assert message in wrong


def test_dialects_through_mlirs_c_api(programs):
    *names, constant = command(programs / "dialects").split("\n", 6)
    assert names == ["byre", "chlo", "check", "ferrule", "stablehlo", "torch"]
    assert "stablehlo.constant dense<1.000000e+00> : tensor<2xf32>" in constant
