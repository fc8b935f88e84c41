"""Layers of torch.nn from PyTorch's module database, against eager.

The usual run takes every ninth; FERRULE_FULL=1 takes all. Layers listed in
expected_failures.txt as "torch.nn.X" may fail.
"""

import os
import warnings

import pytest
import torch
from checking import first_line
from test_opinfo import FAILURES
from torch.testing._internal.common_modules import module_db
from torch.utils import _pytree as pytree

import ferrule

FULL = os.environ.get("FERRULE_FULL") == "1"

# A seed decides the values.
DRAWN = ("torch.nn.FractionalMaxPool2d", "torch.nn.FractionalMaxPool3d")


def name_of(info) -> str:
    return "torch." + info.name


def listed():
    found = [
        info
        for info in module_db
        if torch.float32 in info.dtypes and name_of(info) not in FAILURES
    ]
    return found if FULL else found[::9]


def layer_and_inputs(info):
    """The first sample that is called with tensors."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        samples = info.module_inputs_func(
            info, device="cpu", dtype=torch.float32, requires_grad=False, training=False
        )
        for sample in samples:
            if sample.forward_input is None:
                continue
            built = sample.constructor_input
            layer = info.module_cls(*built.args, **built.kwargs).eval()
            given = sample.forward_input
            return layer, (given.args, given.kwargs)
    return None


@pytest.mark.parametrize("info", listed(), ids=name_of)
def test_module(info):
    found = layer_and_inputs(info)
    if found is None:
        pytest.skip("the database has no inputs for it")
    layer, (args, kwargs) = found
    with torch.no_grad():
        expected = pytree.tree_leaves(layer(*args, **kwargs))
    try:
        with torch.no_grad():
            program = torch.export.export(layer, tuple(args), kwargs, strict=False)
    except Exception as error:
        pytest.skip(f"PyTorch's exporter refuses: {first_line(error)}")
    result = ferrule.compile(program)(*args, **kwargs)
    for a, b in zip(pytree.tree_leaves(result), expected, strict=True):
        if name_of(info) in DRAWN:
            assert a.shape == b.shape and a.dtype == b.dtype
        elif isinstance(b, torch.Tensor):
            torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4, equal_nan=True)
