"""Gathering, scattering, sorting and selection, against PyTorch."""

import pytest
import torch
import torch.nn.functional as F
from op_rows import row, run_row, t

X = t(4, 5, 3)
I = torch.tensor([0, 3, 1])
NEG = torch.tensor([-1, 0, 2])
TIES = torch.tensor([[3.0, 1.0, 3.0, float("nan"), 2.0], [1.0, 1.0, 0.0, -1.0, 1.0]])


def put(x, i, v):
    return torch.ops.aten.index_put(x, i, v, False)


def put_add(x, i, v):
    return torch.ops.aten.index_put(x, i, v, True)


ROWS = [
    row("embedding", F.embedding, t(3, 2, dtype=torch.int64, low=0, high=7), t(7, 4)),
    row("embedding_open", lambda i, w: F.embedding(i, w), t(3, 2, dtype=torch.int64, low=0, high=7), t(7, 4), dynamic=({0: "n", 1: "s"}, None), others=[(t(5, 1, dtype=torch.int64, low=0, high=7), t(7, 4))]),
    row("index_select", lambda x, i: torch.index_select(x, 1, i), X, I, dynamic=({0: "n"}, None), others=[(t(6, 5, 3), I)]),
    row("gather", lambda x, i: torch.gather(x, 1, i), X, t(4, 2, 3, dtype=torch.int64, low=0, high=5)),
    row("gather_small", lambda x, i: torch.gather(x, 0, i), X, t(2, 3, 2, dtype=torch.int64, low=0, high=4)),
    row("gather_open", lambda x, i: torch.gather(x, 1, i), t(4, 5), t(4, 2, dtype=torch.int64, low=0, high=5), dynamic=({0: "n"}, {0: "n"}), others=[(t(6, 5), t(6, 2, dtype=torch.int64, low=0, high=5))]),
    row("take", torch.take, X, torch.tensor([[0, 59], [-1, 7]])),
    row("take_along_dim", lambda x, i: torch.take_along_dim(x, i, 1), t(3, 4), t(3, 2, dtype=torch.int64, low=0, high=4)),
    row("index_one", lambda x, i: x[i], X, NEG),
    row("index_middle", lambda x, i: x[:, i], X, NEG, dynamic=({0: "n"}, None), others=[(t(2, 5, 3), NEG)]),
    row("index_two", lambda x, i, j: x[i, j], X, NEG, I),
    row("index_apart", lambda x, i, j: x[i, :, j], X, NEG, torch.tensor([0, 1, 2])),
    row("index_broadcast", lambda x, i, j: x[i[:, None], j], X, NEG, I),
    row("index_last_two", lambda x, i, j: x[:, i, j], X, NEG, torch.tensor([0, 1, 2])),
    row("index_mask", lambda x, m: x[m], t(4, 3), torch.tensor([True, False, True, True])),
    row("index_mask_2d", lambda x, m: x[m], t(4, 3), t(4, 3, dtype=torch.bool)),
    row("index_put", lambda x, i, v: put(x, [i], v), t(4, 3), NEG, t(3, 3)),
    row("index_put_scalar", lambda x, i, j: put(x, [i, j], torch.tensor(9.0)), t(4, 3), NEG, torch.tensor([0, 1, 2])),
    row("index_put_none", lambda x, j, v: put(x, [None, j], v), t(4, 3), torch.tensor([2, 0]), t(4, 2)),
    row("index_put_add", lambda x, i, v: put_add(x, [i], v), t(4, 3), torch.tensor([1, 1, 1]), t(3, 3)),
    row("index_put_mask", lambda x, m: put(x, [m], torch.tensor(0.5)), t(4, 3), t(4, 3, dtype=torch.bool)),
    row("index_put_open", lambda x, i, v: put(x, [i], v), t(4, 3), NEG, t(3, 3), dynamic=({0: "n"}, None, None), others=[(t(6, 3), NEG, t(3, 3))]),
    row("scatter", lambda x, i, s: x.scatter(1, i, s), t(3, 5), torch.tensor([[0, 2], [1, 4], [3, 0]]), t(3, 2)),
    row("scatter_value", lambda x, i: x.scatter(0, i, 2.5), t(3, 5), torch.tensor([[0, 2], [1, 1]])),
    row("scatter_add", lambda x, i, s: x.scatter_add(1, i, s), t(3, 5), torch.tensor([[0, 0], [1, 4], [3, 3]]), t(3, 2)),
    *(
        row(f"scatter_reduce_{r}_{s}", lambda x, i, v, r=r, s=s: x.scatter_reduce(1, i, v, r, include_self=s), t(3, 5), torch.tensor([[0, 0], [1, 4], [3, 3]]), t(3, 2))
        for r in ("sum", "prod", "mean", "amax", "amin")
        for s in (True, False)
    ),
    row("index_add", lambda x, i, s: x.index_add(0, i, s, alpha=2), t(4, 3), torch.tensor([0, 0, 2]), t(3, 3)),
    row("index_copy", lambda x, i, s: x.index_copy(1, i, s), t(4, 3), torch.tensor([2, 0]), t(4, 2)),
    row("index_fill", lambda x, i: x.index_fill(1, i, 7.0), t(4, 3), torch.tensor([2, 0])),
    row("nonzero", torch.nonzero, t(3, 4, dtype=torch.bool)),
    row("masked_select", torch.masked_select, t(3, 4), t(3, 4, dtype=torch.bool)),
    row("masked_scatter", lambda x, m, s: x.masked_scatter(m, s), t(3, 4), t(3, 4, dtype=torch.bool), t(12)),
    row("repeat_interleave", lambda x, r: torch.repeat_interleave(x, r, 0) * 2, t(3, 4), torch.tensor([1, 0, 3])),
    row("repeat_interleave_known", lambda x, r: torch.repeat_interleave(x, r, 0, output_size=4), t(3, 4), torch.tensor([1, 0, 3])),
    row("embedding_norm", lambda i, w: F.embedding(i, w.clone(), max_norm=1.0), torch.tensor([0, 2]), t(5, 4)),
    row("take_one", torch.take, torch.tensor(3.0), torch.tensor(0)),
    row("search_number", lambda s: (torch.searchsorted(s, 0.5), torch.bucketize(1.5, s)), torch.tensor([0.0, 1.0, 2.0])),
    row("one_hot", lambda i: F.one_hot(i, 5), t(3, dtype=torch.int64, low=0, high=5)),
    row("bucketize", lambda x, s: (torch.bucketize(x, s), torch.bucketize(x, s, right=True)), torch.tensor([0.0, 1.0, 2.5]), torch.tensor([0.0, 1.0, 2.0])),
    row("sort", lambda x: torch.sort(x, 1), TIES),
    row("sort_descending", lambda x: torch.sort(x, stable=True, dim=1, descending=True), TIES),
    row("sort_dim0", lambda x: torch.sort(x, 0), X),
    row("argsort", lambda x: torch.argsort(x, stable=True, dim=-1), X),
    row("topk", lambda x: torch.topk(x, 2, 1), X),
    row("topk_smallest", lambda x: torch.topk(x, 3, 0, largest=False), X, dynamic=({1: "n"},), others=[(t(4, 2, 3),)]),
    row("kthvalue", lambda x: torch.kthvalue(x, 2, 1), X),
    row("median", lambda x: torch.median(x, 1), X),
    row("median_all", torch.median, X),
    row("argmax", lambda x: (torch.argmax(x), torch.argmax(x, 1), torch.argmin(x, -1, keepdim=True)), X),
    row("argmax_ties", lambda x: torch.argmax(x, 1), torch.tensor([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0]])),
    row("argmax_nan", lambda x: (torch.argmax(x, 1), torch.argmin(x, 1)), TIES[:, :4]),
    row("max_dim", lambda x: torch.max(x, 1), X),
    row("min_dim_keep", lambda x: torch.min(x, 0, keepdim=True), X),
    row("max_dim_int", lambda x: torch.max(x, 0), t(4, 3, dtype=torch.int64)),
]


@pytest.mark.parametrize("case", ROWS)
def test_indexing(case):
    run_row(case)
