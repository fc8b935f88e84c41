"""Reductions, linear algebra, losses, attention, recurrent layers."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from rows import bools, ints, layer, places, row, t

X, F16, F64, I64 = t(4, 5, 6), torch.float16, torch.float64, torch.int64
INF, NAN = float("inf"), float("nan")
ODD = torch.tensor([[1.0, NAN, -INF], [INF, 2.0, 3.0], [0.0, -0.0, 5.0]])
SQUARE = t(3, 4, 4)
POSITIVE = SQUARE @ SQUARE.mT + 4 * torch.eye(4)


def reductions():
    names = "sum mean prod amax amin var std logsumexp all any nansum nanmean"
    for name in names.split():
        f = getattr(torch, name)
        yield row(f"{name}_dim", lambda x, f=f: (f(x, 0), f(x, -1), f(x, dim=1, keepdim=True)), X)
        if name not in ("prod", "all", "any"):
            yield row(f"{name}_dims", lambda x, f=f: (f(x, dim=(0, 2)), f(x, dim=(-1, 1), keepdim=True)), X)
        if name not in ("logsumexp",):
            yield row(f"{name}_whole", lambda x, f=f: f(x), X)
            yield row(f"{name}_odd", lambda x, f=f: (f(x), f(x, dim=0)), ODD)
        yield row(f"{name}_half", lambda x, f=f: f(x, dim=1), X.half())
        if name in ("sum", "prod", "amax", "amin", "all", "any", "nansum"):
            yield row(f"{name}_int", lambda x, f=f: (f(x), f(x, dim=1)), ints(3, 4))
            yield row(f"{name}_bool", lambda x, f=f: (f(x), f(x, dim=1)), bools(3, 4))
            yield row(f"{name}_int32", lambda x, f=f: (f(x), f(x, dim=1)), ints(3, 4).int())
        if name in ("sum", "prod", "mean"):
            yield row(f"{name}_dtype", lambda x, f=f: (f(x, dtype=F64), f(x, dim=1, dtype=F64)), ints(3, 4))
        if name not in ("amax", "amin", "logsumexp", "var", "std"):
            yield row(f"{name}_empty", lambda x, f=f: (f(x), f(x, dim=0)), torch.ones(0, 3))
        yield row(f"{name}_rank0", lambda x, f=f: f(x, dim=0), torch.tensor(2.0))
    yield row("min_max", lambda x: (x.min(), x.max(), *torch.aminmax(x), *torch.aminmax(x, dim=1)), X)
    yield row("min_int", lambda x: (x.min(), x.max(), x.amax((0, 1))), ints(3, 4))
    yield row("var_correction", lambda x: (torch.var(x, 1, correction=0), torch.var(x, (0, 2), correction=2, keepdim=True), torch.std(x, 1, unbiased=False), torch.var(x, unbiased=True), x.std(dim=None)), X)
    yield row("var_mean", lambda x: (*torch.var_mean(x, 1), *torch.std_mean(x, (0, 1), correction=0, keepdim=True)), X)
    yield row("norms", lambda x: [torch.linalg.vector_norm(x, p, 1) for p in (0, 1, 2, 3.5, INF, -INF, -1)], X)
    yield row("norms_all", lambda x: (torch.norm(x), torch.norm(x, p=1), torch.norm(x, dim=1), torch.norm(x, p="fro", dim=(0, 1)), x.norm(3, -1, keepdim=True), torch.linalg.norm(x)), X)
    yield row("matrix_norms", lambda x: [torch.linalg.matrix_norm(x, p) for p in ("fro", 1, -1, INF, -INF)], X)
    yield row("matrix_norm_2", lambda x: (torch.linalg.matrix_norm(x, 2), torch.linalg.matrix_norm(x, "nuc")), SQUARE, tolerance=1e-4)
    yield row("count_nonzero", lambda x: (torch.count_nonzero(x), torch.count_nonzero(x, dim=1)), ints(3, 4))
    yield row("all_uint8", lambda x: (x.all(), x.any(1)), t(3, 4, dtype=torch.uint8))
    yield row("all_dims", lambda x: (torch.all(x, dim=(0, 1)), torch.any(x, dim=(1, 2), keepdim=True)), bools(2, 3, 4))
    yield row("dist", lambda x, y: (torch.dist(x, y), torch.dist(x, y, 1), F.pairwise_distance(x, y), F.pairwise_distance(x, y, 1, keepdim=True), F.cosine_similarity(x, y, 0)), t(3, 4), t(3, 4, seed=1))
    yield row("cdist", lambda x, y: [torch.cdist(x, y, p) for p in (0.0, 1.0, 2.0, 3.0, INF)], t(2, 3, 4), t(2, 5, 4), tolerance=1e-4)
    yield row("cdist_large", lambda x, y: torch.cdist(x, y), t(30, 4), t(40, 4), tolerance=2e-3)
    yield row("pdist", lambda x: F.pdist(x), t(5, 3))
    yield row("renorm", lambda x: torch.renorm(x, 2, 0, 1.0), X)
    yield row("cov", lambda x: (torch.cov(x), torch.corrcoef(x)), t(3, 6))
    yield row("sum_large_int", lambda x: x.sum(), torch.full((5,), 2**40))
    yield row("sum_int32_wide", lambda x: x.sum(), torch.full((5,), 2**30, dtype=torch.int32))
    yield row("mean_none", lambda x: torch.mean(x, dim=()), t(3, 4))
    yield row("sum_none", lambda x: torch.sum(x, dim=[]), t(3, 4))
    yield row("softmax_masked", lambda x, m: F.softmax(x.masked_fill(m, -INF), -1), t(3, 5), torch.eye(3, 5).bool())
    yield row("standardise", lambda x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6), X)


def linear_algebra():
    yield row("matmul_ranks", lambda a, b, c, d: (a @ a, b @ a, b @ b.mT, c @ a, c @ c, b @ c, d @ b), t(4, 4), t(3, 4, 4), t(4), t(2, 1, 4, 4))
    yield row("matmul_broadcast", torch.matmul, t(2, 1, 3, 4), t(5, 4, 2))
    yield row("matmul_int", torch.matmul, ints(3, 4), ints(4, 2))
    yield row("matmul_half", torch.matmul, t(3, 4, dtype=F16), t(4, 2, dtype=F16))
    yield row("matmul_empty", torch.matmul, torch.ones(3, 0), torch.ones(0, 2))
    yield row("bmm", torch.bmm, t(3, 4, 5), t(3, 5, 2))
    yield row("mv_dot", lambda a, b: (torch.mv(a, b), torch.dot(b, b), torch.vdot(b, b), torch.inner(a, b), torch.outer(b, b), torch.ger(b, b)), t(3, 4), t(4))
    yield row("addmm", lambda c, a, b: (torch.addmm(c, a, b), torch.addmm(c, a, b, beta=0.5, alpha=2), torch.addmm(c, a, b, beta=0)), t(2), t(3, 4), t(4, 2))
    yield row("addmm_int", lambda c, a, b: torch.addmm(c, a, b, beta=2, alpha=3), ints(2), ints(3, 4), ints(4, 2))
    yield row("baddbmm", lambda c, a, b: (torch.baddbmm(c, a, b, beta=0.5, alpha=2), torch.addbmm(c[0], a, b)), t(3, 4, 2), t(3, 4, 5), t(3, 5, 2))
    yield row("addmv_addr", lambda m, v, w: (torch.addmv(v, m, w, alpha=2), torch.addr(m, v, w, beta=0.5)), t(3, 4), t(3), t(4))
    for equation, shapes in (
        ("ij,jk->ik", ((3, 4), (4, 5))),
        ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))),
        ("i,j->ij", ((3,), (4,))),
        ("ii->i", ((4, 4),)),
        ("ii", ((4, 4),)),
        ("ij->", ((3, 4),)),
        ("bhqd,bhkd->bhqk", ((2, 2, 3, 4), (2, 2, 5, 4))),
        ("...ij,...jk", ((2, 3, 4), (4, 5))),
        ("ij,ij->j", ((3, 4), (3, 4))),
        ("bi,ij,bj->b", ((2, 3), (3, 4), (2, 4))),
        ("ijk->kij", ((2, 3, 4),)),
        ("iij->j", ((3, 3, 4),)),
    ):
        yield row(f"einsum_{equation}", lambda *xs, e=equation: torch.einsum(e, *xs), *(t(*s) for s in shapes))
    yield row("tensordot", lambda a, b: (torch.tensordot(a, b, 2), torch.tensordot(a, b, ([0], [2]))), t(4, 5, 6), t(5, 6, 4))
    yield row("kron", torch.kron, t(2, 3), t(3, 2))
    yield row("chain", lambda a, b, c: torch.linalg.multi_dot([a, b, c]), t(3, 4), t(4, 5), t(5, 2))
    yield row("cross", lambda a, b: (torch.cross(a, b, dim=1), torch.linalg.cross(a, b)), t(4, 3), t(4, 3, seed=1))
    yield row("trace", lambda x: (torch.trace(x), x.diagonal(dim1=-2, dim2=-1).sum(-1)), t(4, 4))
    yield row("det", lambda x: (torch.det(x), torch.logdet(x), *torch.linalg.slogdet(x)), POSITIVE, resizes=False, tolerance=1e-3)
    yield row("inverse", lambda x: (torch.inverse(x), torch.linalg.inv_ex(x)[0]), POSITIVE, resizes=False, tolerance=1e-4)
    yield row("solve", torch.linalg.solve, POSITIVE, t(3, 4, 2), resizes=False, tolerance=1e-4)
    yield row("solve_vector", torch.linalg.solve, POSITIVE, t(3, 4), resizes=False, tolerance=1e-4)
    yield row("cholesky", lambda x: (torch.linalg.cholesky(x), torch.linalg.cholesky(x, upper=True)), POSITIVE, tolerance=1e-4)
    yield row("cholesky_solve", lambda b, x: torch.cholesky_solve(b, torch.linalg.cholesky(x)), t(3, 4, 2), POSITIVE, tolerance=1e-4)
    yield row("triangular_solve", lambda a, b: (torch.linalg.solve_triangular(a.tril(), b, upper=False), torch.linalg.solve_triangular(a.triu(), b.mT, upper=True, left=False)), POSITIVE, t(3, 4, 4), tolerance=1e-3)
    yield row("qr", lambda x: (lambda q, r: q @ r)(*torch.linalg.qr(x)), t(3, 5, 4), tolerance=1e-4)
    yield row("eigh", lambda x: torch.linalg.eigvalsh(x), POSITIVE, tolerance=1e-4)
    yield row("eigh_rebuilt", lambda x: (lambda w, v: v @ torch.diag_embed(w) @ v.mT)(*torch.linalg.eigh(x)), POSITIVE, tolerance=1e-3)
    yield row("svd", lambda x: torch.linalg.svdvals(x), t(3, 5, 4), tolerance=1e-4)
    yield row("svd_rebuilt", lambda x: (lambda u, s, v: u @ torch.diag_embed(s) @ v)(*torch.linalg.svd(x, full_matrices=False)), t(3, 5, 4), tolerance=1e-4)
    yield row("pinv", torch.linalg.pinv, t(5, 3), tolerance=1e-4)
    yield row("lstsq", lambda a, b: torch.linalg.lstsq(a, b).solution, t(5, 3), t(5, 2), tolerance=1e-4)
    yield row("matrix_power", lambda x: (torch.matrix_power(x, 3), torch.matrix_power(x, 0)), t(4, 4), tolerance=1e-4)
    yield row("matrix_power_negative", lambda x: torch.matrix_power(x, -2), POSITIVE, resizes=False, tolerance=1e-4)
    yield row("matrix_exp", torch.matrix_exp, t(3, 3), tolerance=1e-4)
    yield row("lu", lambda x: torch.linalg.lu(x), POSITIVE, resizes=False, tolerance=1e-4)
    yield row("bilinear", F.bilinear, t(2, 3), t(2, 4), t(5, 3, 4), t(5))
    yield row("linear", lambda x, w, b: (F.linear(x, w), F.linear(x, w, b), F.linear(x[0, 0], w, b)), t(2, 3, 4), t(5, 4), t(5))
    yield row("householder", torch.linalg.householder_product, t(4, 3), t(3))
    yield row("block", lambda x: x.view(2, 2, 2, 2).transpose(1, 2).reshape(4, 4), t(4, 4))
    for n in (None, 4, 9):
        yield row(f"fft_{n}", lambda x, n=n: (torch.fft.fft(x, n), torch.fft.ifft(x, n, norm="ortho"), torch.fft.rfft(x, n, 0), torch.fft.hfft(x, n)), t(5, 6), tolerance=1e-4)
        yield row(f"irfft_{n}", lambda x, n=n: torch.fft.irfft(x, n), t(3, 5, dtype=torch.complex64), tolerance=1e-4)
    yield row("fft2", lambda x: (torch.fft.fft2(x), torch.fft.rfft2(x), torch.fft.fftn(x), torch.fft.fftshift(x), torch.fft.ifftshift(x, 1)), t(2, 4, 6), tolerance=1e-4)
    yield row("irfft2", lambda x: torch.fft.irfft2(torch.fft.rfft2(x), x.shape[-2:]), t(2, 4, 6), tolerance=1e-4)
    yield row("fftfreq", lambda: (torch.fft.fftfreq(5), torch.fft.rfftfreq(6, 0.5)))
    yield row("stft", lambda x, w: torch.view_as_real(torch.stft(x, 8, 4, window=w, return_complex=True)), t(2, 32), torch.hann_window(8), tolerance=1e-4)
    yield row("istft", lambda x, w: torch.istft(torch.stft(x, 8, 4, window=w, return_complex=True), 8, 4, window=w), t(2, 32), torch.hann_window(8), tolerance=1e-4)


def losses():
    x, y, positive = t(4, 5), t(4, 5, seed=1), t(4, 5, low=0.1, high=0.9)
    target, weight = places(4, below=5), t(5, low=0.1, high=1)
    ignored = torch.tensor([0, -100, 3, 2])
    for r in ("none", "mean", "sum"):
        for name in "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss poisson_nll_loss".split():
            yield row(f"{name}_{r}", lambda x, y, f=getattr(F, name), r=r: f(x, y, reduction=r), x, y)
        yield row(f"smooth_beta_{r}", lambda x, y, r=r: (F.smooth_l1_loss(x, y, reduction=r, beta=0.5), F.smooth_l1_loss(x, y, reduction=r, beta=0.0), F.huber_loss(x, y, reduction=r, delta=0.3)), x, y)
        yield row(f"bce_{r}", lambda x, y, w, r=r: (F.binary_cross_entropy(x, y, reduction=r), F.binary_cross_entropy(x, y, w, reduction=r)), positive, t(4, 5, low=0, high=1), weight)
        yield row(f"bce_logits_{r}", lambda x, y, w, r=r: (F.binary_cross_entropy_with_logits(x, y, reduction=r), F.binary_cross_entropy_with_logits(x, y, w, reduction=r, pos_weight=w)), x, t(4, 5, low=0, high=1), weight)
        yield row(f"cross_entropy_{r}", lambda x, y, w, r=r: (F.cross_entropy(x, y, reduction=r), F.cross_entropy(x, y, w, reduction=r), F.cross_entropy(x, y, reduction=r, label_smoothing=0.1)), x, target, weight)
        yield row(f"cross_entropy_ignored_{r}", lambda x, y, w, r=r: (F.cross_entropy(x, y, w, reduction=r), F.cross_entropy(x, y, ignore_index=3, reduction=r)), x, ignored.clamp(min=0), weight)
        yield row(f"cross_entropy_minus_{r}", lambda x, y, w, r=r: F.cross_entropy(x, y, w, reduction=r, label_smoothing=0.2), x, ignored, weight)
        yield row(f"cross_entropy_soft_{r}", lambda x, y, w, r=r: F.cross_entropy(x, F.softmax(y, 1), w, reduction=r, label_smoothing=0.1), x, y, weight)
        yield row(f"cross_entropy_2d_{r}", lambda x, y, w, r=r: F.cross_entropy(x, y, w, reduction=r), t(2, 5, 3, 4), places(2, 3, 4, below=5), weight)
        yield row(f"nll_{r}", lambda x, y, w, r=r: (F.nll_loss(F.log_softmax(x, 1), y, reduction=r), F.nll_loss(x, y, w, reduction=r, ignore_index=1)), x, target, weight)
        yield row(f"nll_2d_{r}", lambda x, y, w, r=r: F.nll_loss(x, y, w, reduction=r, ignore_index=2), t(2, 5, 3, 4), places(2, 3, 4, below=5), weight)
        yield row(f"kl_{r}", lambda x, y, r=r: (F.kl_div(x, y.abs(), reduction=r), F.kl_div(x, y, reduction=r, log_target=True)), x, y)
        yield row(f"hinge_{r}", lambda x, y, r=r: F.hinge_embedding_loss(x, torch.sign(y), reduction=r), x, y)
        yield row(f"cosine_{r}", lambda x, y, s, r=r: F.cosine_embedding_loss(x, y, s, reduction=r, margin=0.2), x, y, torch.tensor([1.0, -1.0, 1.0, -1.0]))
        yield row(f"margin_ranking_{r}", lambda x, y, r=r: F.margin_ranking_loss(x, y, torch.sign(y), 0.1, reduction=r), x, y)
        yield row(f"triplet_{r}", lambda x, y, z, r=r: (F.triplet_margin_loss(x, y, z, reduction=r), F.triplet_margin_loss(x, y, z, swap=True, p=1, reduction=r)), x, y, t(4, 5, seed=2))
        yield row(f"multi_margin_{r}", lambda x, y, w, r=r: (F.multi_margin_loss(x, y, reduction=r), F.multi_margin_loss(x, y, 2, 0.5, w, reduction=r)), x, target, weight)
        yield row(f"multilabel_{r}", lambda x, y, r=r: F.multilabel_margin_loss(x, y, reduction=r), x, torch.tensor([[0, 2, -1, 1, 1], [3, -1, 1, 1, 1], [1, 2, 3, 4, 0], [-1, 0, 0, 0, 0]]))
        yield row(f"multilabel_soft_{r}", lambda x, y, w, r=r: F.multilabel_soft_margin_loss(x, (y > 0).float(), w, reduction=r), x, y, weight)
        yield row(f"gaussian_{r}", lambda x, y, v, r=r: F.gaussian_nll_loss(x, y, v, reduction=r, full=True), x, y, positive)
    yield row("ctc", lambda x, y, n, m: F.ctc_loss(x, y, n, m), F.log_softmax(t(6, 2, 5), 2), places(2, 3, below=4) + 1, torch.tensor([6, 5]), torch.tensor([3, 2]), tolerance=1e-4)


def attentions():
    q, k, v = t(2, 4, 5, 8), t(2, 4, 7, 8, seed=1), t(2, 4, 7, 8, seed=2)
    sdpa = F.scaled_dot_product_attention
    yield row("sdpa", sdpa, q, k, v)
    yield row("sdpa_causal", lambda q, k, v: sdpa(q, k, v, is_causal=True), q, k, v)
    yield row("sdpa_scale", lambda q, k, v: sdpa(q, k, v, scale=0.3), q, k, v)
    yield row("sdpa_bool", lambda q, k, v, m: sdpa(q, k, v, m), q, k, v, torch.ones(5, 7).tril(2).bool())
    yield row("sdpa_blind", lambda q, k, v, m: sdpa(q, k, v, m), q, k, v, torch.ones(5, 7).tril(-2).bool())
    yield row("sdpa_float", lambda q, k, v, m: sdpa(q, k, v, m), q, k, v, t(2, 1, 5, 7))
    yield row("sdpa_gqa", lambda q, k, v: sdpa(q, k, v, enable_gqa=True), q, k[:, :2], v[:, :2])
    yield row("sdpa_gqa_causal", lambda q, k, v: sdpa(q, k, v, enable_gqa=True, is_causal=True), q, k[:, :1], v[:, :1])
    yield row("sdpa_rank3", sdpa, q[0], k[0], v[0])
    yield row("sdpa_value_width", sdpa, q, k, t(2, 4, 7, 3))
    yield row("sdpa_half", sdpa, q.half(), k.half(), v.half())
    yield row("sdpa_manual", lambda q, k, v: F.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v, q, k, v)
    x = t(2, 5, 8)
    yield layer("multihead", lambda: nn.MultiheadAttention(8, 2, batch_first=True), x, x, x)
    yield row("multihead_mask", Masked(), x, torch.zeros(2, 5).bool(), torch.ones(5, 5).triu(1).bool())
    yield layer("encoder_layer", lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), x, tolerance=1e-4)
    yield layer("encoder_layer_first", lambda: nn.TransformerEncoderLayer(8, 2, 16, norm_first=True, activation="gelu"), x, tolerance=1e-4)
    yield layer("decoder_layer", lambda: nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), x, t(2, 3, 8), tolerance=1e-4)
    yield layer("transformer", lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True), x, t(2, 3, 8), tolerance=1e-4)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.inner = nn.MultiheadAttention(8, 2, batch_first=True).eval()

    def forward(self, x, padding, mask):
        return self.inner(x, x, x, key_padding_mask=padding, attn_mask=mask)


def recurrent():
    x = t(3, 5, 4)
    for kind in ("RNN", "LSTM", "GRU"):
        make = getattr(nn, kind)
        for name, options in (
            ("plain", {}),
            ("first", dict(batch_first=True)),
            ("both", dict(bidirectional=True)),
            ("two", dict(num_layers=2, bidirectional=True, batch_first=True)),
            ("nobias", dict(bias=False)),
        ):
            yield layer(f"{kind}_{name}", lambda m=make, o=options: m(4, 6, **o), x, tolerance=1e-4)
        yield layer(f"{kind}_unbatched", lambda m=make: m(4, 6), x[0], tolerance=1e-4)
        yield layer(f"{kind}_cell", lambda m=getattr(nn, kind + "Cell"): m(4, 6), x[0], tolerance=1e-4)
        state = t(1, 5, 6)
        given = (state, state * 2) if kind == "LSTM" else state
        yield layer(f"{kind}_state", lambda m=make: m(4, 6), x, given, tolerance=1e-4)
    yield layer("RNN_relu", lambda: nn.RNN(4, 6, nonlinearity="relu"), x, tolerance=1e-4)
    yield layer("LSTM_projection", lambda: nn.LSTM(4, 6, proj_size=3), x, tolerance=1e-4)


def layers():
    for name in "ReLU ReLU6 ELU SELU CELU GELU SiLU Mish Softplus Softsign Tanhshrink LogSigmoid Hardswish Hardtanh Hardsigmoid Sigmoid Tanh PReLU LeakyReLU Hardshrink Softshrink".split():
        yield layer(name, getattr(nn, name), t(3, 4))
    yield layer("Softmax2d", nn.Softmax2d, t(2, 3, 4, 5))
    yield layer("Embedding", lambda: nn.Embedding(7, 4, padding_idx=2), places(3, 2, below=7))
    yield layer("Embedding_norm", lambda: nn.Embedding(7, 4, max_norm=1.0), places(3, 2, below=7))
    yield layer("EmbeddingBag", lambda: nn.EmbeddingBag(7, 4), places(3, 2, below=7))
    yield layer("Identity", nn.Identity, t(3))
    yield layer("Flatten", nn.Flatten, t(2, 3, 4))
    yield layer("Unflatten", lambda: nn.Unflatten(1, (2, 3)), t(2, 6))
    yield layer("Sequential", lambda: nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3), nn.Softmax(-1)), t(2, 4))
    yield layer("ZeroPad2d", lambda: nn.ZeroPad2d((1, 2, 0, 1)), t(2, 3, 4, 5))
    yield layer("Upsample", lambda: nn.Upsample(scale_factor=2, mode="nearest"), t(2, 3, 4, 5))
    yield layer("CosineSimilarity", lambda: nn.CosineSimilarity(1), t(3, 4), t(3, 4, seed=1))
    yield layer("FractionalMaxPool2d", lambda: nn.FractionalMaxPool2d(2, output_size=3), t(1, 2, 7, 7), drawn=True)


ROWS = [*reductions(), *linear_algebra(), *losses(), *attentions(), *recurrent(), *layers()]
