"""Higher-order operators: loops, branches and wrappers around subgraphs."""

from __future__ import annotations

from torch import Tensor, ops
from torch.fx import Node

from .types import ImportFailure, tensor_type, value_type

INFINITE = 2**63 - 1

HIGHER_ORDER = {}


def handles(*names: str):
    def register(function):
        for name in names:
            HIGHER_ORDER[name] = function
        return function

    return register


def as_bool(importer, value: int) -> int:
    """A condition as !torch.bool, from a tensor of one element too."""
    if importer.builder.type_text(value) == "!torch.bool":
        return value
    result = importer.builder.type("!torch.bool")
    return importer.builder.op("torch.aten.Bool.Tensor", [value], [result])[0]


def operand_values(importer, operands) -> list[int]:
    return [
        importer.arguments.node_value(operand)
        if isinstance(operand, Node)
        else importer.arguments.constant(operand)
        for operand in operands
    ]


@handles("cond")
def import_cond(importer, node: Node) -> tuple:
    predicate, true_graph, false_graph, operands = node.args
    builder = importer.builder
    if isinstance(predicate, Node):
        condition = as_bool(importer, importer.arguments.node_value(predicate))
    else:
        condition = builder.bool(bool(predicate))
    operands = operand_values(importer, operands)
    types = [builder.type(value_type(item)) for item in node.meta["val"]]
    builder.begin_if(condition, types)
    results = importer.inline(importer.subgraph(true_graph), operands)
    builder.begin_else(cast_all(importer, results, types))
    results = importer.inline(importer.subgraph(false_graph), operands)
    return tuple(builder.end_if(cast_all(importer, results, types)))


def cast_all(importer, values: list[int], types: list[int]) -> list[int]:
    """Tensors under the given types, which say less of the sizes."""
    builder = importer.builder
    cast = []
    for value, type_id in zip(values, types, strict=True):
        if builder.type(builder.type_text(value)) != type_id:
            name = "torch.tensor_static_info_cast"
            (value,) = builder.op(name, [value], [type_id])
        cast.append(value)
    return cast


@handles("while_loop")
def import_while_loop(importer, node: Node) -> tuple:
    cond_graph, body_graph, carried, additional = node.args
    builder = importer.builder
    cond = importer.subgraph(cond_graph)
    body = importer.subgraph(body_graph)
    additional = operand_values(importer, additional)
    types = [builder.type(value_type(item)) for item in node.meta["val"]]
    inits = cast_all(importer, operand_values(importer, carried), types)

    (first,) = importer.inline(cond, inits + additional)
    _, *current = builder.begin_loop(
        builder.int(INFINITE), as_bool(importer, first), inits
    )
    results = importer.inline(body, current + additional)
    results = cast_all(importer, results, types)
    (again,) = importer.inline(cond, results + additional)
    return tuple(builder.end_loop(as_bool(importer, again), results))


@handles("scan")
def import_scan(importer, node: Node) -> tuple:
    """A loop over the first dimension; the stacked results are written row by
    row into tensors made before it."""
    graph, inits, xs, additional = node.args
    builder = importer.builder
    body = importer.subgraph(graph)
    additional = operand_values(importer, additional)
    count = len(inits)
    stacked = node.meta["val"][count:]
    trips = leading_size(importer, xs[0])
    inits = operand_values(importer, inits)
    buffers = [empty_stack(importer, value, trips) for value in stacked]
    rows_of = list(xs)

    index, *current = builder.begin_loop(trips, builder.bool(True), inits + buffers)
    rows = [select_row(importer, x, index) for x in rows_of]
    results = importer.inline(body, current[:count] + rows + additional)
    carried = results[:count]
    for buffer, row, value in zip(current[count:], results[count:], stacked):
        carried.append(write_row(importer, buffer, row, index, value))
    return tuple(builder.end_loop(builder.bool(True), carried))


@handles("map_impl")
def import_map(importer, node: Node) -> tuple:
    graph, xs, additional = node.args
    builder = importer.builder
    body = importer.subgraph(graph)
    additional = operand_values(importer, additional)
    stacked = node.meta["val"]
    trips = leading_size(importer, xs[0])
    buffers = [empty_stack(importer, value, trips) for value in stacked]
    index, *current = builder.begin_loop(trips, builder.bool(True), buffers)
    rows = [select_row(importer, x, index) for x in xs]
    results = importer.inline(body, rows + additional)
    carried = [
        write_row(importer, buffer, row, index, value)
        for buffer, row, value in zip(current, results, stacked)
    ]
    return tuple(builder.end_loop(builder.bool(True), carried))


def leading_size(importer, x: Node) -> int:
    builder = importer.builder
    size = x.meta["val"].shape[0]
    if isinstance(size, int):
        return builder.int(size)
    values = [importer.arguments.node_value(x), builder.int(0)]
    return builder.op("torch.aten.size.int", values, [builder.type("!torch.int")])[0]


def empty_stack(importer, value: Tensor, trips: int) -> int:
    builder, arguments = importer.builder, importer.arguments
    sizes = [trips]
    for size in value.shape[1:]:
        if not isinstance(size, int):
            raise ImportFailure("rows of a scan with a dynamic size")
        sizes.append(builder.int(size))
    operands = [
        arguments.list_of(sizes),
        arguments.constant(value.dtype),
        builder.none(),
        arguments.constant(value.device),
        builder.bool(False),
    ]
    result = builder.type(tensor_type(value))
    return builder.op("torch.aten.zeros", operands, [result])[0]


def select_row(importer, x: Node, index: int) -> int:
    builder = importer.builder
    result = builder.type(tensor_type(x.meta["val"][0]))
    operands = [importer.arguments.node_value(x), builder.int(0), index]
    return builder.op("torch.aten.select.int", operands, [result])[0]


def write_row(importer, buffer: int, row: int, index: int, value: Tensor) -> int:
    builder = importer.builder
    result = builder.type(tensor_type(value))
    operands = [buffer, row, builder.int(0), index]
    return builder.op("torch.aten.select_scatter", operands, [result])[0]


def inline_subgraph(importer, graph: Node, operands) -> tuple:
    module = importer.subgraph(graph)
    return tuple(importer.inline(module, operand_values(importer, operands)))


@handles("wrap_with_set_grad_enabled")
def import_set_grad(importer, node: Node) -> tuple:
    _, graph, *operands = node.args
    return inline_subgraph(importer, graph, operands)


@handles("wrap_with_autocast")
def import_autocast(importer, node: Node) -> tuple:
    _, _, _, _, graph, *operands = node.args
    return inline_subgraph(importer, graph, operands)


@handles("wrap", "wrap_activation_checkpoint", "tag_activation_checkpoint")
def import_wrap(importer, node: Node) -> tuple:
    graph, *operands = node.args
    return inline_subgraph(importer, graph, operands)


@handles("invoke_subgraph")
def import_invoke_subgraph(importer, node: Node) -> tuple:
    graph, _, *operands = node.args
    return inline_subgraph(importer, graph, operands)


@handles("with_effects")
def import_effect(importer, node: Node) -> tuple:
    """An operator that must run even when nobody reads it, in its order: so
    it stands in the program as it is. The token that orders it goes away."""
    _, target, *operands = node.args
    if target is ops.aten._linalg_check_errors.default:
        check_linalg(importer, *operands)
        return (importer.builder.none(),)
    raise ImportFailure(f"the effect of {target}")


def check_linalg(importer, info: Node, name: str) -> None:
    """Stops the run when an algorithm reported a failure by a number."""
    builder, arguments = importer.builder, importer.arguments
    sizes = tensor_type(info.meta["val"]).partition("[")[2].rpartition("]")[0]
    operands = [arguments.node_value(info), builder.int(0)]
    each = builder.type(f"!torch.vtensor<[{sizes}],i1>")
    (good,) = builder.op("torch.aten.eq.Scalar", operands, [each])
    one = builder.type("!torch.vtensor<[],i1>")
    (good,) = builder.op("torch.aten.all", [good], [one])
    message = f"{name}: the factorization could not be completed: a matrix is "
    builder.runtime_assert(
        as_bool(importer, good), message + "singular or not positive definite"
    )
