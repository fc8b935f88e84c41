"""Graphs of which the compiler lacks an operator: that one runs eagerly, what is
around it is compiled."""

from __future__ import annotations

import re
import warnings

import torch
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree

from .types import DTYPES, ImportFailure

# What the importer and the compiler raise at a program that they cannot take.
LACKING = (ImportFailure, ValueError)

# Names of operators in the compiler's messages.
OPERATOR = re.compile(r"\b(?:torch\.)?((?:aten|prims?|\w+)\.\w+(?:\.\w+)?)\b")

# Operators that were already named in a warning of this process.
warned: set[str] = set()


def compile_in_parts(graph_module: GraphModule, failure: Exception, compile_part):
    """A function like the graph module, where what `compile_part` takes is
    compiled. `failure` says what it did not take."""
    eager = named_operators(graph_module, failure)
    reasons = {name: failure for name in eager}
    while eager:
        split = split_graph(graph_module, eager)
        more: dict[str, Exception] = {}
        for name, part in list(split.named_children()):
            if not name.startswith("fused_"):
                continue
            try:
                setattr(split, name, Compiled(part, compile_part(part)))
            except LACKING as other:
                found = named_operators(part, other) - eager
                # What is not about one operator keeps its part as it is.
                more.update({operator: other for operator in found})
                if not found:
                    reasons[""] = other
        if not more:
            warn(reasons)
            return split
        eager |= more.keys()
        reasons.update(more)
    warn({"": failure})
    return graph_module


class Compiled(torch.nn.Module):
    """A compiled part in the place of the part."""

    def __init__(self, part: GraphModule, run):
        super().__init__()
        (output,) = (n for n in part.graph.nodes if n.op == "output")
        self.single = isinstance(output.args[0], Node)
        self.run = run

    def forward(self, *inputs):
        results = self.run(*inputs)
        return results[0] if self.single else tuple(results)


def operator_name(node: Node) -> str:
    """Of a call, as the dialect writes it: "aten.add.Tensor", "aten.relu"."""
    if node.op != "call_function":
        return ""
    if isinstance(node.target, torch._ops.OpOverload):
        return str(node.target).removesuffix(".default")
    if isinstance(node.target, torch._ops.HigherOrderOperator):
        return node.target.name()
    return getattr(node.target, "__name__", str(node.target))


def named_operators(graph_module: GraphModule, failure: Exception) -> set[str]:
    """Operators of the graph that the first line of the message names, or else
    any line of it."""
    present = {operator_name(node) for node in graph_module.graph.nodes} - {""}
    for text in (str(failure).partition("\n")[0], str(failure)):
        named = {m.removesuffix(".default") for m in OPERATOR.findall(text)}
        found = present & named
        # Higher-order operators have names of one word.
        found |= {n for n in present if "." not in n and f"operator {n} " in text}
        if found:
            return found
    return set()


def is_dense(value) -> bool:
    """What a compiled part can take and give."""
    if isinstance(value, torch.Tensor):
        return (
            value.layout is torch.strided
            and value.device.type == "cpu"
            and value.dtype in DTYPES
        )
    return isinstance(
        value, (int, float, bool, torch.SymInt, torch.SymFloat, torch.SymBool)
    )


class Supported:
    """What `torch.fx`'s partitioner asks about each node."""

    def __init__(self, eager: set[str]):
        self.eager = eager

    def is_node_supported(self, submodules, node: Node) -> bool:
        if node.op != "call_function" or operator_name(node) in self.eager:
            return False
        # Subgraphs cannot be handed from part to part.
        if isinstance(node.target, torch._ops.HigherOrderOperator):
            return False
        values = [node.meta.get("val")]
        values += [n.meta.get("val") for n in node.all_input_nodes if is_value(n)]
        return all(is_dense(leaf) for leaf in pytree.tree_leaves(values))


def is_value(node: Node) -> bool:
    return node.op != "get_attr"


def split_graph(graph_module: GraphModule, eager: set[str]) -> GraphModule:
    """A copy of the graph where all but the eager operators are in submodules."""
    from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner

    copy = GraphModule(graph_module, copy_graph(graph_module))
    partitioner = CapabilityBasedPartitioner(
        copy, Supported(eager), allows_single_node_partition=True
    )
    return partitioner.partition_and_fuse()


def copy_graph(graph_module: GraphModule) -> torch.fx.Graph:
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(graph_module.graph, {}))
    return graph


def warn(reasons: dict[str, Exception]) -> None:
    """One warning for all that was not named in one before."""
    names = sorted(name for name in reasons if name and name not in warned)
    if names:
        warned.update(names)
        warnings.warn(
            f"ferrule has no {', '.join(names)} as used here: "
            f"{'it runs' if len(names) == 1 else 'they run'} eagerly, the rest is "
            "compiled",
            RuntimeWarning,
            stacklevel=2,
        )
    elif "" in reasons:
        message = str(reasons[""]).partition("\n")[0]
        if message not in warned:
            warned.add(message)
            warnings.warn(
                f"ferrule cannot compile a graph, which runs eagerly: {message}",
                RuntimeWarning,
                stacklevel=2,
            )
