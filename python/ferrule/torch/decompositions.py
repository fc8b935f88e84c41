"""Which operators an exported program is made of: the decomposition table."""

from __future__ import annotations

import torch
from torch.export import default_decompositions

aten = torch.ops.aten


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
    table = default_decompositions()
    table[aten._scaled_dot_product_flash_attention_for_cpu.default] = attention
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
