"""PyTorch's pytree specifications as Ferrule's trees."""

from __future__ import annotations

from collections import OrderedDict, defaultdict

import numpy as np
import torch
from torch.utils import _pytree as pytree

from ..calling import Tree

KEY_TYPES = (str, int, bool, float, type(None))


def tree_of_spec(spec) -> Tree:
    if spec.is_leaf():
        return Tree("leaf")
    children = [tree_of_spec(child) for child in spec.children()]
    if spec.type is tuple:
        return Tree("tuple", children)
    if spec.type is list:
        return Tree("list", children)
    if spec.type in (dict, OrderedDict, defaultdict):
        keys = spec.context
        if spec.type is defaultdict:
            keys = spec.context[1]
        return Tree("dict", children, list(keys))
    return Tree("object", children, _keys(spec), _type_name(spec.type))


def nest(leaves, spec):
    """Leaves as `spec` nests them, in dicts, tuples and lists alone: other
    containers may not be able to hold what stands for a tensor."""
    if spec.is_leaf():
        return next(leaves)
    children = [nest(leaves, child) for child in spec.children()]
    if spec.type in (dict, OrderedDict):
        return dict(zip(spec.context, children, strict=True))
    return children if spec.type is list else tuple(children)


def unflatten_tensors(leaves, treespec):
    """The structure of results that came as NumPy's arrays."""
    return pytree.tree_unflatten(list(map(to_tensor, leaves)), treespec)


def to_tensor(leaf):
    if not isinstance(leaf, np.ndarray):
        return leaf
    dtype = getattr(torch, leaf.dtype.name, None)
    if leaf.dtype.kind != "V" and dtype is not None:
        return torch.from_numpy(leaf)
    # NumPy knows the small floats by another library only.
    return torch.from_numpy(leaf.view(f"u{leaf.itemsize}")).view(dtype)


def _type_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _keys(spec) -> list:
    """Field names of a named tuple or data class, keys of a mapping."""
    count = spec.num_children
    fields = getattr(spec.type, "_fields", None)
    if fields is not None:
        return list(fields)
    context = spec.context
    # Model outputs of transformers: the keys that are present.
    if isinstance(context, (list, tuple)):
        for keys in (context, *context):
            if (
                isinstance(keys, (list, tuple))
                and len(keys) == count
                and all(isinstance(key, str) for key in keys)
            ):
                return list(keys)
    return list(range(count))
