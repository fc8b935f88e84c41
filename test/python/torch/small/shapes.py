"""Views, joins, slices, creation, and in-place writes through views."""

import torch
import torch.nn.functional as F
from rows import bools, ints, places, row, t

F16, F64, I32, I64 = torch.float16, torch.float64, torch.int32, torch.int64
X = t(4, 5, 6)


def assign(x, write):
    y = x.clone()
    write(y)
    return y


def set_slice(x, v):
    y = x.clone()
    y[1:3, ::2] = v
    return y


def set_mask(x, m):
    y = x.clone()
    y[m] = 0.0
    return y


def set_index(x, i, v):
    y = x.clone()
    y[i] = v
    return y


def add_index(x, i, v):
    y = x.clone()
    y[:, i] += v
    return y


def set_negative(x):
    y = x.clone()
    y[-1] = 2.0
    y[..., -2:] *= 3
    y[0, 1] = y[1, 0]
    return y


def through_view(x):
    y = x.clone()
    z = y.view(-1)
    z[::3] = 1.0
    y.t().add_(1) if y.dim() == 2 else y.transpose(0, 1).mul_(2)
    return y, z


def diagonal_write(x):
    y = x.clone()
    y.diagonal().fill_(7)
    return y


def narrow_write(x):
    y = x.clone()
    y.narrow(1, 1, 2).copy_(y.narrow(1, 2, 2).clone())
    return y


def unbind_write(x):
    y = x.clone()
    a, *_ = y.unbind(0)
    a.zero_()
    return y


def split_write(x):
    y = x.clone()
    a, b = y.split([1, 3], 0)
    b.add_(a)
    return y


def expanded_sum(x):
    y = x.unsqueeze(0).expand(3, -1, -1, -1)
    return (y * torch.arange(3).view(3, 1, 1, 1)).sum(0)


def input_write(x):
    x.add_(1)
    return x * 2


def input_view_write(x):
    x[0].fill_(3)
    return x.sum()


def causal_mask(x):
    n = x.shape[1]
    mask = torch.full((n, n), float("-inf")).triu(1)
    return x @ x.transpose(-1, -2) + mask


def positions(x):
    return torch.arange(x.shape[1], device=x.device).unsqueeze(0).expand(x.shape[0], -1)


def heads(x):
    b, s, d = x.shape
    return x.view(b, s, 2, d // 2).permute(0, 2, 1, 3).reshape(b * 2, s, d // 2)


def patches(x):
    b, c, h, w = x.shape
    y = x.reshape(b, c, h // 2, 2, w // 2, 2)
    return y.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


ROWS = [
    row("view_minus_one", lambda x: x.view(x.shape[0], -1), X),
    row("view_first_minus_one", lambda x: x.view(-1, x.shape[-1]), X),
    row("view_merge_split", lambda x: x.view(x.shape[0] * x.shape[1], 2, 3), X),
    row("view_split_two", lambda x: x.view(x.shape[0], x.shape[1], 2, -1), X),
    row("view_insert_ones", lambda x: x.view(1, x.shape[0], 1, x.shape[1], x.shape[2], 1), X),
    row("view_flat", lambda x: x.view(-1), X),
    row("view_scalar", lambda x: x.view(()), t(1, 1)),
    row("view_from_scalar", lambda x: x.view(1, 1), torch.tensor(3.0)),
    row("view_empty", lambda x: x.view(0, 3, 2), torch.ones(0, 6)),
    row("view_dtype", lambda x: (x.view(I32), x.view(torch.int8), x.view(torch.int16)), t(3, 4)),
    row("view_dtype_wide", lambda x: x.view(F64), t(3, 4)),
    row("view_half", lambda x: x.view(torch.int16), t(3, 4, dtype=F16)),
    row("reshape_strided", lambda x: x.t().reshape(-1), t(3, 4)),
    row("reshape_permuted", lambda x: x.permute(2, 0, 1).reshape(6, -1), X),
    row("reshape_as", lambda x, y: x.reshape_as(y), t(3, 4), t(2, 6)),
    row("view_as", lambda x, y: x.view_as(y), t(3, 4), t(4, 3)),
    row("flatten", lambda x: (x.flatten(), x.flatten(1), x.flatten(0, 1), x.flatten(-2, -1), x.ravel()), X),
    row("flatten_scalar", lambda x: x.flatten(), torch.tensor(3.0)),
    row("unflatten", lambda x: (x.unflatten(-1, (2, 3)), x.unflatten(2, (-1, 2))), X),
    row("squeeze", lambda x: (x.squeeze(), x.squeeze(1), x.squeeze(-1), x.squeeze(0), x.squeeze((1, 3))), t(3, 1, 4, 1)),
    row("unsqueeze", lambda x: (x.unsqueeze(0), x.unsqueeze(-1), x.unsqueeze(-2), x[None], x[:, None], x[..., None]), t(3, 4)),
    row("permute", lambda x: (x.permute(2, 0, 1), x.permute(-1, 0, -2), x.movedim(0, -1), x.movedim((0, 1), (2, 0)), x.swapaxes(0, 2), x.mT, x.transpose(-1, 0)), X),
    row("t", lambda x: (x.t(), x.T, torch.t(x)), t(3, 4)),
    row("t_vector", lambda x: x.t(), t(3)),
    row("adjoint", lambda x: (x.adjoint(), x.mH), t(2, 3, dtype=torch.complex64)),
    row("expand", lambda x: (x.expand(2, 3, 4), x.expand(-1, 4), x.expand(2, -1, -1)), t(3, 1)),
    row("expand_scalar", lambda x: x.expand(2, 3), torch.tensor(2.0)),
    row("expand_as", lambda x, y: x.expand_as(y), t(3, 1), t(2, 3, 4)),
    row("expanded_sum", expanded_sum, X),
    row("broadcast_to", lambda x: torch.broadcast_to(x, (2, 3, 4)), t(3, 1)),
    row("broadcast_tensors", lambda x, y: torch.broadcast_tensors(x, y), t(3, 1), t(4)),
    row("repeat", lambda x: (x.repeat(2, 3), x.repeat(2, 1, 3), x.repeat(1, 0)), t(3, 4)),
    row("repeat_scalar", lambda x: x.repeat(3), torch.tensor(2.0)),
    row("tile", lambda x: (x.tile(2), x.tile((2, 3)), x.tile((2, 1, 2))), t(3, 4)),
    row("repeat_interleave", lambda x: (x.repeat_interleave(2), x.repeat_interleave(3, 1), x.repeat_interleave(2, -2)), t(3, 4)),
    row("repeat_interleave_fixed", lambda x, r: x.repeat_interleave(r, 0, output_size=6), t(3, 4), torch.tensor([1, 2, 3])),
    row("cat", lambda x, y: (torch.cat([x, y]), torch.cat([x, y], -2), torch.concat([x, x], 1)), t(2, 3), t(4, 3)),
    row("cat_empty", lambda x, y: torch.cat([x, y]), t(2, 3), torch.ones(0)),
    row("cat_one", lambda x: torch.cat([x], 1), t(2, 3)),
    row("cat_int_float", lambda x, y: torch.cat([x, y], 0), ints(2, 3), t(2, 3)),
    row("stack", lambda x, y: (torch.stack([x, y]), torch.stack([x, y], -1), torch.stack([x, y], 1)), t(2, 3), t(2, 3)),
    row("stacks", lambda x, y: (torch.hstack([x, y]), torch.vstack([x, y]), torch.dstack([x, y]), torch.column_stack([x, y])), t(2, 3), t(2, 3)),
    row("stacks_vectors", lambda x, y: (torch.hstack([x, y]), torch.vstack([x, y]), torch.dstack([x, y]), torch.column_stack([x, y])), t(3), t(3)),
    row("split", lambda x: x.split(2, 1), X),
    row("split_sizes", lambda x: x.split([1, 2, 3], -1), X),
    row("split_first", lambda x: x.split(2, 0)[0], X),
    row("split_with_zero", lambda x: x.split([0, 5], 1), X),
    row("chunk", lambda x: (x.chunk(2, -1), x.chunk(1, 1)), X),
    row("chunk_half", lambda x: torch.cat([-x.chunk(2, -1)[1], x.chunk(2, -1)[0]], -1), X),
    row("tensor_split", lambda x: x.tensor_split((1, 3), 1), X),
    row("unbind", lambda x: (x.unbind(0), x.unbind(-1)[2]), X),
    row("unbind_rank1", lambda x: x.unbind(), t(3)),
    row("slices", lambda x: (x[1:], x[:-1], x[::2], x[:, 1:4:2], x[..., -3:-1], x[10:], x[3:1], x[-100:2]), X),
    row("slices_mixed", lambda x: (x[0], x[-1], x[:, 0], x[..., 0], x[1, ..., 2], x[0, 1, 2], x[None, 0, :, None]), X),
    row("slice_by_size", lambda x, y: x[:, : y.shape[0]], t(2, 6), t(4)),
    row("slice_size_half", lambda x: (x[: x.shape[0] // 2], x[x.shape[0] // 2 :]), X),
    row("select", lambda x: (x.select(0, 1), x.select(-1, -2)), X),
    row("narrow", lambda x: (x.narrow(1, 1, 2), x.narrow(-1, -3, 2), x.narrow_copy(0, 0, 3)), X),
    row("narrow_tensor", lambda x: torch.narrow(x, 0, 1, x.shape[0] - 1), X),
    row("diagonal", lambda x: (x.diagonal(), x.diagonal(1), x.diagonal(-1, 1, 2), x.diagonal(2, -1, 0), x.diagonal(9)), X),
    row("diag", lambda x: (torch.diag(x), torch.diag(x, 1), torch.diag(x, -2)), t(4)),
    row("diag_matrix", lambda x: (torch.diag(x), torch.diag(x, 1), torch.diag(x, -2)), t(4, 5)),
    row("diag_embed", lambda x: (torch.diag_embed(x), torch.diag_embed(x, 1), torch.diag_embed(x, -1, 0, 2)), t(2, 3)),
    row("diagflat", lambda x: torch.diagflat(x, 1), t(2, 2)),
    row("tril_triu", lambda x: (x.tril(), x.triu(), x.tril(1), x.triu(-1), x.tril(-9), x.triu(9)), X),
    row("tril_int", lambda x: (x.tril(1), x.triu(1)), ints(4, 4)),
    row("triu_bool", lambda x: (x.tril(1), x.triu(1)), bools(4, 4)),
    row("tril_indices", lambda: (torch.tril_indices(3, 4, 1), torch.triu_indices(4, 3, -1))),
    row("flip", lambda x: (x.flip(0), x.flip(0, 2), x.flip(-1), x.fliplr(), x.flipud(), x.flip(())), X),
    row("roll", lambda x: (x.roll(1), x.roll(-2, 0), x.roll((1, 7), (0, 2)), x.roll(0, 1), x.roll((1, 2), (1, 1))), X),
    row("rot90", lambda x: (x.rot90(), x.rot90(2), x.rot90(-1, (1, 2)), x.rot90(3, (2, 0))), X),
    row("meshgrid", lambda x, y: (torch.meshgrid(x, y, indexing="ij"), torch.meshgrid(x, y, indexing="xy")), t(3), t(4)),
    row("meshgrid_scalar", lambda x, y: torch.meshgrid(x, y, indexing="ij"), t(3), torch.tensor(1.0)),
    row("cartesian", lambda x, y: torch.cartesian_prod(x, y), t(3), t(4)),
    row("combinations", lambda x: torch.combinations(x, 2), t(4)),
    row("block_diag", lambda x, y: torch.block_diag(x, y), t(2, 3), t(3)),
    row("atleast", lambda x: (torch.atleast_1d(x), torch.atleast_2d(x), torch.atleast_3d(x)), t(3)),
    row("atleast_scalar", lambda x: (torch.atleast_1d(x), torch.atleast_2d(x), torch.atleast_3d(x)), torch.tensor(1.0)),
    row("unfold", lambda x: (x.unfold(0, 2, 1), x.unfold(-1, 3, 2), x.unfold(1, 5, 1)), X),
    row("as_strided", lambda x: (x.as_strided((2, 3), (3, 1)), x.as_strided((3, 3), (1, 2), 2), x.as_strided((2, 2), (0, 1))), t(4, 5)),
    row("as_strided_windows", lambda x: x.as_strided((4, 3), (1, 1)), t(6)),
    row("pixel", lambda x: (F.pixel_shuffle(x, 2), F.channel_shuffle(x, 4)), t(2, 8, 3, 5)),
    row("pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 2), t(2, 3, 4, 6)),
    row("pixel_shuffle_rank5", lambda x: F.pixel_shuffle(x, 2), t(2, 2, 4, 3, 5)),
    row("col2im", lambda x: F.fold(F.unfold(x, 2, stride=2), (4, 6), 2, stride=2), t(2, 3, 4, 6)),
    row("unfold_args", lambda x: F.unfold(x, (2, 3), dilation=(2, 1), padding=(1, 2), stride=(1, 2)), t(2, 3, 6, 7)),
    row("fold_args", lambda x: F.fold(x, (5, 6), (2, 3), padding=1, stride=2), t(2, 18, 9)),
    row("pad_constant", lambda x: (F.pad(x, (1, 2)), F.pad(x, (1, 2, 0, 3), value=2.5), F.pad(x, (0, 0, 1, 1, 2, 0)), F.pad(x, (-1, 1)), F.pad(x, (-1, -2, 1, -1))), X),
    row("pad_int_bool", lambda x, m: (F.pad(x, (1, 2), value=3), F.pad(m, (1, 1), value=True)), ints(3, 4), bools(3, 4)),
    row("pad_reflect", lambda x: (F.pad(x, (1, 2), "reflect"), F.pad(x[0], (2, 1), "reflect")), t(2, 3, 5)),
    row("pad_reflect_2d", lambda x: F.pad(x, (1, 2, 3, 0), "reflect"), t(2, 3, 5, 6)),
    row("pad_reflect_3d", lambda x: F.pad(x, (1, 2, 3, 0, 1, 1), "reflect"), t(1, 2, 3, 5, 6)),
    row("pad_replicate", lambda x: (F.pad(x, (1, 2), "replicate"), F.pad(x, (7, 0), "replicate")), t(2, 3, 5)),
    row("pad_replicate_2d", lambda x: F.pad(x, (1, 2, 3, 0), "replicate"), t(2, 3, 5, 6)),
    row("pad_replicate_3d", lambda x: F.pad(x, (1, 2, 3, 0, 1, 1), "replicate"), t(1, 2, 3, 5, 6)),
    row("pad_replicate_negative", lambda x: F.pad(x, (-1, 2, 1, -2), "replicate"), t(2, 3, 5, 6)),
    row("pad_circular", lambda x: F.pad(x, (1, 2), "circular"), t(2, 3, 5)),
    row("pad_circular_2d", lambda x: F.pad(x, (1, 2, 3, 0), "circular"), t(2, 3, 5, 6)),
    row("pad_circular_negative", lambda x: F.pad(x, (-1, 2, 3, -1), "circular"), t(2, 3, 5, 6)),
    row("pad_half", lambda x: F.pad(x, (1, 1), "reflect"), t(2, 3, 5, dtype=F16)),
    row("zeros_like", lambda x: (torch.zeros_like(x), torch.ones_like(x, dtype=I64), torch.full_like(x, 3), torch.empty_like(x).fill_(2)), t(3, 4)),
    row("new", lambda x: (x.new_zeros(2, 3), x.new_ones(x.shape[0]), x.new_full((2,), 3.5), x.new_tensor([1, 2]), x.new_empty(2).zero_()), t(3, 4)),
    row("new_types", lambda x: (x.new_zeros(2, dtype=torch.bool), x.new_full((2,), 3, dtype=F64), x.new_ones(())), ints(3)),
    row("creation", lambda: (torch.zeros(2, 3), torch.ones(2, dtype=I64), torch.full((2,), 3), torch.full((2,), True), torch.full((), 2.5), torch.tensor([1, 2]), torch.scalar_tensor(3))),
    row("empty_sizes", lambda: (torch.zeros(0), torch.ones(2, 0), torch.arange(0), torch.eye(0))),
    row("arange", lambda: (torch.arange(5), torch.arange(1, 6, 2), torch.arange(5.0), torch.arange(1, 2, 0.25), torch.arange(5, 0, -2), torch.arange(3, dtype=F16), torch.arange(0.5, 3))),
    row("arange_size", lambda x: (torch.arange(x.shape[0]), torch.arange(1, x.shape[0], 2), torch.arange(x.shape[0], dtype=torch.float32), torch.arange(x.shape[0] - 1, -1, -1)), t(5, 3)),
    row("linspace", lambda: (torch.linspace(0, 1, 5), torch.linspace(3, -2, 4), torch.linspace(1, 5, 1), torch.linspace(0, 10, 5, dtype=I64), torch.logspace(0, 2, 3), torch.linspace(0, 1, 0))),
    row("linspace_size", lambda x: torch.linspace(-1, 1, x.shape[0]), t(5)),
    row("eye", lambda: (torch.eye(3), torch.eye(2, 4), torch.eye(3, dtype=torch.bool))),
    row("eye_size", lambda x: x @ torch.eye(x.shape[1]), t(3, 4)),
    row("windows", lambda: (torch.hann_window(8), torch.hamming_window(5, False), torch.blackman_window(6), torch.bartlett_window(6), torch.kaiser_window(5))),
    row("complex", lambda x, y: torch.view_as_real(torch.complex(x, y)), t(3), t(3)),
    row("one_hot", lambda i: F.one_hot(i, 5), places(3, 4, below=5)),
    row("one_hot_found", lambda i: F.one_hot(i), torch.tensor([0, 2, 1])),
    row("vander", lambda x: (torch.vander(x), torch.vander(x, 3, increasing=True)), t(4)),
    row("triu_mask", causal_mask, t(2, 4, 3)),
    row("positions", positions, t(2, 4)),
    row("heads", heads, t(2, 3, 8)),
    row("patches", patches, t(2, 3, 4, 6)),
    row("set_slice", set_slice, t(4, 6), t(2, 3)),
    row("set_slice_broadcast", set_slice, t(4, 6), t(3)),
    row("set_slice_scalar", lambda x: set_slice(x, 2), t(4, 6)),
    row("set_slice_int", lambda x: set_slice(x, 2.7), ints(4, 6)),
    row("set_mask", set_mask, t(4, 6), bools(4, 6)),
    row("set_mask_rows", set_mask, t(4, 6), bools(4)),
    row("set_index", set_index, t(4, 6), torch.tensor([0, -1]), t(2, 6)),
    row("set_index_scalar", lambda x, i: set_index(x, i, 3.0), t(4, 6), torch.tensor([0, 2])),
    row("add_index", add_index, t(4, 6), torch.tensor([0, 2]), t(4, 2)),
    row("set_negative", set_negative, t(4, 5)),
    row("set_tensor_position", lambda x, i: set_index(x, i, 1.0), t(4, 5), torch.tensor(2)),
    row("through_view", through_view, t(3, 4)),
    row("through_view_3d", through_view, X),
    row("diagonal_write", diagonal_write, t(4, 5)),
    row("narrow_write", narrow_write, t(3, 6)),
    row("unbind_write", unbind_write, t(3, 6)),
    row("split_write", split_write, t(4, 6)),
    row("input_write", input_write, t(3, 4)),
    row("input_view_write", input_view_write, t(3, 4)),
    row("input_strided_write", lambda x: x.t().mul_(2).sum(), t(3, 4)),
    row("fill_diagonal", lambda x: assign(x, lambda y: y.fill_diagonal_(3)), t(5, 3)),
    row("fill_tensor", lambda x, v: assign(x, lambda y: y.fill_(v)), t(3, 4), torch.tensor(2)),
    row("copy_cast", lambda x, y: assign(x, lambda z: z.copy_(y)), ints(3, 4), t(4)),
    row("slice_scatter", lambda x, s: torch.slice_scatter(x, s, 1, 1, 5, 2), t(4, 6), t(4, 2)),
    row("slice_scatter_negative", lambda x, s: torch.slice_scatter(x, s, -1, -2), t(4, 6), t(4, 2)),
    row("select_scatter", lambda x, s: torch.select_scatter(x, s, 0, -1), t(4, 6), t(6)),
    row("diagonal_scatter", lambda x, s: torch.diagonal_scatter(x, s, 1), t(4, 6), t(4)),
    row("strided_input", lambda x: (x + 1, x.sum(1), x.contiguous().view(-1)), t(4, 6)[:, ::2]),
    row("transposed_input", lambda x: (x @ x.t(), x.reshape(-1)), t(4, 6).t()),
    row("expanded_input", lambda x: x * 2, t(1, 6).expand(4, 6)),
    row("channels_last", lambda x: x.contiguous(memory_format=torch.channels_last) * 2, t(2, 3, 4, 5)),
    row("clone_format", lambda x: x.clone(memory_format=torch.contiguous_format), t(3, 4)),
    row("alias_chain", lambda x: x.view(-1).unsqueeze(0).expand(2, -1).reshape(2, 3, 4).transpose(1, 2), t(3, 4)),
    row("zero_dim_ops", lambda x: (x + 1, x.reshape(1), x.expand(3), x.sum(), x.unsqueeze(0), x.max(), x.clone()), torch.tensor(2.0)),
    row("equal_size_branch", lambda x: x * 2 if x.shape[0] == 3 else x, t(3, 4)),
    row("numel_view", lambda x: x.reshape(x.numel()), X),
    row("size_product", lambda x: x.reshape(x.size(0) * x.size(1), x.size(2)), X),
    row("sym_arithmetic", lambda x: torch.zeros(x.shape[0] * 2 + 1, max(x.shape[1], 3)), t(4, 5)),
    row("constant_pad_size", lambda x: F.pad(x, (0, x.shape[0])), t(4, 5)),
    row("tensor_list_sum", lambda xs: sum(xs), [t(3), t(3), t(3)]),
    row("moveaxis_flatten", lambda x: x.moveaxis(1, -1).flatten(0, 1), X),
    row("unsafe_split", lambda x: torch.unsafe_split(x, 2, 1), X),
    row("view_copy", lambda x: (torch.view_copy(x, (2, 6)), torch.permute_copy(x, (1, 0)), torch.unsqueeze_copy(x, 0)), t(3, 4)),
    row("real_imag_write", lambda x: torch.view_as_complex(x).abs(), t(3, 2)),
    row("swap_halves", lambda x: torch.cat((x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), -1), t(3, 6)),
    row("broadcast_in_view", lambda x, y: x[:, None, :] + y[None, :, :], t(3, 4), t(2, 4)),
    row("hsplit", lambda x: (torch.hsplit(x, 2), torch.vsplit(x, 2), torch.dsplit(x, [1, 2])), t(4, 6, 4)),
    row("sum_to_size", lambda x: x.sum_to_size(1, 5, 1), X),
    row("item_slice", lambda x, n: x[: n.item()], t(6), torch.tensor(3)),
]
