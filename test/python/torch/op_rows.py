"""Rows of operator tests: a function of tensors, its inputs, and how to check
that the compiled function gives what PyTorch gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch


@dataclass
class Row:
    name: str
    function: Callable
    inputs: tuple
    # Dimensions that are left open, per input: ({0: "n"}, None).
    dynamic: Any = None
    # Further inputs for the same program, when sizes are open.
    others: tuple = field(default=())
    tolerance: float = 2e-5


def with_signature(function, count):
    """Built-in functions tell no signature, which the exporter needs."""
    try:
        inspect.signature(function)
    except ValueError:
        names = ", ".join(f"x{i}" for i in range(count))
        return eval(f"lambda {names}: function({names})", {"function": function})
    return function


def row(name, function, *inputs, dynamic=None, others=(), tolerance=2e-5):
    function = with_signature(function, len(inputs))
    return pytest.param(
        Row(name, function, inputs, dynamic, tuple(others), tolerance), id=name
    )


def t(*shape, dtype=torch.float32, seed=0, low=None, high=None):
    """A random tensor: normal floats, or integers in [low, high)."""
    generator = torch.Generator().manual_seed(seed + sum(shape))
    if dtype == torch.bool:
        return torch.rand(shape, generator=generator) > 0.5
    if not dtype.is_floating_point:
        low, high = (-5, 6) if low is None else (low, high)
        return torch.randint(low, high, shape, generator=generator, dtype=dtype)
    if low is not None:
        values = torch.rand(shape, generator=generator) * (high - low) + low
        return values.to(dtype)
    return torch.randn(shape, generator=generator).to(dtype)


def flat(value):
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in flat(part)]
    return [value]


def compare(found, expected, tolerance, what):
    found, expected = flat(found), flat(expected)
    assert len(found) == len(expected), what
    for a, b in zip(found, expected):
        if not isinstance(b, torch.Tensor):
            assert a == b, what
            continue
        a = torch.as_tensor(a)
        assert tuple(a.shape) == tuple(b.shape), what
        assert a.dtype == b.dtype, what
        loose = b.dtype in (torch.float16, torch.bfloat16)
        torch.testing.assert_close(
            a,
            b,
            rtol=1e-2 if loose else tolerance,
            atol=1e-2 if loose else tolerance,
            equal_nan=True,
            msg=lambda text: f"{what}: {text}",
        )


def run_row(case: Row):
    ferrule = pytest.importorskip("ferrule")
    program = ferrule.compile(
        case.function, case.inputs, dynamic_shapes=case.dynamic
    )
    for inputs in (case.inputs, *case.others):
        with torch.no_grad():
            expected = case.function(*inputs)
        shapes = [tuple(i.shape) for i in inputs if isinstance(i, torch.Tensor)]
        compare(program(*inputs), expected, case.tolerance, f"at {shapes}")
