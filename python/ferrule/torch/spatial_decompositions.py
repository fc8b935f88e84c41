"""Decompositions of pooling, sampling and counting over several dimensions."""

from __future__ import annotations

import itertools
import math

import torch

from .own_decompositions import bin_counts, bin_range, decomposes

aten = torch.ops.aten


@decomposes(aten.conv_tbc.default)
def conv_tbc(self, weight, bias, pad=0):
    rows, kernel = self.permute(1, 2, 0), weight.permute(2, 1, 0)
    result = torch.nn.functional.conv1d(rows, kernel, bias, padding=pad)
    return result.permute(2, 0, 1)


# Fractional pooling -----------------------------------------------------------


def fractional_pool(self, kernel, output, samples):
    """`samples` [..., dims]: where the windows begin, one number a dimension."""
    count = len(kernel)
    spatial = self.shape[-count:]
    lead = self.shape[:-count]
    samples = samples.reshape(*lead, count)
    places = torch.zeros((), dtype=torch.int64, device=self.device)
    for dim, (size, window, rows) in enumerate(zip(spatial, kernel, output)):
        sample = samples[..., dim : dim + 1]
        step = (size - window) / (rows - 1) if rows > 1 else 0.0
        steps = torch.arange(rows, dtype=samples.dtype, device=self.device)
        start = ((steps + sample) * step).to(torch.int64)
        start = start - (sample * step).to(torch.int64)
        start = torch.where(steps == rows - 1, size - window, start)
        inner = torch.arange(window, device=self.device)
        # [lead, rows of each dimension, window of each dimension]
        shape = [1] * (2 * count)
        shape[dim], shape[count + dim] = rows, window
        here = (start.unsqueeze(-1) + inner).reshape(*lead, *shape)
        places = places * size + here
    places = places.reshape(*lead, math.prod(output), math.prod(kernel))
    flat = self.reshape(*lead, math.prod(spatial))
    values = flat.gather(-1, places.flatten(-2)).reshape(places.shape)
    best = values.argmax(-1, keepdim=True)
    shape = (*lead, *output)
    return (
        values.gather(-1, best).reshape(shape),
        places.gather(-1, best).reshape(shape),
    )


@decomposes(aten.fractional_max_pool2d.default)
def fractional_max_pool2d(self, kernel_size, output_size, random_samples):
    # The samples of an image are for columns first.
    return fractional_pool(self, kernel_size, output_size, random_samples.flip(-1))


@decomposes(aten.fractional_max_pool3d.default)
def fractional_max_pool3d(self, kernel_size, output_size, random_samples):
    return fractional_pool(self, kernel_size, output_size, random_samples)


# Sampling of volumes ------------------------------------------------------------


def reflect(x, low, high):
    """x mirrored at both bounds as often as needed."""
    if low == high:
        return torch.zeros_like(x)
    span = high - low
    offset = (x - low).abs()
    rest = torch.fmod(offset, span)
    even = torch.floor(offset / span) % 2 == 0
    return torch.where(even, rest + low, span - rest + low)


def position(x, size, padding_mode, align_corners):
    x = (x + 1) / 2 * (size - 1) if align_corners else ((x + 1) * size - 1) / 2
    if padding_mode == 2:
        x = reflect(x, 0, size - 1) if align_corners else reflect(x, -0.5, size - 0.5)
    return x.clamp(0, size - 1) if padding_mode else x


@decomposes(aten.grid_sampler_3d.default)
def grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners):
    sizes = input.shape[2:]
    batch, channels = input.shape[:2]
    # The grid's last dimension is (x, y, z).
    at = [
        position(grid[..., 2 - d], sizes[d], padding_mode, align_corners)
        for d in range(3)
    ]
    flat = input.reshape(batch, channels, -1)

    def read(places):
        inside, index = True, 0
        for place, size in zip(places, sizes):
            inside = (place >= 0) & (place < size) & inside
            index = index * size + place.clamp(0, size - 1).to(torch.int64)
        index = index.reshape(batch, 1, -1).expand(batch, channels, -1)
        values = flat.gather(2, index).reshape(batch, channels, *grid.shape[1:4])
        return torch.where(inside.unsqueeze(1), values, 0.0)

    if interpolation_mode == 1:
        return read([torch.round(x) for x in at])
    low = [torch.floor(x) for x in at]
    result = 0
    for corner in itertools.product((0, 1), repeat=3):
        places = [x + c for x, c in zip(low, corner)]
        weight = 1
        for x, place in zip(at, places):
            weight = weight * (1 - (x - place).abs())
        result = result + read(places) * weight.unsqueeze(1)
    return result


# Segments -----------------------------------------------------------------------


@decomposes(aten.segment_reduce.default)
def segment_reduce(
    data,
    reduce,
    *,
    lengths=None,
    indices=None,
    offsets=None,
    axis=0,
    unsafe=False,
    initial=None,
):
    if offsets is None:
        ends = torch.cumsum(lengths, axis)
        starts = ends - lengths
    else:
        starts = offsets.narrow(axis, 0, offsets.shape[axis] - 1)
        ends = offsets.narrow(axis, 1, offsets.shape[axis] - 1)
    place = torch.arange(data.shape[axis], device=data.device)
    mask = (place >= starts.unsqueeze(-1)) & (place < ends.unsqueeze(-1))
    mask = mask.reshape(*mask.shape, *[1] * (data.dim() - axis - 1))
    neutral = {"sum": 0, "mean": 0, "prod": 1, "max": -math.inf, "min": math.inf}
    rows = torch.where(mask, data.unsqueeze(axis), neutral[reduce])
    dim = axis + 1
    if reduce in ("sum", "mean"):
        result = rows.sum(dim)
        result = result if initial is None else result + initial
    elif reduce == "prod":
        result = rows.prod(dim)
        result = result if initial is None else result * initial
    elif reduce == "max":
        result = rows.amax(dim)
        result = result if initial is None else result.clamp(min=initial)
    else:
        result = rows.amin(dim)
        result = result if initial is None else result.clamp(max=initial)
    if reduce == "mean":
        count = mask.sum(dim)
        empty = math.nan if initial is None else initial
        result = torch.where(count > 0, result / count, empty)
    return result


# Histograms over several dimensions ----------------------------------------------


def edges_of(self, bins, range):
    rows = self.reshape(-1, self.shape[-1])
    edges = []
    for dim, count in enumerate(bins):
        bounds = range[2 * dim : 2 * dim + 2] if range else (0.0, 0.0)
        low, high = bin_range(rows[:, dim], *bounds, 0.5)
        steps = torch.arange(count + 1, dtype=self.dtype) / count
        edges.append(torch.lerp(low, high, steps))
    return edges


@decomposes(aten._histogramdd_bin_edges.default)
def histogramdd_bin_edges(self, bins, *, range=None, weight=None, density=False):
    return edges_of(self, bins, range)


@decomposes(aten._histogramdd_from_bin_tensors.default)
def histogramdd_from_bin_tensors(self, bins, *, weight=None, density=False):
    rows = self.reshape(-1, self.shape[-1])
    index, inside = 0, True
    counts = [edges.shape[0] - 1 for edges in bins]
    for dim, (edges, count) in enumerate(zip(bins, counts)):
        column = rows[:, dim].contiguous()
        place = torch.bucketize(column, edges, right=True) - 1
        place = torch.where(column == edges[-1], count - 1, place)
        inside = (column >= edges[0]) & (column <= edges[-1]) & inside
        index = index * count + place.clamp(0, count - 1)
    weight = torch.ones_like(rows[:, 0]) if weight is None else weight.reshape(-1)
    result = bin_counts(index, inside, math.prod(counts), weight).reshape(counts)
    if density:
        result = result / result.sum()
        for dim, edges in enumerate(bins):
            shape = [1] * len(bins)
            shape[dim] = -1
            result = result / (edges[1:] - edges[:-1]).reshape(shape)
    return result


@decomposes(aten._histogramdd_from_bin_cts.default)
def histogramdd_from_bin_cts(self, bins, *, range=None, weight=None, density=False):
    return histogramdd_from_bin_tensors(
        self, edges_of(self, bins, range), weight=weight, density=density
    )
