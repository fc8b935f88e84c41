"""Operators that rearrange, join, pad, create and convert, against PyTorch."""

import pytest
import torch
import torch.nn.functional as F
from op_rows import row, run_row, t

X = t(2, 3, 4)
N = ({0: "n"},)
MORE = [(t(5, 3, 4),), (t(1, 3, 4),), (t(0, 3, 4),)]

ROWS = [
    row("view", lambda x: x.view(6, -1), X),
    row("view_open", lambda x: x.view(-1, 4), X, dynamic=N, others=MORE),
    row("view_two_open", lambda x: x.view(x.shape[0], x.shape[1], 2, 2), X, dynamic=({0: "n", 1: "m"},), others=[(t(5, 6, 4),)]),
    row("view_merge_open", lambda x: x.reshape(x.shape[0] * x.shape[1], 4), X, dynamic=({0: "n", 1: "m"},), others=[(t(5, 6, 4),)]),
    row("view_heads", lambda x: x.view(1, -1, 2, 2).transpose(1, 2), t(1, 5, 4), dynamic=({1: "s"},), others=[(t(1, 9, 4),)]),
    row("permute", lambda x: x.permute(2, 0, 1), X, dynamic=N, others=MORE),
    row("transpose", lambda x: x.transpose(-1, 0), X),
    row("expand", lambda x: x.expand(3, -1, 4), t(1, 2, 1)),
    row("expand_open", lambda x, y: x.expand(y.shape[0], 3), t(1, 3), X, dynamic=(None, {0: "n"}), others=[(t(1, 3), t(6, 3, 4))]),
    row("unsqueeze", lambda x: x.unsqueeze(-1).unsqueeze(0), X, dynamic=N, others=MORE),
    row("squeeze", lambda x: (x.squeeze(), x.squeeze(1), x.squeeze(0)), t(2, 1, 3, 1)),
    row("flatten", lambda x: torch.flatten(x, 1), X, dynamic=N, others=MORE),
    row("unflatten", lambda x: x.unflatten(2, (2, -1)), X),
    row("slice", lambda x: (x[:, 1:], x[:, :-1], x[1:2, ::2, -3:]), X),
    row("slice_open", lambda x: (x[:, 0:2], x[:, :, -1]), X, dynamic=N, others=MORE),
    row("slice_by_size", lambda x, y: y[: x.shape[0]], t(3, 2), t(9, 2), dynamic=({0: "n"}, None), others=[(t(7, 2), t(9, 2))]),
    row("select", lambda x: (x[0], x[:, -1], x.select(2, 1)), X, dynamic=N, others=MORE[:2]),
    row("narrow", lambda x: x.narrow(1, 1, 2), X),
    row("cat", lambda x, y: torch.cat([x, y, x], 1), X, t(2, 2, 4), dynamic=({0: "n"}, {0: "n"}), others=[(t(4, 3, 4), t(4, 2, 4))]),
    row("cat_promote", lambda x, y: torch.cat([x, y]), t(2, 3), t(1, 3, dtype=torch.int64)),
    row("stack", lambda x, y: torch.stack([x, y], -1), X, X + 1),
    row("split", lambda x: torch.split(x, 2, 1), X, dynamic=N, others=MORE),
    row("split_sizes", lambda x: torch.split(x, [1, 3], 2), X),
    row("chunk", lambda x: torch.chunk(x, 3, 2), X),
    row("unbind", lambda x: torch.unbind(x, 1), X),
    row("repeat", lambda x: x.repeat(2, 1, 3), t(2, 3)),
    row("repeat_interleave", lambda x: x.repeat_interleave(3, 1), X, dynamic=N, others=MORE),
    row("flip", lambda x: torch.flip(x, [0, 2]), X),
    row("roll", lambda x: (torch.roll(x, 1, 1), torch.roll(x, (-1, 2), (0, 2)), torch.roll(x, 5)), X),
    row("movedim", lambda x: torch.movedim(x, (0, 1), (-1, 0)), X),
    row("unfold", lambda x: x.unfold(2, 3, 1), X),
    row("diagonal", lambda x: (torch.diagonal(x, 0, 1, 2), torch.diagonal(x, 1, 0, 2), torch.diagonal(x, -1, 1, 2)), X),
    row("diag_embed", lambda x: torch.diag_embed(x, 1), t(2, 3)),
    row("triu", lambda x: (torch.triu(x), torch.tril(x, 1), torch.triu(x, -1)), X),
    row("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 1, 3), X, t(2, 2, 4)),
    row("slice_scatter_step", lambda x, y: torch.slice_scatter(x, y, 2, 0, 4, 2), X, t(2, 3, 2)),
    row("select_scatter", lambda x, y: torch.select_scatter(x, y, 1, -1), X, t(2, 4)),
    row("as_strided", lambda x: torch.as_strided(x, (2, 2), (3, 1), 1), t(3, 4)),
    row("pad", lambda x: F.pad(x, (1, 2, -1, 0), value=1.5), X, dynamic=N, others=MORE),
    row("pad_reflect", lambda x: F.pad(x, (2, 1), mode="reflect"), X, dynamic=N, others=MORE[:2]),
    row("pad_reflect2d", lambda x: F.pad(x, (1, 2, 2, 0), mode="reflect"), X),
    row("pad_replicate", lambda x: F.pad(x, (2, 1), mode="replicate"), X),
    row("pad_circular", lambda x: F.pad(x, (2, 1), mode="circular"), X),
    row("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), t(1, 8, 2, 3)),
    row("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 2), t(1, 2, 4, 6)),
    row("channel_shuffle", lambda x: F.channel_shuffle(x, 2), t(1, 6, 2, 2)),
    row("view_dtype", lambda x: x.view(torch.int32), t(3)),
    row("to", lambda x: (x.to(torch.int32), x.half(), x.bool(), x.double()), t(3, 3) * 5),
    row("to_bool_int", lambda x: (x.float(), x.bool(), x.to(torch.uint8)), t(7, dtype=torch.int64, low=0, high=5)),
    row("arange", lambda x: x + torch.arange(4) + torch.arange(1, 9, 2), t(4)),
    row("arange_open", lambda x: torch.arange(x.shape[0]) * 2, X, dynamic=N, others=MORE),
    row("arange_float", lambda x: x + torch.arange(0, 1, 0.25), t(4)),
    row("arange_float_open", lambda x: (torch.arange(x.shape[0], -x.shape[0], -1.0), torch.arange(0.5, x.shape[0], 0.75)), X, dynamic=N, others=MORE[:2]),
    row("as_strided_open", lambda x: F.adaptive_avg_pool1d(x.transpose(1, 2), 1), X, dynamic=N, others=MORE[:2]),
    row("full", lambda x: (torch.full((2, x.shape[0]), 3.5), torch.zeros_like(x), x.new_ones(2)), X, dynamic=N, others=MORE),
    row("eye", lambda x: x + torch.eye(3, 4), t(3, 4)),
    row("linspace", lambda x: x + torch.linspace(-1, 1, 4), t(4)),
    row("tril_indices", lambda x: x[tuple(torch.tril_indices(3, 3))], t(3, 3)),
    row("meshgrid", lambda x, y: torch.meshgrid(x, y, indexing="ij"), t(3), t(2)),
]


@pytest.mark.parametrize("case", ROWS)
def test_views(case):
    run_row(case)
