"""Gradients through AOTAutograd: the forward and the backward graph are compiled
as torch.compile compiles them."""

from __future__ import annotations

import warnings

import torch
from checking import PASS, Check, Verdict, first_line
from ferrule.torch import backend
from ferrule.torch.decompositions import make_table
from functorch.compile import aot_function, make_boxed_func
from samples import Case
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import _disable_current_modes


class NoGradient(Exception):
    """The operator has none for this sample."""


def compile_whole(graph_module, inputs):
    """Without falling back to eager operators."""
    with _disable_current_modes():
        return make_boxed_func(backend.load(graph_module))


def check_backward(op, dtype, case: Case) -> Verdict:
    torch.manual_seed(0)
    try:
        expected = gradients(case, case.function)
    except NoGradient:
        return Verdict(PASS)
    except Exception as error:
        return Verdict("eager", first_line(error))

    def flat(*tensors):
        return differentiable(case.process(case.function(*tensors)))

    compiled = aot_function(
        flat, fw_compiler=compile_whole, decompositions=dict(make_table().items())
    )
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = gradients(case, compiled)
    except Exception as error:
        return Verdict("compile", first_line(error))
    check = Check(op, dtype)
    check.least = 1e-4
    if check.random:
        return Verdict(PASS)
    for number, (a, b) in enumerate(zip(found, expected, strict=True)):
        if (a is None) != (b is None):
            # Eager knows no gradient where a traced graph gives zeros.
            known = a if b is None else b
            message = "a gradient that is not zero" if known.any() else None
        else:
            message = check.compare_leaf(a, b) if b is not None else None
        if message:
            return Verdict("wrong", f"gradient {number}: {message}"[:300])
    return Verdict(PASS)


def differentiable(result) -> list[torch.Tensor]:
    return [
        leaf
        for leaf in pytree.tree_leaves(result)
        if isinstance(leaf, torch.Tensor)
        and (leaf.is_floating_point() or leaf.is_complex())
    ]


def gradients(case: Case, function):
    """Gradients of a weighted sum of the results, weights by position."""
    tensors = [t.detach().clone().requires_grad_(t.requires_grad) for t in case.tensors]
    inputs = [t for t in tensors if t.requires_grad]
    if not inputs:
        raise NoGradient("no input is differentiable")
    with torch.enable_grad():
        results = differentiable(case.process(function(*tensors)))
    results = [r for r in results if r.requires_grad]
    if not results:
        raise NoGradient("no result is differentiable")
    weights = [
        torch.linspace(0.5, 1.5, max(r.numel(), 1), dtype=torch.float64)[: r.numel()]
        .reshape(r.shape)
        .to(r.dtype)
        for r in results
    ]
    return torch.autograd.grad(results, inputs, weights, allow_unused=True)
