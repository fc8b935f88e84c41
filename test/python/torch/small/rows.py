"""Rows of small programs as users write them: a function or a module, and its
inputs. Every row runs with its sizes fixed and with all of them left open."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.export import Dim
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree

import ferrule


@dataclass
class Row:
    name: str
    function: Callable
    inputs: tuple
    tolerance: float = 2e-5
    # Whether values are compared, or sizes and types only.
    drawn: bool = False
    # Whether larger inputs made of the same elements mean something.
    resizes: bool = True


def row(name, function, *inputs, tolerance=2e-5, drawn=False, resizes=True) -> Row:
    return Row(name, function, inputs, tolerance, drawn, resizes)


def layer(name, make, *inputs, train=False, **options) -> Row:
    """A module of torch.nn with random weights."""
    torch.manual_seed(0)
    return row(name, make().train(train), *inputs, **options)


def t(*shape, dtype=torch.float32, seed=0, low=None, high=None) -> torch.Tensor:
    """A random tensor: normal floats, or integers in [low, high)."""
    generator = torch.Generator().manual_seed(seed + sum(shape))
    if dtype == torch.bool:
        return torch.rand(shape, generator=generator) > 0.5
    if dtype.is_complex:
        return torch.randn(shape, generator=generator, dtype=dtype)
    if not dtype.is_floating_point:
        lowest = 0 if dtype == torch.uint8 else -5
        low, high = (lowest, 6) if low is None else (low, high)
        return torch.randint(low, high, shape, generator=generator).to(dtype)
    if low is not None:
        values = torch.rand(shape, generator=generator) * (high - low) + low
        return values.to(dtype)
    return torch.randn(shape, generator=generator).to(dtype)


def ints(*shape, **options):
    return t(*shape, dtype=torch.int64, **options)


def places(*shape, below):
    return t(*shape, dtype=torch.int64, low=0, high=below)


def bools(*shape, **options):
    return t(*shape, dtype=torch.bool, **options)


class Called(torch.nn.Module):
    """A function as a module with one parameter an input."""

    def __init__(self, function):
        super().__init__()
        self.inner = function

    def forward(self, *inputs):
        return self.inner(*inputs)


def call(function, inputs):
    """Results and the inputs as they are after the call."""
    torch.manual_seed(0)
    copies = pytree.tree_map_only(torch.Tensor, copy_of, inputs)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = function(*copies)
    return pytree.tree_leaves(results), pytree.tree_leaves(copies)


def copy_of(tensor):
    return tensor.clone(memory_format=torch.preserve_format)


def export(case: Row, is_open: bool):
    torch.manual_seed(0)
    module = Called(case.function)
    inputs = pytree.tree_map_only(torch.Tensor, copy_of, case.inputs)
    shapes = None
    if is_open:
        shapes = (pytree.tree_map(open_dims, tuple(inputs)),)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.export(module, inputs, dynamic_shapes=shapes, strict=False)


def open_dims(value):
    if isinstance(value, torch.Tensor):
        return {dim: Dim.AUTO for dim in range(value.dim())}
    return None


def difference(found, expected, case: Row) -> str | None:
    if len(found) != len(expected):
        return f"{len(found)} results, expected {len(expected)}"
    for number, (a, b) in enumerate(zip(found, expected)):
        if not isinstance(b, torch.Tensor):
            near = isinstance(b, float) and abs(a - b) <= 1e-5 * abs(b)
            if a != b and not near and not (a != a and b != b):
                return f"result {number}: found {a}, expected {b}"
            continue
        if not isinstance(a, torch.Tensor):
            return f"result {number}: found {a}, expected a tensor"
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return (
                f"result {number}: found {a.dtype} {list(a.shape)}, "
                f"expected {b.dtype} {list(b.shape)}"
            )
        if case.drawn:
            continue
        half = b.dtype in (torch.float16, torch.bfloat16)
        tolerance = 1e-2 if half else case.tolerance
        try:
            torch.testing.assert_close(
                a, b, atol=tolerance, rtol=tolerance, equal_nan=True
            )
        except AssertionError as error:
            return f"result {number}: " + " ".join(str(error).split())[:300]
    return None


def compare(executable, case: Row, inputs) -> str | None:
    expected, after = call(case.function, inputs)
    found, mine = call(executable, inputs)
    message = difference(found, expected, case) or difference(mine, after, case)
    if message is None:
        return None
    sizes = [list(i.shape) for i in inputs if isinstance(i, torch.Tensor)]
    return f"at {sizes}: {message}"


class Refused(Exception):
    """PyTorch's exporter does not take the row."""


def check(case: Row, is_open: bool) -> None:
    """Raises AssertionError with what differs."""
    try:
        program = export(case, is_open)
    except Exception as error:
        raise Refused(str(error)) from error
    executable = ferrule.compile(program)
    message = compare(executable, case, case.inputs)
    assert message is None, message
    if is_open and case.resizes:
        for change in (lambda n: n + 1, lambda n: 2 * n + 1):
            inputs = resized(program, case, change)
            if inputs is None or not runs(case, inputs):
                continue
            message = compare(executable, case, inputs)
            assert message is None, message


def runs(case: Row, inputs) -> bool:
    try:
        call(case.function, inputs)
    except Exception:
        return False
    return True


def resized(program, case: Row, change):
    """The inputs at other sizes, or None when all stayed fixed."""
    nodes = {n.name: n for n in program.graph.nodes if n.op == "placeholder"}
    values = []
    for spec in program.graph_signature.input_specs:
        if spec.kind is InputKind.USER_INPUT:
            node = nodes.get(getattr(spec.arg, "name", None))
            values.append(None if node is None else node.meta.get("val"))
    leaves, spec = pytree.tree_flatten(case.inputs)
    sizes, changed, results = {}, False, []
    for tensor, value in zip(leaves, values, strict=True):
        if not isinstance(tensor, torch.Tensor):
            results.append(tensor)
            continue
        shape = []
        for size, symbolic in zip(tensor.shape, value.shape):
            if isinstance(symbolic, torch.SymInt):
                expression, changed = symbolic.node.expr, True
                if expression.is_Symbol:
                    size = sizes.setdefault(expression, change(size))
                elif expression.free_symbols <= set(sizes):
                    size = int(expression.subs(sizes))
                else:
                    return None
            shape.append(size)
        results.append(stretch(tensor, shape))
    ranges = program.range_constraints
    if any(s in ranges and n not in ranges[s] for s, n in sizes.items()):
        return None
    return pytree.tree_unflatten(results, spec) if changed else None


def stretch(tensor, shape):
    """Elements repeated along each dimension; floats without exact ties."""
    for dim, size in enumerate(shape):
        old = tensor.shape[dim]
        if size == old:
            continue
        tensor = tensor.index_select(dim, torch.arange(size) % max(old, 1))
        if tensor.is_floating_point() and tensor.numel():
            scale = [1] * tensor.dim()
            scale[dim] = -1
            turn = (torch.arange(size) // max(old, 1)).reshape(scale)
            tensor = tensor * (1 - turn.to(tensor.dtype) / 512)
    return tensor
