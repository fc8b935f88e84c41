"""Gathering, scattering, sorting, searching; results of unknown size."""

import torch
import torch.nn.functional as F
from rows import bools, ints, places, row, t

X = t(4, 5, 6)
I = torch.tensor([0, 3, 1])
NEG = torch.tensor([-1, 0, 2])
TIES = torch.tensor([[3.0, 1.0, 3.0, float("nan"), 2.0], [1.0, 1.0, 0.0, -1.0, 1.0]])
INT_TIES = torch.tensor([[3, 1, 3, 5, 2], [1, 1, 0, -1, 1]])


def index_put(x, i, v, accumulate=False):
    return torch.index_put(x, i, v, accumulate)


def modes():
    index = torch.tensor([[0, 0, 2], [1, 4, 0], [3, 3, 1]])
    for mode in ("sum", "prod", "mean", "amax", "amin"):
        for include in (True, False):
            name = f"scatter_reduce_{mode}_{include}"
            yield row(name, lambda x, i, v, m=mode, s=include: x.scatter_reduce(1, i, v, m, include_self=s), t(3, 5), index, t(3, 3))
            yield row(name + "_int", lambda x, i, v, m=mode, s=include: x.scatter_reduce(1, i, v, m, include_self=s), ints(3, 5), index, ints(3, 3))
            yield row(name + "_dim0", lambda x, i, v, m=mode, s=include: x.scatter_reduce(0, i, v, m, include_self=s), t(5, 4), index, t(3, 3))
            if mode != "sum":
                yield row(f"index_reduce_{mode}_{include}", lambda x, i, v, m=mode, s=include: x.index_reduce(0, i, v, m, include_self=s), t(4, 3), torch.tensor([0, 0, 2]), t(3, 3))
    for reduce in ("add", "multiply"):
        yield row(f"scatter_{reduce}", lambda x, i, v, r=reduce: x.scatter(1, i, v, reduce=r), t(3, 5), index, t(3, 3))
        yield row(f"scatter_value_{reduce}", lambda x, i, r=reduce: x.scatter(1, i, 2.5, reduce=r), t(3, 5), index)


def bags():
    weight = t(7, 4)
    flat = places(9, below=7)
    offsets = torch.tensor([0, 2, 2, 6])
    for mode in ("sum", "mean", "max"):
        yield row(f"embedding_bag_{mode}", lambda i, w, o, m=mode: F.embedding_bag(i, w, o, mode=m), flat, weight, offsets, resizes=False)
        yield row(f"embedding_bag_2d_{mode}", lambda i, w, m=mode: F.embedding_bag(i, w, mode=m), places(3, 4, below=7), weight)
        yield row(f"embedding_bag_pad_{mode}", lambda i, w, m=mode: F.embedding_bag(i, w, mode=m, padding_idx=2), places(3, 4, below=7), weight)
        yield row(f"embedding_bag_last_{mode}", lambda i, w, o, m=mode: F.embedding_bag(i, w, o, mode=m, include_last_offset=True), flat, weight, torch.tensor([0, 2, 5, 9]), resizes=False)
    yield row("embedding_bag_weights", lambda i, w, o, s: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=s), flat, weight, offsets, t(9), resizes=False)


def unknown():
    x, m = t(3, 4), bools(3, 4)
    yield row("nonzero", torch.nonzero, m)
    yield row("nonzero_tuple", lambda m: torch.nonzero(m, as_tuple=True), m)
    yield row("nonzero_float", lambda x: torch.nonzero(x > 0), x)
    yield row("nonzero_rank1", torch.nonzero, bools(7))
    yield row("nonzero_rank0", torch.nonzero, torch.tensor(True))
    yield row("nonzero_none", torch.nonzero, torch.zeros(3, 4))
    yield row("argwhere", torch.argwhere, m)
    yield row("where_one", lambda m: torch.where(m), m)
    yield row("masked_select", torch.masked_select, x, m)
    yield row("masked_select_broadcast", torch.masked_select, x, bools(4))
    yield row("masked_select_sum", lambda x, m: torch.masked_select(x, m).sum(), x, m)
    yield row("masked_select_mul", lambda x, m: torch.masked_select(x, m) * 2 + 1, x, m)
    yield row("masked_select_sort", lambda x, m: torch.masked_select(x, m).sort()[0], x, m)
    yield row("masked_select_mean", lambda x, m: x[m].mean(), x, m)
    yield row("mask_then_matmul", lambda x, m, w: x[m] @ w, t(5, 4), bools(5), t(4, 3))
    yield row("mask_rows_cat", lambda x, m: torch.cat([x[m], x[~m]]), t(5, 4), bools(5))
    yield row("mask_middle", lambda x, m: x[:, m], t(3, 5, 2), bools(5))
    yield row("mask_then_softmax", lambda x, m: F.softmax(x[m], -1), t(5, 4), bools(5))
    yield row("nonzero_gather", lambda x: x.flatten()[torch.nonzero(x.flatten() > 0).squeeze(1)], x)
    yield row("nonzero_then_index", lambda x, m: x[torch.nonzero(m, as_tuple=True)], x, m)
    yield row("nonzero_size", lambda m: torch.nonzero(m).shape[0], m)
    yield row("mask_write_back", lambda x, m: index_put(x, [m], x[m] * 2), x, m)
    yield row("mask_numel", lambda x, m: x[m].numel() + 1, x, m)
    yield row("unique", torch.unique, ints(8))
    yield row("unique_all", lambda x: torch.unique(x, return_inverse=True, return_counts=True), ints(8))
    yield row("unique_float", lambda x: torch.unique(x), torch.tensor([2.0, 1.0, 2.0, -1.0]))
    yield row("unique_2d", lambda x: torch.unique(x, return_inverse=True), ints(3, 4))
    yield row("unique_dim", lambda x: torch.unique(x, dim=0, return_inverse=True, return_counts=True), torch.tensor([[1, 2], [0, 3], [1, 2]]))
    yield row("unique_dim1", lambda x: torch.unique(x, dim=1), torch.tensor([[1, 2, 1], [0, 3, 0]]))
    yield row("unique_consecutive", lambda x: torch.unique_consecutive(x, return_inverse=True, return_counts=True), torch.tensor([1, 1, 2, 2, 1, 3]))
    yield row("unique_consecutive_dim", lambda x: torch.unique_consecutive(x, dim=0), torch.tensor([[1, 2], [1, 2], [0, 3]]))
    yield row("unique_count_sum", lambda x: torch.unique(x, return_counts=True)[1].sum(), ints(8))
    yield row("bincount", torch.bincount, places(9, below=6))
    yield row("bincount_weights", lambda x, w: torch.bincount(x, w, minlength=8), places(9, below=6), t(9))
    yield row("bincount_then", lambda x: torch.bincount(x).float() / x.shape[0], places(9, below=6))
    yield row("repeat_interleave_tensor", lambda r: torch.repeat_interleave(r), torch.tensor([1, 0, 3]))
    yield row("repeat_interleave_rows", lambda x, r: torch.repeat_interleave(x, r, 0) * 2, t(3, 4), torch.tensor([1, 0, 3]))
    yield row("repeat_interleave_sum", lambda x, r: torch.repeat_interleave(x, r).sum(), t(3), torch.tensor([2, 0, 3]))
    yield row("item", lambda x: x.sum().item() + 1, t(3, 4))
    yield row("item_int", lambda x: x[0].item() * 2, ints(3))
    yield row("zeros_item", lambda x: torch.zeros(x.max().item()), places(3, below=6))
    yield row("arange_item", lambda x: torch.arange(x.sum().item()) * 2, places(3, below=6))


ROWS = [
    *modes(),
    *bags(),
    *unknown(),
    row("embedding", lambda i, w: F.embedding(i, w, padding_idx=1), places(3, 2, below=7), t(7, 4)),
    row("embedding_int32", lambda i, w: F.embedding(i, w), places(3, 2, below=7).int(), t(7, 4)),
    row("embedding_scalar", lambda i, w: F.embedding(i, w), torch.tensor(3), t(7, 4)),
    row("embedding_half", lambda i, w: F.embedding(i, w), places(3, below=7), t(7, 4, dtype=torch.float16)),
    row("index_select", lambda x, i: (x.index_select(0, i), x.index_select(-2, i)), X, I),
    row("index_select_scalar", lambda x, i: x.index_select(1, i), X, torch.tensor(2)),
    row("index_select_int32", lambda x, i: x.index_select(1, i), X, I.int()),
    row("gather", lambda x, i: x.gather(1, i), X, places(4, 2, 3, below=5)),
    row("gather_smaller", lambda x, i: x.gather(-1, i), X, places(2, 3, 9, below=6)),
    row("gather_rank0", lambda x, i: x.gather(0, i), torch.tensor(2.0), torch.tensor(0)),
    row("take", torch.take, X, torch.tensor([[0, 59], [-1, 7]])),
    row("take_along", lambda x, i: (torch.take_along_dim(x, i, 1), torch.take_along_dim(x, i)), t(3, 4), places(3, 2, below=3)),
    row("index_1", lambda x, i: x[i], X, NEG),
    row("index_2", lambda x, i, j: (x[i, j], x[i, :, j], x[:, i, j], x[..., i]), X, NEG, I),
    row("index_broadcast", lambda x, i, j: (x[i[:, None], j], x[i[:, None], :, j]), X, NEG, I),
    row("index_2d", lambda x, i: x[i], X, places(2, 3, below=4)),
    row("index_int32", lambda x, i: x[i], X, NEG.int()),
    row("index_scalar_tensor", lambda x, i: (x[i], x[:, i]), X, torch.tensor(2)),
    row("index_mixed_slice", lambda x, i: (x[1:, i], x[i, 1:3], x[0, i], x[i, 0], x[None, i], x[i, None]), X, NEG),
    row("index_list", lambda x: (x[[0, 2]], x[:, [1, -1, 1]]), X),
    row("index_bool_list", lambda x: x[[True, False, True, True]], X),
    row("index_uint8_free", lambda x, m: x[m.bool()], X, t(4, dtype=torch.uint8, low=0, high=2)),
    row("index_mask_and_index", lambda x, m, i: x[m, i], X, torch.tensor([True, True, False, True]), I),
    row("index_by_compare", lambda x: x[x > 0].sum(), X),
    row("index_empty", lambda x, i: x[i], X, torch.zeros(0, dtype=torch.int64)),
    row("index_put", lambda x, i, v: index_put(x, [i], v), t(4, 3), NEG, t(3, 3)),
    row("index_put_add", lambda x, i, v: index_put(x, [i], v, True), t(4, 3), torch.tensor([1, 1, -3]), t(3, 3)),
    row("index_put_add_2", lambda x, i, j, v: index_put(x, [i, j], v, True), t(4, 5), torch.tensor([1, 1, 0]), torch.tensor([2, 2, -1]), t(3)),
    row("index_put_broadcast", lambda x, i, j, v: index_put(x, [i[:, None], j], v), t(4, 5), NEG, torch.tensor([1, 3]), t(2)),
    row("index_put_none", lambda x, j, v: index_put(x, [None, j], v), t(4, 3), torch.tensor([2, 0]), t(4, 2)),
    row("index_put_apart", lambda x, i, j, v: index_put(x, [i, None, j], v), X, NEG, I, t(3, 5)),
    row("index_put_scalar", lambda x, i: index_put(x, [i], torch.tensor(9.0)), t(4, 3), NEG),
    row("index_put_mask", lambda x, m: index_put(x, [m], torch.tensor(0.5)), t(4, 3), bools(4, 3)),
    row("index_put_mask_add", lambda x, m: index_put(x, [m], torch.tensor(0.5), True), t(4, 3), bools(4)),
    row("index_put_mask_values", lambda x, m, v: index_put(x, [m], v), t(4, 3), torch.tensor([True, False, True, False]), t(2, 3)),
    row("index_put_int", lambda x, i, v: index_put(x, [i], v, True), ints(4, 3), NEG, ints(3, 3)),
    row("index_put_bool", lambda x, i, v: index_put(x, [i], v), bools(4, 3), NEG, bools(3, 3)),
    row("index_put_2d_index", lambda x, i, v: index_put(x, [i], v), t(7, 3), torch.tensor([[0, 1], [2, 3]]), t(2, 2, 3)),
    row("scatter", lambda x, i, s: x.scatter(1, i, s), t(3, 5), torch.tensor([[0, 2], [1, 4], [3, 0]]), t(3, 2)),
    row("scatter_value", lambda x, i: (x.scatter(0, i, 2.5), x.scatter(-1, i, 1)), t(3, 5), torch.tensor([[0, 2], [1, 1]])),
    row("scatter_smaller", lambda x, i, s: x.scatter(0, i, s), t(3, 5), torch.tensor([[0, 2]]), t(2, 4)),
    row("scatter_add_float", lambda x, i, s: x.scatter_add(1, i, s), t(3, 5), torch.tensor([[0, 0], [1, 4], [3, 3]]), t(3, 2)),
    row("scatter_add_int", lambda x, i, s: x.scatter_add(0, i, s), ints(5), torch.tensor([1, 1, 0]), ints(3)),
    row("scatter_3d", lambda x, i, s: x.scatter(1, i, s), X, torch.tensor([[[0, 1]], [[4, 2]]]), t(2, 1, 2)),
    row("scatter_inplace", lambda x, i: torch.zeros_like(x).scatter_(1, i, 1.0), t(3, 5), torch.tensor([[0], [4], [2]])),
    row("index_add", lambda x, i, s: (x.index_add(0, i, s), x.index_add(0, i, s, alpha=2)), t(4, 3), torch.tensor([0, 0, 2]), t(3, 3)),
    row("index_add_dim", lambda x, i, s: x.index_add(-1, i, s), ints(4, 3), torch.tensor([0, 0, 2]), ints(4, 3)),
    row("index_copy", lambda x, i, s: x.index_copy(1, i, s), t(4, 3), torch.tensor([2, 0]), t(4, 2)),
    row("index_fill", lambda x, i: (x.index_fill(1, i, 7.0), x.index_fill(0, i, 1)), t(4, 3), torch.tensor([2, 0])),
    row("index_fill_negative", lambda x, i: x.index_fill(-1, i, 7.0), t(4, 3), torch.tensor([-1])),
    row("index_fill_tensor", lambda x, i, v: x.index_fill(0, i, v), t(4, 3), torch.tensor([1]), torch.tensor(2.0)),
    row("put", lambda x, i, s: (torch.put(x, i, s), torch.put(x, i, s, accumulate=True)), t(4, 3), torch.tensor([2, 0, 11]), t(3)),
    row("masked_scatter", lambda x, m, s: x.masked_scatter(m, s), t(3, 4), bools(3, 4), t(12)),
    row("masked_scatter_broadcast", lambda x, m, s: x.masked_scatter(m, s), t(3, 4), bools(4), t(20)),
    row("sort", lambda x: (torch.sort(x, 1)[0], torch.sort(x, -1, descending=True)[0]), TIES),
    row("sort_stable", lambda x: (torch.sort(x, dim=1, stable=True), torch.sort(x, dim=1, stable=True, descending=True)), TIES),
    row("sort_int", lambda x: (torch.sort(x, dim=0, stable=True), torch.sort(x, dim=1, stable=True, descending=True)), INT_TIES),
    row("sort_bool", lambda x: torch.sort(x, dim=1, stable=True), bools(3, 4)),
    row("sort_rank0", lambda x: torch.sort(x, 0), torch.tensor(2.0)),
    row("sort_half", lambda x: torch.sort(x, dim=1, stable=True), t(3, 4, dtype=torch.float16)),
    row("argsort", lambda x: (torch.argsort(x, dim=0), torch.argsort(x, dim=-1, descending=True)), X),
    row("msort", torch.msort, X),
    row("topk", lambda x: (torch.topk(x, 2), torch.topk(x, 3, 0, largest=False), torch.topk(x, 2, 1, sorted=True)), X),
    row("topk_all", lambda x: torch.topk(x, x.shape[-1])[0], X),
    row("topk_int", lambda x: torch.topk(x, 3)[0], INT_TIES),
    row("topk_zero", lambda x: torch.topk(x, 0), X),
    row("topk_rank0", lambda x: torch.topk(x, 1), torch.tensor(3.0)),
    row("kthvalue", lambda x: (torch.kthvalue(x, 2), torch.kthvalue(x, 4, 0, keepdim=True)), X),
    row("median", lambda x: (torch.median(x), torch.median(x, 1), torch.median(x, -1, keepdim=True)), X),
    row("median_even", lambda x: torch.median(x, 0)[0], t(4, 3)),
    row("median_nan", lambda x: (torch.median(x), torch.median(x, 1)[0], torch.nanmedian(x), torch.nanmedian(x, 1)[0]), TIES),
    row("median_int", lambda x: (torch.median(x), torch.median(x, 1)[0]), INT_TIES),
    row("mode", lambda x: (torch.mode(x), torch.mode(x, 0), torch.mode(x, 1, keepdim=True)), INT_TIES),
    row("quantile", lambda x: (torch.quantile(x, 0.3), torch.quantile(x, 0.5, dim=1), torch.quantile(x, 0.9, dim=-1, keepdim=True)), t(3, 5)),
    row("quantile_tensor", lambda x, q: torch.quantile(x, q, dim=0), t(5, 3), torch.tensor([0.1, 0.5, 1.0])),
    row("quantile_modes", lambda x: [torch.quantile(x, 0.37, dim=1, interpolation=m) for m in ("linear", "lower", "higher", "midpoint", "nearest")], t(3, 6)),
    row("nanquantile", lambda x: torch.nanquantile(x, 0.4, dim=1), TIES),
    row("argmax", lambda x: (x.argmax(), x.argmax(1), x.argmin(-1, keepdim=True), x.argmax(0, keepdim=True), x.argmin()), X),
    row("argmax_ties", lambda x: (x.argmax(1), x.argmin(1)), INT_TIES),
    row("argmax_nan", lambda x: (x.argmax(1), x.argmin(1), x.argmax()), TIES),
    row("argmax_keep_all", lambda x: torch.argmax(x, keepdim=True), X),
    row("argmax_rank0", lambda x: (x.argmax(), x.argmax(0)), torch.tensor(2.0)),
    row("max_dim", lambda x: (x.max(1), x.min(-1), x.max(0, keepdim=True)), X),
    row("max_dim_ties", lambda x: (x.max(1), x.min(1)), INT_TIES),
    row("max_dim_nan", lambda x: (x.max(1), x.min(1), x.max(), x.min()), TIES),
    row("max_dim_bool", lambda x: (x.max(1)[0], x.min(0)[0]), bools(3, 4)),
    row("bucketize", lambda x, s: (torch.bucketize(x, s), torch.bucketize(x, s, right=True), torch.bucketize(x, s, out_int32=True)), torch.tensor([0.0, 1.0, 2.5, -1.0]), torch.tensor([0.0, 1.0, 2.0]), resizes=False),
    row("bucketize_scalar", lambda s: torch.bucketize(1.5, s), torch.tensor([0.0, 1.0, 2.0])),
    row("bucketize_int", lambda x, s: torch.bucketize(x, s), ints(4), torch.tensor([0, 2, 4]), resizes=False),
    row("searchsorted", lambda s, x: (torch.searchsorted(s, x), torch.searchsorted(s, x, right=True), torch.searchsorted(s, x, side="right")), t(3, 6).sort(1)[0], t(3, 4), resizes=False),
    row("searchsorted_1d", lambda s, x: torch.searchsorted(s, x), t(6).sort()[0], t(3, 4), resizes=False),
    row("searchsorted_sorter", lambda s, x, o: torch.searchsorted(s, x, sorter=o), torch.tensor([3.0, 1.0, 2.0]), torch.tensor([1.5, 3.0]), torch.tensor([1, 2, 0]), resizes=False),
    row("searchsorted_scalar", lambda s: torch.searchsorted(s, 0.5), torch.tensor([0.0, 1.0, 2.0])),
    row("isin", lambda x, y: (torch.isin(x, y), torch.isin(x, y, invert=True)), ints(3, 4), torch.tensor([1, 2, -3])),
    row("isin_scalar", lambda x: (torch.isin(x, 2), torch.isin(3, x)), ints(3, 4)),
    row("histc", lambda x: (torch.histc(x, 5, -2, 2), torch.histc(x, 4)), t(20)),
    row("cumulative", lambda x: (x.cumsum(0), x.cumprod(-1), x.logcumsumexp(1), x.cummax(1), x.cummin(-1)), X),
    row("cumulative_int", lambda x: (x.cumsum(0), x.cumprod(-1), x.cummax(1), x.cumsum(1, dtype=torch.float32)), ints(3, 4)),
    row("cumulative_bool", lambda x: (x.cumsum(0), x.cumprod(-1)), bools(3, 4)),
    row("cumulative_nan", lambda x: (x.cummax(1)[0], x.cummin(1)[0], x.cumsum(1)), TIES),
    row("cumulative_rank0", lambda x: (x.cumsum(0), x.cumprod(0), x.cummax(0)), torch.tensor(2.0)),
    row("cumulative_half", lambda x: (x.cumsum(0), x.cumsum(0, dtype=torch.float32)), t(3, 4, dtype=torch.float16)),
    row("diff", lambda x: (x.diff(), x.diff(2, 0), torch.diff(x, prepend=x[..., :1])), X),
    row("gradient", lambda x: torch.gradient(x), t(4, 5)),
    row("trapezoid", lambda x: (torch.trapezoid(x), torch.trapezoid(x, dx=2, dim=0), torch.cumulative_trapezoid(x)), t(4, 5)),
    row("scatter_mean_manual", lambda x, i: torch.zeros(4, 3).index_add_(0, i, x) / torch.bincount(i, minlength=4).clamp(min=1)[:, None], t(5, 3), places(5, below=4)),
    row("segment_reduce", lambda x, n: torch.segment_reduce(x, "sum", lengths=n), t(6, 2), torch.tensor([2, 1, 3])),
    row("unravel", lambda i: torch.unravel_index(i, (3, 4, 5)), places(4, below=60)),
    row("bilinear_index", lambda x, i, j: x[torch.arange(x.shape[0])[:, None, None], i[:, :, None], j[:, None, :]], X, places(4, 2, below=5), places(4, 3, below=6)),
    row("batch_select", lambda x, i: x[torch.arange(x.shape[0]), i], X, places(4, below=5)),
    row("last_token", lambda x, m: x[torch.arange(x.shape[0]), m.sum(1) - 1], X, torch.ones(4, 5, dtype=torch.int64)),
]
