"""Models of the usual sizes, from PyTorch and exported to ONNX by it.

Their weights are random. Compiled with FERRULE_FULL=1 only; the small forms of
the same models are in test_families.py and test/python/onnx/test_models.py.
"""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))

import workloads

import ferrule

pytestmark = pytest.mark.skipif(
    not os.environ.get("FERRULE_FULL"), reason="FERRULE_FULL=1 runs the large models"
)
PICTURES = ["resnet18", "resnet50", "mobilenetv2", "vit_b16"]
TEXTS = ["bert_base", "gpt2"]


def relative(actual, expected) -> float:
    return float(np.abs(actual - expected).max() / np.abs(expected).max())


def inputs_of(name, rows, columns):
    generator = torch.Generator().manual_seed(rows * 100 + columns)
    if name in PICTURES:
        return (torch.randn(rows, 3, 224, 224, generator=generator),)
    ids = torch.randint(0, 30000, (rows, columns), generator=generator)
    return (ids, torch.ones_like(ids)) if name == "bert_base" else (ids,)


@pytest.mark.parametrize("name", PICTURES + TEXTS)
def test_from_pytorch(name):
    """One program with a dynamic batch, and dynamic lengths of text."""
    make = workloads.image_module if name in PICTURES else workloads.text_module
    module = make(name)
    inputs = inputs_of(name, 2, 16)
    dims = {0: "batch"} if name in PICTURES else {0: "batch", 1: "sequence"}
    program = ferrule.compile(
        module, inputs, dynamic_shapes=(tuple(dims for _ in inputs),)
    )
    for rows, columns in [(2, 16), (1, 128), (3, 7)]:
        inputs = inputs_of(name, rows, columns)
        with torch.no_grad():
            expected = module(*inputs).numpy()
        assert relative(program(*inputs).numpy(), expected) < 2e-4


@pytest.mark.parametrize("name", PICTURES + TEXTS)
def test_from_onnx(name):
    onnxruntime = pytest.importorskip("onnxruntime", reason="the oracle")
    workload = workloads.WORKLOADS[name]
    path = str(workload.onnx())
    inputs = workload.inputs(0)
    expected = onnxruntime.InferenceSession(path).run(None, inputs)[0]
    result = np.asarray(ferrule.compile(path)(**inputs))
    assert relative(result, expected) < 2e-4
