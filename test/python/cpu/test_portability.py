"""Programs for other machines than this one: several CPUs in one file, and
64-bit Arm, run under user-mode emulation."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
ARM_BUILD = BUILD.with_name(BUILD.name + "-aarch64")
ARM_ROOT = Path("/usr/aarch64-linux-gnu")
pytestmark = pytest.mark.xdist_group("portability")

needs_x86_emulator = pytest.mark.skipif(
    not shutil.which("qemu-x86_64-static"),
    reason="the Debian package qemu-user-static is missing: utils/setup.sh test",
)
needs_arm = pytest.mark.skipif(
    not shutil.which("qemu-aarch64-static")
    or not (ARM_ROOT / "include/c++").is_dir()
    or not (ARM_ROOT / "include/stdio.h").is_file(),
    reason="the Debian packages qemu-user-static, libc6-dev-arm64-cross and "
    "libstdc++-12-dev-arm64-cross are missing: utils/setup.sh test",
)


class Network(torch.nn.Module):
    """A small convolutional network: blocked convolutions, a depthwise one,
    pooling, batch normalisation, a linear layer and a softmax."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(3, 16, 3, stride=2, padding=1),
            torch.nn.BatchNorm2d(16),
            torch.nn.ReLU6(),
            torch.nn.Conv2d(16, 16, 3, padding=1, groups=16),
            torch.nn.Hardswish(),
            torch.nn.Conv2d(16, 32, 1),
            torch.nn.MaxPool2d(2),
            torch.nn.AdaptiveAvgPool2d(1),
            torch.nn.Flatten(),
            torch.nn.Linear(32, 10),
            torch.nn.Softmax(-1),
        )

    def forward(self, x):
        return self.layers(x)


def transformer():
    return torch.nn.TransformerEncoderLayer(
        64, 4, 128, activation="gelu", batch_first=True
    )


MODELS = {
    "network": (Network, [(2, 3, 24, 24), (5, 3, 24, 24), (1, 3, 24, 24)], (0,)),
    "transformer": (transformer, [(2, 7, 64), (1, 33, 64), (3, 1, 64)], (0, 1)),
}


def run(*words, environment=None):
    return subprocess.run(
        [str(word) for word in words],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
    )


def command(*words) -> str:
    result = run(*words)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module", params=list(MODELS))
def model(request, tmp_path_factory):
    """The module, its inputs and the ONNX file."""
    make, shapes, dynamic = MODELS[request.param]
    torch.manual_seed(1)
    module = make().eval()
    # Batch normalisation with statistics that are not 0 and 1.
    for layer in module.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.running_mean.uniform_(-0.5, 0.5)
            layer.running_var.uniform_(0.5, 2)
    path = tmp_path_factory.mktemp(request.param) / "model.onnx"
    names = ["batch", "sequence"]
    torch.onnx.export(
        module,
        (torch.rand(shapes[0]),),
        path,
        input_names=["x"],
        dynamo=True,
        external_data=False,
        dynamic_shapes=({d: torch.export.Dim(names[d], max=64) for d in dynamic},),
    )
    inputs = [torch.rand(shape) - 0.5 for shape in shapes]
    return module, inputs, path


def compile_for(path: Path, cpus: str) -> Path:
    program = path.with_name(cpus + ".byre")
    command(BUILD / "bin/ferrule-compile", f"--target-cpu={cpus}", path, "-o", program)
    return program


def expect_pytorchs_values(model, program, tmp_path, *runner):
    module, inputs, _ = model
    for x in inputs:
        np.save(tmp_path / "x.npy", x.numpy())
        command(
            *(*runner, program, "--threads=2", f"--input=x=@{tmp_path}/x.npy"),
            f"--output=@{tmp_path}/y.npy",
        )
        with torch.no_grad():
            expected = module(x).numpy()
        found = np.load(tmp_path / "y.npy")
        assert found.shape == expected.shape
        np.testing.assert_allclose(
            found, expected, rtol=0, atol=1e-5 * max(1, np.abs(expected).max())
        )


@needs_x86_emulator
def test_the_best_of_several_cpus_is_picked(model, tmp_path):
    """On an emulated CPU without AVX-512, the second image of the file."""
    haswell = ["qemu-x86_64-static", "-cpu", "Haswell", BUILD / "bin/ferrule-run"]
    both = compile_for(model[2], "x86-64-v4,x86-64-v3")
    expect_pytorchs_values(model, both, tmp_path, BUILD / "bin/ferrule-run")
    expect_pytorchs_values(model, both, tmp_path, *haswell)
    only = compile_for(model[2], "x86-64-v4")
    result = run(*haswell, only, "--input=x=random")
    assert result.returncode == 1
    assert (
        "error: this machine cannot run the program: x86-64-v4 needs avx512f "
        in result.stderr
    )
    # The images share one copy of the weights.
    assert both.stat().st_size < only.stat().st_size + 400_000


@needs_x86_emulator
def test_a_cpu_without_avx2_is_refused(model):
    program = compile_for(model[2], "x86-64-v4,x86-64-v3")
    result = run(
        *("qemu-x86_64-static", "-cpu", "qemu64", BUILD / "bin/ferrule-run"),
        *(program, "--input=x=random"),
    )
    assert result.returncode == 1
    (line,) = [line for line in result.stderr.splitlines() if "error" in line]
    assert "x86-64-v4 needs avx avx2 fma " in line
    assert "; x86-64-v3 needs avx avx2 fma " in line


@pytest.fixture(scope="module")
def arm_run():
    """The runtime for Arm, and how to run it here."""
    if not (ARM_BUILD / "build.ninja").exists():
        command("cmake", "-S", ROOT, "--preset", "aarch64", "-B", ARM_BUILD)
    command("cmake", "--build", ARM_BUILD, "--target", "ferrule-run", "-j", "2")
    emulator = ["qemu-aarch64-static", "-cpu", "cortex-a57", "-L", ARM_ROOT]
    return [*emulator, ARM_BUILD / "bin/ferrule-run"]


@needs_arm
def test_a_program_for_arm_gives_pytorchs_values(model, arm_run, tmp_path):
    program = compile_for(model[2], "aarch64")
    expect_pytorchs_values(model, program, tmp_path, *arm_run)


@needs_arm
def test_one_file_for_both_kinds_of_machines(model, arm_run, tmp_path):
    program = compile_for(model[2], "x86-64-v3,neoverse-n1,aarch64")
    expect_pytorchs_values(model, program, tmp_path, BUILD / "bin/ferrule-run")
    expect_pytorchs_values(model, program, tmp_path, *arm_run)


@needs_arm
def test_the_wrong_machine_is_named(model, arm_run):
    result = run(*arm_run, compile_for(model[2], "x86-64-v3"), "--input=x=random")
    assert result.returncode == 1
    assert "this machine cannot run the program: x86-64-v3 needs " in result.stderr
    program = compile_for(model[2], "neoverse-n1")
    result = run(BUILD / "bin/ferrule-run", program, "--input=x=random")
    assert result.returncode == 1
    assert "cannot run the program: neoverse-n1 needs aarch64" in result.stderr
