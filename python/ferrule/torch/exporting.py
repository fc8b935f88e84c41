"""From a module or function to an exported program of core operators."""

from __future__ import annotations

import inspect
import sys

import torch
from torch.export import Dim, ExportedProgram
from torch.utils import _pytree as pytree

from .decompositions import keep_whole, make_table


def distinct_tensors(values):
    """`values` with a copy in the place of each tensor that came before.

    The exporter takes two inputs that are one tensor for one input, and the
    program would ignore the other for ever: in examples that is an accident.
    """
    seen = set()

    def distinct(value):
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) in seen:
            return value.detach().clone().requires_grad_(value.requires_grad)
        seen.add(id(value))
        return value

    return pytree.tree_map(distinct, values)


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
        register_library_types()
        args, kwargs = distinct_tensors((tuple(args), kwargs or None))
        f = torch.export.export(
            as_module(f),
            args,
            kwargs,
            dynamic_shapes=named_dims(dynamic_shapes),
            strict=strict,
        )
    if decomposition_table is None:
        decomposition_table = make_table()
    for name in backend_legal_ops:
        keep_whole(decomposition_table, name)
    return f.run_decompositions(decomposition_table)


def register_library_types() -> None:
    """Makes the caches of transformers' models known to torch.export."""
    if "transformers" not in sys.modules:
        return
    try:
        from transformers.integrations import executorch
    except ImportError:
        return
    register = getattr(executorch, "register_dynamic_cache_export_support", None)
    if register is not None:
        register()


def as_module(f) -> torch.nn.Module:
    if isinstance(f, torch.nn.Module):
        return f
    if not callable(f):
        raise TypeError(
            "expected a torch.nn.Module, a function or an ExportedProgram, but "
            f"found {type(f).__name__}"
        )
    # torch.export takes modules only. As the forward itself, the function keeps
    # the names of its parameters, which dynamic_shapes may use.
    module = torch.nn.Module()
    module.forward = f
    return module


def named_dims(spec):
    """Dimensions given by a name, with a range that the exporter finds out."""
    if isinstance(spec, str):
        return Dim.AUTO
    if isinstance(spec, dict):
        return {key: named_dims(value) for key, value in spec.items()}
    if isinstance(spec, (list, tuple)):
        return type(spec)(named_dims(value) for value in spec)
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
