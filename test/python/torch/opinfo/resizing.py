"""Inputs of other sizes for a program whose dimensions are dynamic."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from samples import Case
from torch.export.graph_signature import InputKind


def other_inputs(program, cases: list[Case]) -> Iterator[list[list[torch.Tensor]]]:
    """The inputs under two other sets of sizes, where each case still runs
    eagerly; nothing when no dimension stayed dynamic."""
    for change in (lambda n: n + 1, lambda n: 2 * n + 1):
        inputs = resized(program, cases, change)
        if inputs is not None and all(map(runs, cases, inputs)):
            yield inputs


def runs(case: Case, tensors) -> bool:
    try:
        with torch.no_grad():
            case.function(*[tensor.clone() for tensor in tensors])
    except Exception:
        return False
    return True


def resized(program, cases, change):
    nodes = {n.name: n for n in program.graph.nodes if n.op == "placeholder"}
    values = iter(
        nodes[spec.arg.name].meta["val"]
        for spec in program.graph_signature.input_specs
        if spec.kind is InputKind.USER_INPUT
    )
    sizes, changed, inputs = {}, False, []
    for case in cases:
        tensors = []
        for tensor in case.tensors:
            shape = []
            for size, symbolic in zip(tensor.shape, next(values).shape):
                if isinstance(symbolic, torch.SymInt):
                    size, changed = new_size(symbolic, size, sizes, change), True
                shape.append(size)
            if any(size is None for size in shape):
                return None
            ranges = program.range_constraints
            if any(s in ranges and n not in ranges[s] for s, n in sizes.items()):
                return None
            tensors.append(stretch(tensor, shape))
        inputs.append(tensors)
    return inputs if changed else None


def new_size(symbolic, size: int, sizes: dict, change) -> int | None:
    """A symbol has one new size; an expression over symbols follows from
    them, when they came before."""
    expression = symbolic.node.expr
    if expression.is_Symbol:
        return sizes.setdefault(expression, change(size))
    if any(symbol not in sizes for symbol in expression.free_symbols):
        return None
    return int(expression.subs(sizes))


def stretch(tensor: torch.Tensor, shape) -> torch.Tensor:
    """The tensor's elements repeated along each dimension, so that they stay
    what the operator takes."""
    for dim, size in enumerate(shape):
        if size != tensor.shape[dim]:
            places = torch.arange(size) % max(tensor.shape[dim], 1)
            tensor = tensor.index_select(dim, places)
            if tensor.is_floating_point() and tensor.numel():
                # No ties, whose order an unstable sort may choose.
                shape = [1] * tensor.dim()
                shape[dim] = -1
                again = torch.arange(size) // max(len(places.unique()), 1)
                tensor = tensor * (1 - again.reshape(shape).to(tensor.dtype) / 512)
    return tensor
