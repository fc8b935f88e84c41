"""Decompositions of fake quantization, which quantization-aware training inserts."""

from __future__ import annotations

import torch

from .own_decompositions import decomposes

aten = torch.ops.aten


def fake_quantized(x, scale, zero_point, low, high):
    """Values on the grid of a quantized type, and where they were within it."""
    places = x * (1.0 / scale)
    if isinstance(zero_point, torch.Tensor) and zero_point.is_floating_point():
        places = torch.round(places + zero_point)
    else:
        places = torch.round(places) + zero_point
    value = (places.clamp(low, high) - zero_point) * scale
    return value.to(x.dtype), (places >= low) & (places <= high)


@decomposes(aten.fake_quantize_per_tensor_affine_cachemask.default)
def fake_quantize(self, scale, zero_point, quant_min, quant_max):
    return fake_quantized(self, scale, zero_point, quant_min, quant_max)


@decomposes(aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default)
def fake_quantize_by_tensors(
    self, scale, zero_point, fake_quant_enabled, quant_min, quant_max
):
    value, inside = fake_quantized(self, scale, zero_point, quant_min, quant_max)
    off = fake_quant_enabled < 1
    return torch.where(off, self, value), inside | off


@decomposes(aten.fake_quantize_per_channel_affine_cachemask.default)
def fake_quantize_channels(self, scale, zero_point, axis, quant_min, quant_max):
    sizes = [1] * self.dim()
    sizes[axis] = -1
    return fake_quantized(
        self, scale.reshape(sizes), zero_point.reshape(sizes), quant_min, quant_max
    )
