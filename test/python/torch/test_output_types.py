"""What export_and_import gives is accepted by the tools of its dialects."""

import subprocess

import pytest
import torch

from ferrule.torch import export_and_import

MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"


def text(output_type):
    torch.manual_seed(0)
    layers = torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)
    module = torch.nn.Sequential(*layers, torch.nn.Softmax(-1))
    imported = export_and_import(module, torch.randn(2, 4), output_type=output_type)
    return imported.module.text(elide=False)


@pytest.mark.parametrize("output_type", ["linalg-on-tensors", "tosa"])
def test_stock_tools_accept_it(output_type):
    program = text(output_type)
    assert "stablehlo." not in program and "torch." not in program.split("func.func")[1]
    done = subprocess.run(
        [MLIR_OPT, "-", "--verify-each"], input=program, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_what_tosa_lacks_is_named():
    with pytest.raises(ValueError, match="stablehlo.cosine|stablehlo.fft|no form"):
        export_and_import(
            lambda x: torch.fft.fft(x).real, torch.randn(8), output_type="tosa"
        )
