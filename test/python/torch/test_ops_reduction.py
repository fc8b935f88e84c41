"""Reductions, scans, products and normalisation, against PyTorch."""

import pytest
import torch
import torch.nn.functional as F
from op_rows import row, run_row, t

X = t(3, 4, 5)
N = ({0: "n"},)
MORE = [(t(6, 4, 5),), (t(1, 4, 5),)]
EMPTY = torch.zeros(0, 3)
ODD = torch.tensor([[1.0, float("nan"), 2.0], [float("-inf"), 1.0, float("inf")]])

ROWS = [
    row("sum", lambda x: (x.sum(), x.sum(1), x.sum((0, 2), keepdim=True)), X, dynamic=N, others=MORE),
    row("sum_int32", lambda x: (x.sum(), x.sum(0)), t(3, 4, dtype=torch.int32)),
    row("sum_bool", lambda x: x.sum(-1), t(3, 4, dtype=torch.bool)),
    row("sum_dtype", lambda x: x.sum(0, dtype=torch.float64), X),
    row("sum_f16", lambda x: x.sum(), t(100, dtype=torch.float16)),
    row("sum_empty", lambda x: (x.sum(0), x.prod(0)), EMPTY),
    row("sum_scalar", lambda x: (x.sum(), x.sum(0), x.amax(-1)), torch.tensor(3.0)),
    row("mean", lambda x: (x.mean(), x.mean((1, 2)), x.mean(0, keepdim=True)), X, dynamic=N, others=MORE),
    row("prod", lambda x: (x.prod(), x.prod(1)), X),
    row("amax", lambda x: (x.amax(), x.amax((0, 1)), x.amin(2)), X),
    row("amax_nan", lambda x: (x.amax(1), x.amin(1)), ODD),
    row("max_int", lambda x: (x.max(), x.min()), t(5, dtype=torch.int32)),
    row("any", lambda x: (x.any(), x.any(1), x.all(0), x.all()), t(3, 4, dtype=torch.bool)),
    row("any_float", lambda x: x.any(0), t(3, 4)),
    row("var", lambda x: (x.var(), x.var(1), x.std((0, 2)), x.var(2, correction=0)), X),
    row("var_mean", lambda x: torch.var_mean(x, 1), X, dynamic=N, others=MORE),
    row("logsumexp", lambda x: torch.logsumexp(x, 1), X * 100),
    row("logsumexp_inf", lambda x: torch.logsumexp(x, 1), torch.tensor([[float("-inf"), float("-inf")], [float("inf"), 1.0]])),
    *(row(f"norm_{p}", lambda x, p=p: torch.linalg.vector_norm(x, p, 1), X) for p in (0, 1, 2, 3, float("inf"), float("-inf"))),
    row("count_nonzero", lambda x: torch.count_nonzero(x, 0), t(3, 4, dtype=torch.bool)),
    row("nansum", lambda x: (torch.nansum(x), torch.nanmean(x, 1)), torch.tensor([[1.0, float("nan"), 2.0]])),
    row("cumsum", lambda x: (x.cumsum(1), x.cumsum(-1)), X),
    row("cumsum_open", lambda x: (x.cumsum(0), x.cumsum(1)), X, dynamic=N, others=[(t(9, 4, 5),), (t(1, 4, 5),)]),
    row("cumsum_int", lambda x: x.cumsum(0), t(6, dtype=torch.int32)),
    row("cumprod", lambda x: x.cumprod(2), X),
    row("cummax", lambda x: torch.cummax(x, 1), X),
    row("cummin_ties", lambda x: torch.cummin(x, 0), torch.tensor([3.0, 1.0, 1.0, 2.0, 0.0])),
    row("logcumsumexp", lambda x: torch.logcumsumexp(x, 1), X * 20),
    row("histc", lambda x: (torch.histc(x, 7), torch.histc(x, 5, -1, 1.5)), X, dynamic=N, others=MORE),
    row("histc_whole", lambda x: torch.histc(x.float(), bins=4, min=0, max=3), t(50, dtype=torch.int64)),
    row("histc_equal", lambda x: torch.histc(x, 4), torch.ones(5)),
    row("aminmax", lambda x: torch.aminmax(x, dim=1), X),
]

PRODUCTS = [
    row("mm", torch.mm, t(3, 4), t(4, 5)),
    row("mm_open", torch.mm, t(3, 4), t(4, 5), dynamic=({0: "n"}, None), others=[(t(9, 4), t(4, 5)), (t(1, 4), t(4, 5))]),
    row("bmm", torch.bmm, t(2, 3, 4), t(2, 4, 5), dynamic=({0: "n"}, {0: "n"}), others=[(t(3, 3, 4), t(3, 4, 5))]),
    row("addmm", lambda c, x, y: torch.addmm(c, x, y, beta=0.5, alpha=2), t(5), t(3, 4), t(4, 5)),
    row("addmm_int", torch.addmm, t(3, 5, dtype=torch.int64), t(3, 4, dtype=torch.int64), t(4, 5, dtype=torch.int64)),
    row("baddbmm", torch.baddbmm, t(2, 3, 5), t(2, 3, 4), t(2, 4, 5)),
    row("matmul_vector", torch.matmul, t(3, 4), t(4)),
    row("matmul_left_vector", torch.matmul, t(4), t(2, 4, 5)),
    row("matmul_batch", torch.matmul, t(2, 1, 3, 4), t(5, 4, 2)),
    row("dot", torch.dot, t(4), t(4, seed=1)),
    row("linear", F.linear, t(2, 3, 4), t(5, 4), t(5), dynamic=({0: "n", 1: "s"}, None, None), others=[(t(4, 7, 4), t(5, 4), t(5))]),
    row("outer", torch.outer, t(3), t(4)),
    row("einsum", lambda x, y: torch.einsum("bij,bkj->bik", x, y), t(2, 3, 4), t(2, 5, 4)),
    row("cdist", torch.cdist, t(3, 4), t(5, 4), tolerance=1e-4),
    row("mm_f16", torch.mm, t(3, 4, dtype=torch.float16), t(4, 5, dtype=torch.float16)),
]

NORMS = [
    row("layer_norm", lambda x, w, b: F.layer_norm(x, (5,), w, b), X, t(5), t(5, seed=1), dynamic=({0: "n"}, None, None), others=[(t(6, 4, 5), t(5), t(5, seed=1))]),
    row("layer_norm_two", lambda x: F.layer_norm(x, (4, 5)), X),
    row("rms_norm", lambda x, w: F.rms_norm(x, (5,), w, 1e-6), X, t(5)),
    row("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), t(2, 4, 5), t(4), t(4, seed=1)),
    row("batch_norm", lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b), t(2, 3, 4), t(3), t(3).abs() + 0.5, t(3, seed=1), t(3, seed=2), dynamic=({0: "n"}, None, None, None, None), others=[(t(5, 3, 4), t(3), t(3).abs() + 0.5, t(3, seed=1), t(3, seed=2))]),
    row("instance_norm", F.instance_norm, t(2, 3, 6)),
    row("local_response_norm", lambda x: F.local_response_norm(x, 3), t(2, 6, 4)),
    row("normalize", lambda x: F.normalize(x, dim=1), X),
]

ATTENTION = [
    row("attention", F.scaled_dot_product_attention, t(2, 2, 5, 4), t(2, 2, 6, 4), t(2, 2, 6, 3)),
    row("attention_causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), t(2, 2, 5, 4), t(2, 2, 5, 4, seed=1), t(2, 2, 5, 4, seed=2)),
    row("attention_mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), t(2, 2, 5, 4), t(2, 2, 6, 4), t(2, 2, 6, 4), t(2, 1, 5, 6, dtype=torch.bool)),
    row("attention_open", lambda q: F.scaled_dot_product_attention(q, q, q), t(2, 2, 5, 4), dynamic=({0: "n", 2: "s"},), others=[(t(3, 2, 9, 4),)]),
    row("attention_gqa", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True), t(2, 4, 5, 4), t(2, 2, 6, 4), t(2, 2, 6, 4)),
]


@pytest.mark.parametrize("case", ROWS)
def test_reduction(case):
    run_row(case)


@pytest.mark.parametrize("case", PRODUCTS)
def test_product(case):
    run_row(case)


@pytest.mark.parametrize("case", NORMS)
def test_norm(case):
    run_row(case)


@pytest.mark.parametrize("case", ATTENTION)
def test_attention(case):
    run_row(case)
