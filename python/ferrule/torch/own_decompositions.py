"""Decompositions of operators for which PyTorch has none that ends in operators
which the compiler takes. Same meaning as eager; sizes may be dynamic."""

from __future__ import annotations


import torch

aten = torch.ops.aten

OWN: dict[torch._ops.OpOverload, object] = {}


def decomposes(*overloads):
    def register(function):
        for overload in overloads:
            OWN[overload] = function
        return function

    return register


# Placing at computed positions ---------------------------------------------


@decomposes(aten.index_reduce.default)
def index_reduce(self, dim, index, source, reduce, *, include_self=True):
    if self.dim() == 0:
        return index_reduce(
            self.unsqueeze(0),
            0,
            index,
            source.reshape(-1),
            reduce,
            include_self=include_self,
        ).squeeze(0)
    shape = [1] * source.dim()
    shape[dim] = -1
    places = index.reshape(shape).expand(source.shape).to(torch.int64)
    return aten.scatter_reduce.two(
        self, dim, places, source, reduce, include_self=include_self
    )


@decomposes(aten.put.default)
def put(self, index, source, accumulate=False):
    flat = self.reshape(-1)
    result = aten.index_put(flat, [index.reshape(-1)], source.reshape(-1), accumulate)
    return result.reshape(self.shape)


@decomposes(aten.embedding_renorm.default)
def embedding_renorm(self, indices, max_norm, norm_type):
    norm = torch.linalg.vector_norm(self, norm_type, 1, keepdim=True)
    scaled = self * (max_norm / (norm + 1e-7))
    rows = torch.arange(self.shape[0], device=self.device)
    used = (rows.unsqueeze(1) == indices.reshape(1, -1)).any(1, keepdim=True)
    return torch.where(used & (norm > max_norm), scaled, self)


# Order and counting ---------------------------------------------------------


def nth_smallest(self, dim, place, keepdim):
    values, places = torch.sort(self, dim=dim, stable=True)
    value, where = values.gather(dim, place), places.gather(dim, place)
    if not keepdim:
        value, where = value.squeeze(dim), where.squeeze(dim)
    return value, where


@decomposes(aten.nanmedian.dim)
def nanmedian_dim(self, dim, keepdim=False):
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    if not self.is_floating_point():
        return aten.median.dim(self, dim, keepdim)
    count = (~self.isnan()).sum(dim, keepdim=True)
    return nth_smallest(self, dim, ((count - 1) // 2).clamp(min=0), keepdim)


@decomposes(aten.nanmedian.default)
def nanmedian(self):
    return nanmedian_dim(self.reshape(-1), 0)[0]


@decomposes(aten.mode.default)
def mode(self, dim=-1, keepdim=False):
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    values, places = torch.sort(self, dim=dim, stable=True)
    rows, order = values.movedim(dim, -1), places.movedim(dim, -1)
    counts = (rows.unsqueeze(-1) == rows.unsqueeze(-2)).sum(-1)
    # The least of the most frequent values, where it stands last.
    first = counts.argmax(-1, keepdim=True)
    last = first + counts.gather(-1, first) - 1
    value, where = rows.gather(-1, last), order.gather(-1, last)
    if keepdim:
        return value.movedim(-1, dim), where.movedim(-1, dim)
    return value.squeeze(-1), where.squeeze(-1)


def number_like(number, tensor):
    """A number beside a tensor, in the type that both have together."""
    return torch.full((), number, dtype=torch.result_type(tensor, number))


@decomposes(aten.bucketize.Scalar)
def bucketize(self, boundaries, *, out_int32=False, right=False):
    value = number_like(self, boundaries)
    return aten.bucketize.Tensor(value, boundaries, out_int32=out_int32, right=right)


@decomposes(aten.searchsorted.Scalar)
def searchsorted(sorted_sequence, self, **options):
    value = number_like(self, sorted_sequence)
    return aten.searchsorted.Tensor(sorted_sequence, value, **options)


def bin_counts(places, inside, bins, weight):
    counts = torch.zeros(bins, dtype=weight.dtype, device=weight.device)
    weight = torch.where(inside, weight, torch.zeros_like(weight))
    return counts.index_add(0, places.clamp(0, bins - 1), weight)


def bin_range(self, low, high, margin):
    """The least and greatest element where both bounds are equal."""
    if low != high:
        return (
            torch.full((), low, dtype=self.dtype),
            torch.full((), high, dtype=self.dtype),
        )
    if self.numel() == 0:
        return torch.full((), 0.0, dtype=self.dtype), torch.full(
            (), 1.0, dtype=self.dtype
        )
    least, most = self.amin(), self.amax()
    same = least == most
    return (
        torch.where(same, least - margin, least),
        torch.where(same, most + margin, most),
    )


@decomposes(aten.histc.default)
def histc(self, bins=100, min=0, max=0):
    flat = self.reshape(-1)
    low, high = bin_range(flat, min, max, 1)
    places = ((flat - low) / (high - low) * bins).to(torch.int64)
    inside = (flat >= low) & (flat <= high)
    return bin_counts(places, inside, bins, torch.ones_like(flat))


@decomposes(aten.histogram.bin_ct)
def histogram(self, bins=100, *, range=None, weight=None, density=False):
    flat = self.reshape(-1)
    low, high = bin_range(flat, *(range or (0.0, 0.0)), 0.5)
    steps = torch.arange(bins + 1, dtype=self.dtype)
    edges = torch.lerp(low, high, steps / bins)
    return histogram_bins(flat, edges, weight=weight, density=density)


@decomposes(aten.histogram.bins_tensor)
def histogram_bins(self, bins, *, weight=None, density=False):
    flat, count = self.reshape(-1), bins.shape[0] - 1
    places = torch.bucketize(flat, bins, right=True) - 1
    # The last bin is closed on both sides.
    places = torch.where(flat == bins[-1], count - 1, places)
    inside = (flat >= bins[0]) & (flat <= bins[-1])
    weight = torch.ones_like(flat) if weight is None else weight.reshape(-1)
    counts = bin_counts(places, inside, count, weight)
    if density:
        counts = counts / counts.sum() / (bins[1:] - bins[:-1])
    return counts, bins.clone()


@decomposes(aten.nonzero_static.default)
def nonzero_static(self, *, size, fill_value=-1):
    flat = (self != 0).reshape(-1)
    order = torch.cumsum(flat.to(torch.int64), 0) - 1
    # Elements that have no place go to one behind the end.
    place = torch.where(flat & (order < size), order, size)
    every = torch.arange(flat.shape[0], device=self.device)
    found = torch.full((size + 1,), -1, dtype=torch.int64, device=self.device)
    found = found.scatter(0, place, every)[:size]
    columns, rest = [], found
    for length in reversed(self.shape):
        columns.insert(0, rest % length)
        rest = rest // length
    if not columns:
        return found.new_zeros((size, 0))
    columns = torch.stack(columns, 1)
    return torch.where(found.unsqueeze(1) < 0, fill_value, columns)


# Elementwise ----------------------------------------------------------------


@decomposes(aten.frexp.Tensor)
def frexp(self):
    wide = self.double()
    # Subnormal numbers of the type are normal in double precision; those of
    # double precision are scaled first.
    small = wide.abs() < 2.0**-1000
    bits = torch.where(small, wide * 2.0**100, wide).view(torch.int64)
    exponent = ((bits >> 52) & 0x7FF) - 1022 - torch.where(small, 100, 0)
    mantissa = ((bits & ~(0x7FF << 52)) | (1022 << 52)).view(torch.float64)
    plain = (wide == 0) | ~wide.isfinite()
    return (
        torch.where(plain, wide, mantissa).to(self.dtype),
        torch.where(plain, 0, exponent).to(torch.int32),
    )


@decomposes(aten._trilinear.default)
def trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim=1):
    for dims, name in ((expand1, 1), (expand2, 2), (expand3, 3)):
        for dim in dims:
            if name == 1:
                i1 = i1.unsqueeze(dim)
            elif name == 2:
                i2 = i2.unsqueeze(dim)
            else:
                i3 = i3.unsqueeze(dim)
    product = i1 * i2 * i3
    return product.sum(list(sumdim)) if sumdim else product


@decomposes(aten.rrelu_with_noise_functional.default)
def rrelu_with_noise(
    self, noise, lower=0.125, upper=0.3333333333333333, training=False, generator=None
):
    if not training:
        slope = (lower + upper) / 2
        return torch.where(self > 0, self, self * slope), noise.clone()
    drawn = torch.rand_like(self) * (upper - lower) + lower
    noise = torch.where(self <= 0, drawn, torch.ones_like(self))
    return self * noise, noise


@decomposes(aten.multinomial.default)
def multinomial(self, num_samples, replacement=False, *, generator=None):
    if not replacement:
        # The largest of exponential races, one race a category.
        race = -torch.log(torch.rand_like(self).clamp(min=1e-30))
        return torch.topk(self / race, num_samples, -1).indices
    edges = torch.cumsum(self, -1)
    shape = [*self.shape[:-1], num_samples]
    drawn = torch.rand(shape, dtype=self.dtype) * edges[..., -1:]
    return torch.searchsorted(edges.contiguous(), drawn, right=True).clamp(
        max=self.shape[-1] - 1
    )


@decomposes(torch.ops.prims.normal.default)
def normal(shape, *, mean, std, dtype, device, requires_grad, generator=None):
    drawn = torch.randn(shape, dtype=dtype, device=device)
    return drawn * std + mean


@decomposes(aten.linalg_matrix_exp.default)
def matrix_exp(self):
    """Scaling and squaring of a Taylor polynomial."""
    if self.shape[-1] == 0:
        return self.clone()
    wide = torch.complex128 if self.is_complex() else torch.float64
    x = self.to(wide)
    norm = x.abs().sum(-2).amax(-1)
    # At most a norm of 1/2 for the polynomial of degree 18.
    halvings = torch.ceil(torch.log2(norm.clamp(min=2.0**-20)) + 1).clamp(0, 12)
    x = x * torch.exp2(-halvings)[..., None, None].to(wide)
    eye = torch.eye(self.shape[-1], dtype=wide, device=self.device)
    result = term = eye.expand(self.shape)
    for k in range(1, 19):
        term = term @ x / k
        result = result + term
    for step in range(12):
        again = (halvings > step)[..., None, None]
        result = torch.where(again, result @ result, result)
    return result.to(self.dtype)


@decomposes(aten.diagonal_scatter.default)
def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
    every = torch.arange(self.numel(), device=self.device).reshape(self.shape)
    places = torch.diagonal(every, offset, dim1, dim2).reshape(-1)
    flat = self.reshape(-1).scatter(0, places, src.reshape(-1))
    return flat.reshape(self.shape)


@decomposes(aten.as_strided_scatter.default)
def as_strided_scatter(self, src, size, stride, storage_offset=None):
    every = torch.arange(self.numel(), device=self.device)
    places = torch.as_strided(every, size, stride, storage_offset or 0)
    flat = self.reshape(-1).scatter(0, places.reshape(-1), src.reshape(-1))
    return flat.reshape(self.shape)


@decomposes(aten.lcm.default)
def lcm(self, other):
    self, other = torch.broadcast_tensors(self, other)
    divisor = torch.gcd(self, other)
    safe = torch.where(divisor == 0, torch.ones_like(divisor), divisor)
    return (torch.div(self, safe, rounding_mode="trunc") * other).abs()


# Losses ---------------------------------------------------------------------


@decomposes(aten.multilabel_margin_loss_forward.default)
def multilabel_margin_loss(self, target, reduction):
    """PyTorch's own decomposition also counts the places behind the first -1."""
    rows, labels = torch.atleast_2d(self), torch.atleast_2d(target)
    count = rows.shape[1]
    given = torch.cumsum((labels < 0).to(torch.int64), 1) == 0
    places = torch.where(given, labels, 0)
    every = torch.arange(count, device=self.device)
    named = (places.unsqueeze(-1) == every) & given.unsqueeze(-1)
    is_target = named.any(1)
    gaps = 1 - rows.gather(1, places).unsqueeze(2) + rows.unsqueeze(1)
    counts = given.unsqueeze(2) & ~is_target.unsqueeze(1)
    loss = torch.where(counts, gaps.clamp(min=0), 0).sum((1, 2)) / count
    if reduction == 1:
        loss = loss.mean()
    elif reduction == 2 or self.dim() < 2:
        loss = loss.sum()
    return loss, is_target.to(self.dtype).reshape(target.shape)


def register_linear_cross_entropy():
    """The loss of a linear layer's output, which PyTorch computes in pieces to
    save memory; nothing where this PyTorch has it not."""
    try:
        from torch.nn.modules import linear_cross_entropy  # noqa: F401

        operators = torch.ops.torch_nn
        chunked = operators._linear_cross_entropy_batch_chunked.default
        each = operators._linear_cross_entropy_batch_chunked_no_reduction.default
    except (ImportError, AttributeError):
        return

    def loss(input, weight, target, bias, class_weight, **options):
        logits = torch.nn.functional.linear(input, weight, bias)
        wide = torch.float32 if input.dtype.itemsize < 4 else input.dtype
        if class_weight is not None:
            class_weight = class_weight.to(wide)
        result = torch.nn.functional.cross_entropy(
            logits.to(wide), target, class_weight, **options
        )
        return result.to(input.dtype)

    @decomposes(chunked)
    def reduced(
        input,
        linear_weight,
        target,
        linear_bias,
        weight,
        reduction,
        ignore_index,
        label_smoothing,
        batch_chunk_size,
        acc_policy,
        acc_dtype,
        allow_retain_graph,
        *wants_gradients,
    ):
        if any(wants_gradients):
            return NotImplemented
        value = loss(
            input,
            linear_weight,
            target,
            linear_bias,
            weight,
            reduction=reduction,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
        )
        empty = input.new_zeros((0, 0))
        return value, empty, empty.clone(), input.new_zeros((0,))

    @decomposes(each)
    def unreduced(
        input, linear_weight, target, linear_bias, weight, ignore_index, *chunks
    ):
        return loss(
            input,
            linear_weight,
            target,
            linear_bias,
            weight,
            reduction="none",
            ignore_index=ignore_index,
        )


register_linear_cross_entropy()
