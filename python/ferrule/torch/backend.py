"""`torch.compile(module, backend="ferrule")`."""

from __future__ import annotations

import functools

import torch
from torch.fx import GraphModule, Node
from torch.utils._python_dispatch import _disable_current_modes

from .._native import _compiler
from ..compiling import module_options
from .arguments import Arguments
from .decompositions import make_table
from .drawing import Drawing
from .exporting import operators_listed_once
from .graph import GraphImporter
from .parts import LACKING, compile_in_parts
from .symbols import Symbols
from .trees import to_tensor
from .types import value_type

# What `options` of torch.compile may hold: those of ferrule.compile.
OPTIONS = ("target", "target_cpu", "opt_level", "threads", "kernel_cache", "dump_ir")


def backend(graph_module: GraphModule, example_inputs, *, options=None, mode=None):
    """The backend that TorchDynamo calls with each graph that it captured.

    `mode` names trade-offs of Inductor's, which there are none of here.
    """
    from torch._dynamo.backends.common import aot_autograd

    options = compile_options(options)
    with operators_listed_once():
        decompositions = dict(make_table().items())
    compiler = aot_autograd(
        fw_compiler=functools.partial(compile_forward, options=options),
        bw_compiler=functools.partial(compile_graph, options=options),
        decompositions=decompositions,
    )
    return compiler(graph_module, example_inputs)


def compile_options(options) -> dict:
    """Keyword arguments for Module.compile, and `threads`."""
    options = dict(options or {})
    for name in options:
        if name not in OPTIONS:
            raise ValueError(
                f"options: expected {', '.join(OPTIONS)}, but found '{name}'"
            )
    threads = options.pop("threads", None)
    return {"threads": threads, **module_options(**options)}


def import_graph(graph_module: GraphModule, laid_out: int = 0):
    """A flat graph of AOTAutograd as a program, and what the outputs are.

    Returns the module, which of the graph's inputs it takes, and for each output
    what makes it of the results. The first `laid_out` outputs get the order of
    dimensions in memory that the graph says.
    """
    builder = _compiler.GraphBuilder()
    arguments = Arguments(builder)
    symbols = Symbols()
    placeholders = [n for n in graph_module.graph.nodes if n.op == "placeholder"]
    taken = [i for i, node in enumerate(placeholders) if not is_token(node)]
    nodes = [placeholders[i] for i in taken]
    types = [builder.type(value_type(node.meta["val"])) for node in nodes]
    values = builder.begin_function("main", types)
    for index, (node, value) in enumerate(zip(nodes, values, strict=True)):
        arguments.env[node] = value
        builder.set_argument(index, node.name, argument_dims(symbols, node))
    for node in placeholders:
        if node not in arguments.env:  # a token
            arguments.env[node] = builder.none()
    outputs = GraphImporter(builder, graph_module, arguments).run()
    if not isinstance(outputs, (list, tuple)):
        outputs = [outputs]
    results, entries, made = [], [], []
    for number, output in enumerate(outputs):
        if isinstance(output, Node) and is_none(builder, arguments, output):
            entries.append(functools.partial(constant, torch.empty(0)))
        elif isinstance(output, Node):
            entries.append(reader(output, len(results), number < laid_out))
            results.append(arguments.node_value(output))
            made.append(output)
        else:
            entries.append(functools.partial(constant, output))
    builder.end_function(results)
    for index, node in enumerate(made):
        builder.set_result(index, f"result_{index}", argument_dims(symbols, node))
    return builder.finish(), taken, entries


def is_token(node: Node) -> bool:
    """Effects have an order, which a token stands for; it holds nothing."""
    effect = torch.ops.higher_order.with_effects
    return bool(node.users) and all(
        user.target is effect and user.args[0] is node for user in node.users
    )


def is_none(builder, arguments: Arguments, output: Node) -> bool:
    return builder.type_text(arguments.node_value(output)) == "!torch.none"


def argument_dims(symbols: Symbols, node: Node) -> list[str]:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return []
    dims = symbols.dims(value)
    return dims if any(dims) else []


def compile_forward(graph_module: GraphModule, example_inputs, *, options=None):
    """Compiles the graph of an inference or of a forward pass. What it returns
    to the user is laid out in memory as eager PyTorch does it; what it keeps for
    the backward pass is not."""
    context = torch._guards.TracingContext.try_get()
    metadata = context.fw_metadata if context is not None else None
    returned = metadata.num_forward_returns if metadata is not None else 0
    return compile_graph(
        graph_module, example_inputs, options=options, laid_out=returned
    )


def compile_graph(
    graph_module: GraphModule, example_inputs, *, options=None, laid_out: int = 0
):
    """A function of a list of inputs. What the compiler lacks runs eagerly."""
    from functorch.compile import make_boxed_func

    # Constants are real tensors, also while the graph is traced with fake ones.
    with _disable_current_modes():
        taken = Drawing(graph_module)
        rest, drawing = taken.graph_module, taken.drawing
        try:
            run = load(rest, options, laid_out)
        except LACKING as failure:
            compile_part = functools.partial(load, options=options)
            run = compile_in_parts(rest, failure, compile_part)
    if drawing is None:
        return make_boxed_func(run)
    return make_boxed_func(lambda *inputs: run(*inputs, *drawing(*inputs)))


def load(graph_module: GraphModule, options=None, laid_out: int = 0):
    from ..executable import Executable

    options = dict(options or {})
    threads = options.pop("threads", None)
    module, taken, entries = import_graph(graph_module, laid_out)
    program = Executable.from_bytes(module.compile(**options), threads)

    def run(*inputs):
        flat = [
            value.detach().contiguous() if isinstance(value, torch.Tensor) else value
            for value in map(inputs.__getitem__, taken)
        ]
        results = program.run(flat)
        return [entry(results) for entry in entries]

    return run


def constant(value, results):
    return value


def reader(output: Node, number: int, laid_out: bool):
    """A tensor is a tensor, but sizes go to the backward graph as numbers."""
    value = output.meta.get("val")
    for kinds, convert in (
        ((torch.SymBool, bool), bool),
        ((torch.SymInt, int), int),
        ((torch.SymFloat, float), float),
    ):
        if isinstance(value, kinds):
            return lambda results: convert(results[number])
    order = memory_order(value) if laid_out else None
    if order is None:
        return lambda results: to_tensor(results[number])
    return lambda results: in_order(to_tensor(results[number]), order)


def in_order(value: torch.Tensor, order: list[int]) -> torch.Tensor:
    """`value` in memory of its own whose first dimension is order[0], and so on."""
    strides, step = [0] * len(order), 1
    for d in reversed(order):
        strides[d] = step
        step *= max(1, value.shape[d])
    return torch.empty_strided(value.shape, strides, dtype=value.dtype).copy_(value)


def memory_order(value) -> list[int] | None:
    """The dimensions from the one with the longest step in memory to the one with
    the shortest, where that is not their own order."""
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        return None
    steps = []
    for size, stride in zip(value.shape, value.stride(), strict=True):
        size, stride = number_or_hint(size), number_or_hint(stride)
        if size is None or not stride:
            return None
        steps.append((size, stride))
    order = sorted(range(len(steps)), key=lambda d: -steps[d][1])
    # Where dimensions of size one lie makes no difference.
    moved = [d for d in order if steps[d][0] != 1]
    return None if moved == sorted(moved) else order


def number_or_hint(size) -> int | None:
    if isinstance(size, torch.SymInt):
        return size.node.hint
    return size


def register() -> None:
    """Makes the name known; an installed package has an entry point for it."""
    from torch._dynamo.backends.registry import _BACKENDS, register_backend

    if "ferrule" not in _BACKENDS:
        register_backend(backend, name="ferrule")
