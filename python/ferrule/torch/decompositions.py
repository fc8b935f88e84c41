"""Which operators an exported program is made of: the decomposition table."""

from __future__ import annotations

import functools
import re
import sys

import torch
from torch._decomp import decomposition_table
from torch.export import default_decompositions
from torch.fx.experimental.symbolic_shapes import statically_known_true

from .._native import _compiler
from . import (  # noqa: F401  (they register rules)
    gradient_decompositions,
    linalg_decompositions,
    polynomial_decompositions,
    quantize_decompositions,
    spatial_decompositions,
    special_decompositions,
    window_decompositions,
)
from .own_decompositions import OWN

aten = torch.ops.aten

# The table for core operators decomposes these into many small ones; as they
# are, the compiler has a better form for them.
KEPT_WHOLE = re.compile(
    r"aten::(scaled_dot_product_attention|_?upsample_\w+|grid_sampler\w*|roll"
    r"|(reflection|replication)_pad[123]d|pixel_(un)?shuffle|channel_shuffle"
    r"|take|bucketize)$"
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


def attention_backward(
    grad_out,
    query,
    key,
    value,
    out,
    logsumexp,
    dropout_p,
    is_causal,
    *,
    attn_mask=None,
    scale=None,
):
    """Gradients by the weights, which are computed again: what the forward pass
    returns beside its result is not read."""
    wide = torch.float64 if query.dtype is torch.float64 else torch.float32
    grad, q, k, v = (t.to(wide) for t in (grad_out, query, key, value))
    group = query.shape[1] // key.shape[1]
    if group != 1:
        k, v = (t.repeat_interleave(group, dim=1) for t in (k, v))
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ k.transpose(-2, -1) * scale
    if is_causal:
        rows = torch.arange(q.shape[-2])[:, None]
        seen = rows >= torch.arange(k.shape[-2])
        scores = torch.where(seen, scores, float("-inf"))
    if attn_mask is not None:
        scores = scores + attn_mask.to(wide)
    weights = torch.softmax(scores, -1)
    grad_weights = grad @ v.transpose(-2, -1)
    mean = (grad_weights * weights).sum(-1, keepdim=True)
    grad_scores = weights * (grad_weights - mean) * scale
    grad_k = grad_scores.transpose(-2, -1) @ q
    grad_v = weights.transpose(-2, -1) @ grad
    if group != 1:
        shape = (key.shape[0], key.shape[1], group, *key.shape[2:])
        grad_k = grad_k.reshape(shape).sum(2)
        grad_v = grad_v.reshape((*shape[:-1], value.shape[-1])).sum(2)
    return tuple(g.to(query.dtype) for g in (grad_scores @ k, grad_k, grad_v))


def as_strided(self, size, stride, storage_offset=None):
    """Another shape for the same elements in the same order is a view. PyTorch's
    pooling ends so, also where its sizes are unknown."""
    if storage_offset is not None and storage_offset != self.storage_offset():
        return NotImplemented
    expected = 1
    for length, step in zip(reversed(size), reversed(stride), strict=True):
        if statically_known_true(length == 1):
            continue
        if not statically_known_true(step == expected):
            return NotImplemented
        expected = expected * length
    if not statically_known_true(self.numel() == expected):
        return NotImplemented
    if not self.is_contiguous():
        return NotImplemented
    return self.view(size)


def histc(self, bins=100, min=0, max=0):
    """Counts of the elements in `bins` equal parts of [min, max]."""
    values = self.reshape(-1)
    if min == max:
        low, high = values.amin(), values.amax()
        same = low == high
        low, high = torch.where(same, low - 1, low), torch.where(same, high + 1, high)
    else:
        low, high = (torch.full((), x, dtype=self.dtype) for x in (min, max))
    inside = (values >= low) & (values <= high)
    position = ((values - low) * bins / (high - low)).to(torch.int64)
    # What lies outside counts for a part of its own.
    position = torch.where(inside, position.clamp(0, bins - 1), bins)
    counts = torch.zeros(bins + 1, dtype=self.dtype)
    return counts.scatter_add(0, position, torch.ones_like(values))[:bins]


def grouped_mm(input, weight, offs):
    """Rows up to offs[0] times weight[0], those up to offs[1] times weight[1] ...;
    rows after the last are zero."""
    rows = torch.arange(input.shape[0])
    ends = offs.to(torch.int64)[:, None]
    starts = torch.cat([torch.zeros_like(ends[:1]), ends[:-1]])
    mine = (rows >= starts) & (rows < ends)
    return torch.bmm(torch.where(mine[:, :, None], input, 0), weight).sum(0)


def weight_int8pack_mm(input, weight, scales):
    return torch.mm(input, weight.to(input.dtype).t()) * scales


# Operators of PT2E that PyTorch computes by functions of these names.
TOKEN_QUANTISATION = {
    "choose_qparams_per_token": "choose_qparams_per_token",
    "choose_qparams_per_token_asymmetric": "_choose_qparams_per_token_asymmetric_impl",
    "quantize_per_token": "quantize_per_token",
    "dequantize_per_token": "dequantize_per_token",
    "dequantize_per_channel_group": "dequantize_per_channel_group",
}


def library_decompositions():
    """Operators that other libraries define, where they are loaded."""
    name = "transformers::grouped_mm_fallback"
    if "transformers" in sys.modules and name in torch._C._dispatch_get_all_op_names():
        yield torch.ops.transformers.grouped_mm_fallback.default, grouped_mm
    functions = sys.modules.get("torch.ao.quantization.fx._decomposed")
    if functions is not None:
        for name, function in TOKEN_QUANTISATION.items():
            operator = getattr(torch.ops.quantized_decomposed, name, None)
            if operator is not None and hasattr(functions, function):
                yield operator.default, getattr(functions, function)


def make_table():
    """PyTorch's table for core operators, and its other decompositions for what
    the compiler does not take as it is."""
    table = default_decompositions()
    table[aten._scaled_dot_product_flash_attention_for_cpu.default] = attention
    table[aten._scaled_dot_product_flash_attention_for_cpu_backward.default] = (
        attention_backward
    )
    table[aten.as_strided.default] = as_strided
    table[aten.histc.default] = histc
    table[aten._weight_int8pack_mm.default] = weight_int8pack_mm
    table.update(dict(library_decompositions()))
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
    table.update({op: rule for op, rule in OWN.items() if not is_lowered(op)})
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
