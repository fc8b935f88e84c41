"""flex_attention as the operators that it stands for."""

from __future__ import annotations

import contextlib
import math

import torch
from torch.fx.experimental.proxy_tensor import ProxyTorchDispatchMode

from .types import ImportFailure


aten = torch.ops.aten
OF_ELEMENTS = {
    aten.index.Tensor,
    aten.to.dtype,
    aten.to.dtype_layout,
    aten._to_copy.default,
    aten.clone.default,
    aten.detach.default,
    aten.alias.default,
    aten.lift_fresh_copy.default,
    aten.new_zeros.default,
    aten.new_ones.default,
    aten.new_full.default,
    aten.zeros_like.default,
    aten.ones_like.default,
    aten.full_like.default,
    aten._assert_tensor_metadata.default,
}
# On single elements too, but not tagged so: they consist of others.
COMPOSED = {
    aten.where,
    aten.rsub,
    aten.floor_divide,
    aten.divide,
    aten.multiply,
    aten.subtract,
    aten.true_divide,
    aten.clip,
    aten.square,
    aten.__and__,
    aten.__or__,
    aten.__xor__,
}


def attention(
    query,
    key,
    value,
    score_mod,
    block_mask,
    scale,
    kernel_options=None,
    score_mod_other_buffers=(),
    mask_mod_other_buffers=(),
):
    """The result, and of each row the logarithm (to base 2) of the sum of the
    scores' exponentials, and the largest score in the same measure."""
    group = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(group, dim=1) for t in (key, value))
    wide = torch.float64 if query.dtype is torch.float64 else torch.float32
    scores = (query @ key.transpose(-2, -1)).to(wide) * scale
    # The functions are of one pair; all are computed at once by broadcasting.
    places = [
        torch.arange(n, dtype=torch.int32).reshape([-1] + [1] * (3 - d))
        for d, n in enumerate(scores.shape)
    ]
    changed = score_mod(scores, *places, *score_mod_other_buffers)
    seen = block_mask[-1](*places, *mask_mod_other_buffers)
    nothing = torch.full((), -math.inf, dtype=wide)
    changed = torch.where(seen, changed.to(wide), nothing).expand(scores.shape)
    largest = changed.amax(-1)
    total = torch.where(largest == -math.inf, largest, changed.logsumexp(-1))
    weights = torch._safe_softmax(changed, dim=-1)
    result = weights.to(query.dtype) @ value.to(query.dtype)
    return result, total / math.log(2), largest / math.log(2)


def traced_attention(mode, *operands, **options):
    """What a tracer does at the operator: it traces the formula instead."""
    with mode:
        return attention(*operands, **options)


def check_functions(program) -> None:
    """Raises where a function of a pair does more than broadcasting can do."""
    for node in program.graph.nodes:
        if node.target is not torch.ops.higher_order.flex_attention:
            continue
        for subgraph, places in ((node.args[3], 5), (node.args[4][-1], 4)):
            graph = getattr(program.graph_module, subgraph.target).graph
            check_function(graph, places)


def check_function(graph, places: int) -> None:
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    of_pair = set(inputs[:places])
    for node in graph.nodes:
        if node.op != "call_function" or of_pair.isdisjoint(node.all_input_nodes):
            continue
        of_pair.add(node)
        if isinstance(node.target, torch._ops.OpOverload) and not (
            torch.Tag.pointwise in node.target.tags
            or node.target in OF_ELEMENTS
            or node.target.overloadpacket in COMPOSED
        ):
            raise ImportFailure(
                f"flex_attention: {node.target} in the function of a pair: expected "
                "operators on single elements and indexing"
            )


@contextlib.contextmanager
def decomposed_flex_attention():
    """While this lasts, traces have no flex_attention but the scores of all pairs,
    each given to the user's function, softmax and a product."""
    operator = torch.ops.higher_order.flex_attention
    table = operator.python_key_table
    before = table[ProxyTorchDispatchMode]
    table[ProxyTorchDispatchMode] = traced_attention
    operator._dispatch_cache.clear()
    try:
        yield
    finally:
        table[ProxyTorchDispatchMode] = before
        operator._dispatch_cache.clear()
