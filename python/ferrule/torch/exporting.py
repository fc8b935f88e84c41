"""From a module or function to an exported program of core operators."""

from __future__ import annotations

import inspect

import torch
from torch.export import Dim, ExportedProgram

# Operators whose decomposition loses what a compiler needs, or which the
# lowering has a better form for.
KEPT_WHOLE = ()


def export(
    f,
    args=(),
    kwargs=None,
    *,
    dynamic_shapes=None,
    decomposition_table=None,
    backend_legal_ops=(),
    strict=False,
) -> ExportedProgram:
    """The exported program of `f`, decomposed into core operators.

    `f` is a torch.nn.Module, a function or an exported program.
    `dynamic_shapes` is torch.export's, where a dimension may also be a name.
    """
    if not isinstance(f, ExportedProgram):
        f = torch.export.export(
            as_module(f),
            tuple(args),
            kwargs or None,
            dynamic_shapes=named_dims(dynamic_shapes, {}),
            strict=strict,
        )
    if decomposition_table is None:
        decomposition_table = default_decompositions()
    for name in (*KEPT_WHOLE, *backend_legal_ops):
        remove(decomposition_table, name)
    return f.run_decompositions(decomposition_table)


def default_decompositions():
    return torch.export.default_decompositions()


def remove(table, operator) -> None:
    """Keeps an operator whole; `operator` is an overload or "aten.gelu"."""
    if isinstance(operator, torch._ops.OpOverload):
        table.pop(operator, None)
        return
    packet = operator
    if isinstance(operator, str):
        space, _, name = operator.removeprefix("torch.").partition(".")
        name, _, overload = name.partition(".")
        packet = getattr(getattr(torch.ops, space), name)
        if overload:
            table.pop(getattr(packet, overload), None)
            return
    for overload in packet.overloads():
        table.pop(getattr(packet, overload), None)


class FunctionModule(torch.nn.Module):
    """torch.export takes modules only."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args, **kwargs):
        return self.function(*args, **kwargs)


def as_module(f) -> torch.nn.Module:
    if isinstance(f, torch.nn.Module):
        return f
    if not callable(f):
        raise TypeError(
            "expected a torch.nn.Module, a function or an ExportedProgram, but "
            f"found {type(f).__name__}"
        )
    module = FunctionModule(f)
    # Names of parameters serve dynamic_shapes and errors.
    module.forward.__func__.__signature__ = None
    return module


def named_dims(spec, dims: dict):
    """Replaces names of dimensions by torch.export.Dim, one a name."""
    if isinstance(spec, str):
        return dims.setdefault(spec, Dim(spec))
    if isinstance(spec, dict):
        return {key: named_dims(value, dims) for key, value in spec.items()}
    if isinstance(spec, (list, tuple)):
        return type(spec)(named_dims(value, dims) for value in spec)
    return spec


def parameter_names(f) -> list[str]:
    """Names of forward's positional parameters, as far as it has names."""
    function = f.forward if isinstance(f, torch.nn.Module) else f
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    named = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    return [p.name for p in parameters if p.kind in named]
