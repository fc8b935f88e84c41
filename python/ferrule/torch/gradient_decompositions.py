"""Backward operators for which PyTorch has no decomposition."""

from __future__ import annotations

import math

import torch

from .own_decompositions import decomposes

aten = torch.ops.aten


@decomposes(aten._cdist_backward.default)
def cdist_backward(grad, x1, x2, p, cdist):
    gaps = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    lengths, signs = gaps.abs(), torch.sign(gaps)
    grad, distance = grad.unsqueeze(-1), cdist.unsqueeze(-1)
    if p == 0:
        return torch.zeros_like(x1)
    if p == 1:
        return (grad * signs).sum(-2)
    if math.isinf(p):
        return (grad * signs * (lengths == distance)).sum(-2)
    # Where two rows are equal, the distance has a corner: no slope.
    apart = (distance != 0) & (lengths != 0)
    ratio = torch.where(apart, lengths / distance, torch.ones_like(lengths))
    slope = torch.where(apart, signs * ratio ** (p - 1), torch.zeros_like(lengths))
    return (grad * slope).sum(-2)


@decomposes(aten._pdist_backward.default)
def pdist_backward(grad, self, p, pdist):
    """Distances of pairs i < j, one after the other."""
    count = self.shape[0]
    first, second = torch.triu_indices(count, count, 1)
    both = grad.new_zeros((count, count))
    index = first * count + second
    distance = both.reshape(-1).scatter(0, index, pdist).view(count, count)
    slope = both.reshape(-1).scatter(0, index, grad).view(count, count)
    return cdist_backward(slope + slope.t(), self, self, p, distance + distance.t())


@decomposes(aten.masked_scatter_backward.default)
def masked_scatter_backward(grad_output, mask, sizes):
    count = math.prod(sizes)
    chosen = mask.expand(grad_output.shape).reshape(-1)
    order = torch.cumsum(chosen.to(torch.int64), 0) - 1
    # Elements that were not written go to a place behind the end.
    places = torch.where(chosen, order, count)
    values = grad_output.reshape(-1)
    return values.new_zeros(count + 1).scatter(0, places, values)[:count].view(sizes)
