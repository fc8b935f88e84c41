"""`torch.compile(module, backend="ferrule")`."""

from __future__ import annotations

import functools

import torch
from torch.fx import GraphModule, Node

from .._native import _compiler
from .arguments import Arguments
from .decompositions import make_table
from .graph import GraphImporter
from .symbols import Symbols
from .types import ImportFailure, value_type


def backend(graph_module: GraphModule, example_inputs):
    """The backend that TorchDynamo calls with each graph that it captured."""
    from torch._dynamo.backends.common import aot_autograd

    compiler = aot_autograd(
        fw_compiler=compile_graph, decompositions=dict(make_table().items())
    )
    return compiler(graph_module, example_inputs)


def import_graph(graph_module: GraphModule):
    """A flat graph of AOTAutograd as a program, and what the outputs are.

    Returns the module and for each output what makes it of the results.
    """
    builder = _compiler.GraphBuilder()
    arguments = Arguments(builder)
    symbols = Symbols()
    nodes = [n for n in graph_module.graph.nodes if n.op == "placeholder"]
    types = [builder.type(value_type(node.meta["val"])) for node in nodes]
    values = builder.begin_function("main", types)
    for index, (node, value) in enumerate(zip(nodes, values, strict=True)):
        arguments.env[node] = value
        builder.set_argument(index, node.name, argument_dims(symbols, node))
    outputs = GraphImporter(builder, graph_module, arguments).run()
    if not isinstance(outputs, (list, tuple)):
        outputs = [outputs]
    results, entries, made = [], [], []
    for output in outputs:
        if isinstance(output, Node):
            entries.append(reader(output, len(results)))
            results.append(arguments.node_value(output))
            made.append(output)
        else:
            entries.append(functools.partial(constant, output))
    builder.end_function(results)
    for index, node in enumerate(made):
        builder.set_result(index, f"result_{index}", argument_dims(symbols, node))
    return builder.finish(), entries


def argument_dims(symbols: Symbols, node: Node) -> list[str]:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return []
    dims = symbols.dims(value)
    return dims if any(dims) else []


def compile_graph(graph_module: GraphModule, example_inputs):
    from functorch.compile import make_boxed_func

    from ..executable import Executable

    try:
        module, entries = import_graph(graph_module)
    except ImportFailure as failure:
        raise RuntimeError(f"ferrule cannot import the graph: {failure}") from failure
    program = Executable.from_bytes(module.compile())

    def run(*inputs):
        flat = [
            value.detach().contiguous() if isinstance(value, torch.Tensor) else value
            for value in inputs
        ]
        results = program.run(flat)
        return [entry(results) for entry in entries]

    return make_boxed_func(run)


def constant(value, results):
    return value


def reader(output: Node, number: int):
    """A tensor is a tensor, but sizes go to the backward graph as numbers."""
    value = output.meta.get("val")
    for kinds, convert in (
        ((torch.SymBool, bool), bool),
        ((torch.SymInt, int), int),
        ((torch.SymFloat, float), float),
    ):
        if isinstance(value, kinds):
            return lambda results: convert(results[number])
    return lambda results: as_torch(results[number])


def as_torch(result):
    """Without a tensor among the inputs, results come as NumPy arrays."""
    if isinstance(result, torch.Tensor) or not hasattr(result, "__dlpack__"):
        return result
    return torch.from_dlpack(result)


def register() -> None:
    """Makes the name known; an installed package has an entry point for it."""
    from torch._dynamo.backends.registry import _BACKENDS, register_backend

    if "ferrule" not in _BACKENDS:
        register_backend(backend, name="ferrule")
