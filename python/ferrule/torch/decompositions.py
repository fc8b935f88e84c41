"""Which operators an exported program is made of: the decomposition table."""

from __future__ import annotations

import functools
import re

import torch
from torch._decomp import decomposition_table
from torch.export import default_decompositions

from .._native import _compiler

aten = torch.ops.aten

# The table for core operators decomposes these into many small ones; as they
# are, the compiler has a better form for them.
KEPT_WHOLE = re.compile(
    r"aten::(scaled_dot_product_attention|_?upsample_\w+|grid_sampler\w*|roll"
    r"|(reflection|replication)_pad[123]d|pixel_(un)?shuffle|channel_shuffle)$"
)


@functools.cache
def lowered_operators() -> frozenset[str]:
    return frozenset(_compiler.lowered_torch_operators())


def is_lowered(overload: torch._ops.OpOverload) -> bool:
    name = overload._schema.name.replace("::", ".")
    if overload._schema.overload_name:
        name += f".{overload._schema.overload_name}"
    return name in lowered_operators()


def attention(
    query,
    key,
    value,
    dropout_p=0.0,
    is_causal=False,
    *,
    attn_mask=None,
    scale=None,
):
    """PyTorch's own decomposition of CPU attention gives the result other strides
    than the operator has, so that a later `view` of it fails for batches."""
    output, weights = aten._scaled_dot_product_attention_math.default(
        query,
        key,
        value,
        attn_mask=attn_mask,
        dropout_p=dropout_p,
        is_causal=is_causal,
        dropout_mask=None,
        scale=scale,
        enable_gqa=query.size(1) != key.size(1),
    )
    return output.transpose(1, 2).contiguous().transpose(1, 2), weights


def make_table():
    """PyTorch's table for core operators, and its other decompositions for what
    the compiler does not take as it is."""
    table = default_decompositions()
    table[aten._scaled_dot_product_flash_attention_for_cpu.default] = attention
    for operator in list(table.keys()):
        if KEPT_WHOLE.match(operator._schema.name) and is_lowered(operator):
            table.pop(operator)
    present = set(table.keys())
    for operator, decomposition in decomposition_table.items():
        if (
            isinstance(operator, torch._ops.OpOverload)
            and operator not in present
            and not operator._schema.is_mutable
            and not is_lowered(operator)
        ):
            table[operator] = decomposition
    return table


def keep_whole(table, operator) -> None:
    """Takes an operator out of the table; `operator` is an overload, a packet of
    overloads or a name ("aten.gelu")."""
    if isinstance(operator, str):
        space, _, name = operator.removeprefix("torch.").partition(".")
        name, _, overload = name.partition(".")
        operator = getattr(getattr(torch.ops, space), name)
        if overload:
            operator = getattr(operator, overload)
    if isinstance(operator, torch._ops.OpOverload):
        table.pop(operator, None)
        return
    for overload in operator.overloads():
        table.pop(getattr(operator, overload), None)
