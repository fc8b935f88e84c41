"""torch.compile(backend="ferrule") beside eager PyTorch."""

import copy

import torch
from torch.utils import _pytree as pytree


def compiled(f, **options):
    return torch.compile(f, backend="ferrule", fullgraph=True, **options)


def same(actual, expected):
    torch.testing.assert_close(
        actual, expected, rtol=1e-4, atol=1e-5, check_stride=True
    )
    for a, b in zip(
        pytree.tree_leaves(actual), pytree.tree_leaves(expected), strict=True
    ):
        if isinstance(b, torch.Tensor):
            assert a.requires_grad == b.requires_grad


def check(f, *args, fullgraph=True, **options):
    """Compares results, and what became of the arguments."""
    g = torch.compile(f, backend="ferrule", fullgraph=fullgraph, **options)
    ours = copy.deepcopy(args)
    expected, actual = f(*args), g(*ours)
    same(actual, expected)
    same(ours, args)


X = torch.linspace(-2, 2, 24).reshape(4, 6)
