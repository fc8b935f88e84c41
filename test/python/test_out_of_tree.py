"""A target of its own project, built against the installed tree."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
pytestmark = pytest.mark.xdist_group("out_of_tree")


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


class Network(torch.nn.Module):
    """Convolution, pooling, a linear layer and a softmax for the device; the
    class's number is an integer, which only the CPU computes."""

    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.hidden = torch.nn.Linear(8 * 4 * 4, 32)
        self.classes = torch.nn.Linear(32, 10)

    def forward(self, x):
        y = torch.nn.functional.max_pool2d(torch.relu(self.convolution(x)), 2)
        y = torch.tanh(self.hidden(y.flatten(1)))
        scores = torch.softmax(self.classes(y), dim=-1)
        return scores, scores.argmax(-1)


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    torch.manual_seed(0)
    model = Network().eval()
    path = tmp_path_factory.mktemp("network") / "network.onnx"
    torch.onnx.export(
        model,
        (torch.zeros(2, 3, 16, 16),),
        path,
        input_names=["x"],
        dynamo=True,
        external_data=False,
        dynamic_shapes=({0: torch.export.Dim("batch", min=0, max=64)},),
    )
    return model, path


@pytest.fixture(scope="module")
def program(tools, installed, network):
    path = network[1].with_suffix(".byre")
    command(
        installed / "bin/ferrule-compile",
        f"--load-plugin={tools}/libacme_compiler.so",
        *("--target=acme", "--target-cpu=x86-64-v3", network[1], "-o", path),
    )
    return path


def test_a_program_for_the_device_gives_pytorchs_values(
    tools, installed, network, program, tmp_path
):
    for batch in (1, 5, 0):
        x = torch.rand(batch, 3, 16, 16) - 0.5
        np.save(tmp_path / "x.npy", x.numpy())
        command(
            installed / "bin/ferrule-run",
            f"--load-plugin={tools}/libacme_device.so",
            *(program, f"--input=x=@{tmp_path}/x.npy"),
            *(f"--output=@{tmp_path}/scores.npy", f"--output=@{tmp_path}/class.npy"),
        )
        with torch.no_grad():
            scores, classes = network[0](x)
        np.testing.assert_allclose(
            np.load(tmp_path / "scores.npy"), scores, rtol=0, atol=1e-6
        )
        np.testing.assert_array_equal(np.load(tmp_path / "class.npy"), classes)


def test_device_and_cpu_share_a_program(installed, program):
    text = command(installed / "bin/ferrule-translate", program)
    images = {
        target: re.findall('entry<"([^"]+)"', entries)
        for target, entries in re.findall(
            r'byre.image @\w+ target "(\w+)" .*kernels \[(.*)\] data', text
        )
    }
    for kind in ("convolution", "contraction"):
        assert any(kind in name for name in images["acme"]), images
    assert images["cpu"]
    assert not set(images["acme"]) & set(images["cpu"])


def test_the_device_runs_within_python(tools, network, program):
    """In a process of its own: a device stays."""
    np.save(program.with_name("ones.npy"), np.ones((3, 3, 16, 16), "float32"))
    code = f"""
import ferrule, numpy
try:
    ferrule.load({str(program)!r})
    raise SystemExit("loaded without its device")
except RuntimeError as error:
    assert "needs device 'acme', which this runtime does not have" in str(error)
for i in range(2):
    ferrule.load_plugin("{tools}/libacme_device.so")
scores, classes = ferrule.load({str(program)!r})(numpy.ones((3, 3, 16, 16), "float32"))
print(*scores.ravel())
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    with torch.no_grad():
        expected = network[0](torch.ones(3, 3, 16, 16))[0].numpy().ravel()
    np.testing.assert_allclose(
        np.array(result.stdout.split(), float), expected, rtol=0, atol=1e-6
    )


def test_the_device_passes_programs_with_expectations(tools, installed):
    files = ["layers", "convolution", "dot-general", "dynamic-shapes", "reduce"]
    text = command(
        installed / "bin/ferrule-check",
        f"--load-plugin={tools}/libacme_compiler.so",
        f"--load-plugin={tools}/libacme_device.so",
        *("--target=acme", *(ROOT / f"test/e2e/{name}.mlir" for name in files)),
    )
    assert text.strip().endswith(", 0 failed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target=acme"], "unknown target 'acme', expected one of cpu, reference"),
        (["--load-plugin=/none.so"], "cannot load the plug-in: /none.so"),
        (
            ["--load-plugin={runtime}"],
            "has neither a function 'ferruleCompilerPlugin' nor",
        ),
        (
            ["--load-plugin={acme}", "--target=acme", "--target-option=speed=9"],
            "unknown option 'speed' of target 'acme', which has none",
        ),
    ],
)
def test_errors(tools, installed, network, options, message):
    places = {
        "acme": tools / "libacme_compiler.so",
        "runtime": installed / "lib/libferrule_runtime.so",
    }
    result = subprocess.run(
        [
            installed / "bin/ferrule-compile",
            network[1],
            *(option.format(**places) for option in options),
            *("-o", "/dev/null"),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert message in result.stderr


def test_the_device_side_has_no_llvm(tools):
    text = command("ldd", tools / "libacme_device.so").lower()
    assert "libm.so" in text
    assert not [name for name in ("llvm", "mlir", "ferrule") if name in text]


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
