"""PyTorch's operator database as functions of tensors with sample inputs."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import DecorateInfo
from torch.utils import _pytree as pytree

# Entries that are no functional tensor math, by the start of their name.
OUTSIDE = {
    "empty": "the elements have no defined value",
    "new_empty": "the elements have no defined value",
    "sparse": "sparse layout",
    "to_sparse": "sparse layout",
    "torch.ops.aten._flash_attention_forward": "for CUDA",
    "torch.ops.aten._efficient_attention_forward": "for CUDA",
    "torch._scaled_mm": "for CUDA",
    "jiterator": "for CUDA",
    "nn.functional.batch_norm.without_cudnn": "for CUDA",
    "as_strided.partial_views": "reads memory around the tensor that it is given",
    "resize_": "changes the storage of its input",
    "resize_as_": "changes the storage of its input",
}

# Results that a seed decides: only sizes and types are compared.
RANDOM = (
    "bernoulli cauchy exponential geometric log_normal multinomial normal "
    "rand_like randint randint_like randn randn_like uniform "
    "nn.functional.alpha_dropout nn.functional.dropout nn.functional.dropout2d "
    "nn.functional.dropout3d nn.functional.feature_alpha_dropout "
    "nn.functional.fractional_max_pool2d nn.functional.fractional_max_pool3d "
    "nn.functional.rrelu svd_lowrank pca_lowrank "
    "nn.functional.multi_head_attention_forward"
).split()

# The smallest set of element types that shows every kind.
PREFERRED = (torch.float32, torch.int64, torch.bool, torch.complex64)
KINDS = (
    torch.bfloat16,
    torch.float16,
    torch.float64,
    torch.int64,
    torch.bool,
    torch.complex64,
)


def full_name(op) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def why_outside(op) -> str | None:
    name = full_name(op)
    for start, reason in OUTSIDE.items():
        if name == start or name.startswith((start + "_", start + ".")):
            return reason
    return None if op.dtypes else "for no element type of the CPU"


def operators() -> list:
    return [op for op in op_db if why_outside(op) is None]


def main_type(op) -> torch.dtype:
    """float32, or the first kind that the operator takes."""
    return next((t for t in PREFERRED if t in op.dtypes), sorted(op.dtypes, key=str)[0])


def types_of(op) -> list[torch.dtype]:
    first = main_type(op)
    return [first, *(t for t in KINDS if t in op.dtypes and t != first)]


@dataclass
class Case:
    """`function(*tensors)` is one sample of an operator."""

    function: Callable
    tensors: list[torch.Tensor]
    # Makes the result comparable where the operator leaves a choice (the signs
    # of eigenvectors), a hook of the database.
    process: Callable
    summary: str


def sample_cases(op, dtype: torch.dtype, gradient: bool = False) -> Iterator[Case]:
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        samples = op.sample_inputs("cpu", dtype, requires_grad=gradient)
        for sample in samples:
            yield make_case(op, sample)


def make_case(op, sample) -> Case:
    values: Any = (sample.input, sample.args, sample.kwargs)
    leaves, spec = pytree.tree_flatten(values)
    places = [i for i, v in enumerate(leaves) if isinstance(v, torch.Tensor)]

    def function(*tensors):
        filled = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            filled[place] = tensor
        first, args, kwargs = pytree.tree_unflatten(filled, spec)
        return op(first, *args, **kwargs)

    def process(result):
        return sample.output_process_fn_grad(result)

    return Case(function, [leaves[p] for p in places], process, describe(values))


def describe(values) -> str:
    """The arguments in short, for messages."""

    def short(value):
        if not isinstance(value, torch.Tensor):
            return str(value)
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"

    first, args, kwargs = pytree.tree_map(short, values)
    parts = [str(first), *map(str, args)]
    parts += [f"{key}={value}" for key, value in kwargs.items()]
    return ", ".join(parts).replace("'", "")[:300]


# (atol, rtol) of results.
USUAL = {
    torch.float16: (1e-3, 2e-3),
    torch.bfloat16: (1e-2, 1.6e-2),
    torch.float32: (1e-5, 1e-5),
    torch.complex64: (1e-5, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex128: (1e-7, 1e-7),
}


def tolerance(op, dtype: torch.dtype) -> tuple[float, float]:
    """(atol, rtol): the database's widest for the type, at least the usual."""
    atol, rtol = USUAL.get(dtype, (0.0, 0.0))
    for decorator in itertools.chain(op.decorators):
        if not isinstance(decorator, DecorateInfo):
            continue
        if decorator.device_type not in (None, "cpu"):
            continue
        for inner in decorator.decorators:
            overrides = getattr(inner, "d", None) or {}
            # A precisionOverride has one number, which is absolute.
            if isinstance(found := overrides.get(dtype), (int, float)):
                atol = max(atol, found)
            elif found is not None:
                atol, rtol = max(atol, found.atol), max(rtol, found.rtol)
    return atol, rtol
