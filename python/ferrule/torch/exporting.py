"""From a module or function to an exported program of core operators."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import itertools

import torch
import torch._export.utils
from torch.export import Dim, ExportedProgram, ModuleCallEntry
from torch.utils import _pytree as pytree

from .decompositions import keep_whole, make_table
from .flexible_attention import check_functions, decomposed_flex_attention
from .library_types import register_library_types
from .trees import nest
from .types import ImportFailure


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
        module = as_module(f)
        with explicit_keywords(module, kwargs):
            f = torch.export.export(
                module,
                args,
                kwargs,
                dynamic_shapes=named_dims(dynamic_shapes),
                strict=strict,
            )
    with operators_listed_once():
        if decomposition_table is None:
            decomposition_table = make_table()
        for name in backend_legal_ops:
            keep_whole(decomposition_table, name)
        check_functions(f)
        check_shapes_in_place(f)
        with decomposed_flex_attention():
            return decompose(f, decomposition_table)


def check_shapes_in_place(program: ExportedProgram) -> None:
    """Refuses `x.t_()` and its like on an argument, which PyTorch exports and then
    cannot decompose."""
    for node in program.graph.nodes:
        tags = getattr(node.target, "tags", ())
        if torch.Tag.inplace_view in tags and node.args[0].op == "placeholder":
            raise ImportFailure(
                f"{node.target} gives the argument '{node.args[0].name}' another "
                "shape in place, which PyTorch cannot decompose; use the form that "
                "returns a tensor"
            )


@contextlib.contextmanager
def operators_listed_once():
    """While it is active, PyTorch asks its dispatcher for all composite operators
    once, instead of a hundred times, which takes longer than the rest."""
    listing = getattr(torch._export.utils, "_materialize_cpp_cia_ops", None)
    if listing is None:
        yield
        return
    torch._export.utils._materialize_cpp_cia_ops = functools.cache(listing)
    try:
        yield
    finally:
        torch._export.utils._materialize_cpp_cia_ops = listing


def decompose(program: ExportedProgram, table) -> ExportedProgram:
    """`program` in the operators that `table` leaves.

    PyTorch does this by running the program, with its nested arguments and results
    put together. Putting a container of a library together may compute (a cache
    concatenates), which would become part of the program: while it runs, these
    containers are plain ones.
    """
    whole = next((e.signature for e in program.module_call_graph if e.fqn == ""), None)
    if whole is None:
        return program.run_decompositions(table)
    plain = dataclasses.replace(
        whole,
        in_spec=pytree.tree_structure(nest(itertools.repeat(0), whole.in_spec)),
        out_spec=pytree.tree_structure(nest(itertools.repeat(0), whole.out_spec)),
    )
    plain_program = ExportedProgram(
        root=program.graph_module,
        graph=program.graph,
        graph_signature=program.graph_signature,
        state_dict=program.state_dict,
        range_constraints=program.range_constraints,
        module_call_graph=[ModuleCallEntry("", plain)],
        constants=program.constants,
        verifiers=program.verifiers,
    )
    result = plain_program.run_decompositions(table)
    for entry in result.module_call_graph:
        entry.signature.in_spec = whole.in_spec
        entry.signature.out_spec = whole.out_spec
    return result


def as_module(f) -> torch.nn.Module:
    if isinstance(f, torch.nn.Module):
        return f
    if not callable(f):
        raise TypeError(
            "expected a torch.nn.Module, a function or an ExportedProgram, but "
            f"found {type(f).__name__}"
        )
    try:
        inspect.signature(f)
    except ValueError:
        # PyTorch's own functions do not tell their parameters.
        function = f
        f = lambda *args, **kwargs: function(*args, **kwargs)
    # torch.export takes modules only. As the forward itself, the function keeps
    # the names of its parameters, which dynamic_shapes may use.
    module = torch.nn.Module()
    module.forward = f
    return module


@contextlib.contextmanager
def explicit_keywords(module: torch.nn.Module, kwargs):
    """Gives `forward` a parameter for each argument that it takes as **keywords:
    torch.export can say nothing of the sizes of others."""
    signature = inspect.signature(module.forward)
    parameters = list(signature.parameters.values())
    loose = [name for name in kwargs or {} if name not in signature.parameters]
    if not loose or parameters[-1].kind is not inspect.Parameter.VAR_KEYWORD:
        yield
        return
    forward = module.forward

    @functools.wraps(forward)
    def explicit(*args, **kwargs):
        return forward(*args, **kwargs)

    only = inspect.Parameter.KEYWORD_ONLY
    parameters[-1:] = [inspect.Parameter(n, only, default=None) for n in loose]
    explicit.__signature__ = signature.replace(parameters=parameters)
    before = module.__dict__.get("forward")
    module.forward = explicit
    try:
        yield
    finally:
        del module.forward
        if before is not None:
            module.forward = before


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
