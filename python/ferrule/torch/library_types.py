"""Containers of other libraries that hold tensors, made known to PyTorch."""

from __future__ import annotations

import sys

from torch.utils import _pytree as pytree


def register_library_types() -> None:
    """Makes the caches of transformers' models known to torch.export."""
    if "transformers" not in sys.modules:
        return
    try:
        from transformers.cache_utils import EncoderDecoderCache
        from transformers.integrations import executorch
    except ImportError:
        return
    register = getattr(executorch, "register_dynamic_cache_export_support", None)
    if register is None:
        return
    register()
    if EncoderDecoderCache not in pytree.SUPPORTED_NODES:
        pytree.register_pytree_node(
            EncoderDecoderCache,
            flatten_pair,
            unflatten_pair,
            serialized_type_name="transformers.cache_utils.EncoderDecoderCache",
            flatten_with_keys_fn=flatten_pair_with_keys,
        )


PAIR = ("self_attention_cache", "cross_attention_cache")


def flatten_pair(cache):
    """The caches of a decoder's own tokens and of the encoder's."""
    return [getattr(cache, name) for name in PAIR], None


def flatten_pair_with_keys(cache):
    values, context = flatten_pair(cache)
    keys = [pytree.GetAttrKey(name) for name in PAIR]
    return list(zip(keys, values, strict=True)), context


def unflatten_pair(values, context):
    from transformers.cache_utils import EncoderDecoderCache

    return EncoderDecoderCache(*values)
