"""Convolution, pooling and resampling, against PyTorch."""

import pytest
import torch
import torch.nn.functional as F
from op_rows import row, run_row, t

IMAGE = t(2, 4, 9, 8)
OPEN = {0: "n"}

CONVOLUTIONS = [
    row("conv2d", lambda x, w, b: F.conv2d(x, w, b), IMAGE, t(6, 4, 3, 3), t(6)),
    row("conv2d_stride", lambda x, w: F.conv2d(x, w, stride=2, padding=(1, 2)), IMAGE, t(6, 4, 3, 3)),
    row("conv2d_dilated", lambda x, w: F.conv2d(x, w, dilation=2), IMAGE, t(6, 4, 3, 3)),
    row("conv2d_groups", lambda x, w: F.conv2d(x, w, groups=2), IMAGE, t(6, 2, 3, 3)),
    row("conv2d_depthwise", lambda x, w: F.conv2d(x, w, padding=1, groups=4), IMAGE, t(8, 1, 3, 3)),
    row("conv2d_open", lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), IMAGE, t(6, 4, 3, 3), t(6), dynamic=(OPEN, None, None), others=[(t(5, 4, 9, 8), t(6, 4, 3, 3), t(6))]),
    row("conv2d_open_image", lambda x, w: F.conv2d(x, w, stride=2, padding=1), IMAGE, t(6, 4, 3, 3), dynamic=({2: "h", 3: "w"}, None), others=[(t(2, 4, 12, 7), t(6, 4, 3, 3))]),
    row("conv2d_same", lambda x, w: F.conv2d(x, w, padding="same"), IMAGE, t(6, 4, 3, 2)),
    row("conv2d_single", lambda x, w: F.conv2d(x, w), t(4, 6, 6), t(6, 4, 3, 3)),
    row("conv1d", lambda x, w: F.conv1d(x, w, padding=1), t(2, 4, 9), t(6, 4, 3)),
    row("conv1d_groups", lambda x, w: F.conv1d(x, w, padding=2, groups=2), t(2, 4, 9), t(4, 2, 4)),
    row("conv3d", lambda x, w: F.conv3d(x, w, stride=(1, 2, 1)), t(1, 2, 5, 6, 7), t(3, 2, 2, 3, 2)),
    row("transposed", lambda x, w, b: F.conv_transpose2d(x, w, b), IMAGE, t(4, 6, 3, 3), t(6)),
    row("transposed_stride", lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1), IMAGE, t(4, 6, 3, 3)),
    row("transposed_groups", lambda x, w: F.conv_transpose2d(x, w, stride=(2, 3), groups=2, dilation=2), IMAGE, t(4, 3, 3, 2)),
    row("transposed_1d", lambda x, w: F.conv_transpose1d(x, w, stride=4, padding=2), t(2, 4, 5), t(4, 3, 8)),
]

# Parts of the results of convolutions with many channels, which the compiler
# computes in blocks of 16: of 40, the last block is not full.
CUTS = {
    "front": lambda y: y[..., :7],
    "back": lambda y: y[..., 3:],
    "step": lambda y: y[..., ::2],
    "channels": lambda y: y[:, :36],
    "channels_and_front": lambda y: y[:, 2:36, :7],
    "twice": lambda y: y[:, :36, :9][:, ::2, 1:5],
    "batch": lambda y: y[:1],
    "row": lambda y: y[0],
}
SIGNAL = t(2, 40, 9)
SLICED = [
    row(f"{name}_{cut}", lambda x, w, g=groups, f=f: F.silu(f(F.conv1d(x, w, padding=3, groups=g))), SIGNAL, t(40, 40 // groups, 4), dynamic=dynamic, others=others, tolerance=1e-4)
    for name, groups, dynamic, others in [("full", 1, None, []), ("depthwise_open", 40, (OPEN, None), [(t(3, 40, 9), t(40, 1, 4))])]
    for cut, f in CUTS.items()
]

POOLS = [
    row("max_pool", lambda x: F.max_pool2d(x, 2), IMAGE),
    row("max_pool_pad", lambda x: F.max_pool2d(x, 3, 2, 1), IMAGE, dynamic=(OPEN,), others=[(t(5, 4, 9, 8),)]),
    row("max_pool_ceil", lambda x: F.max_pool2d(x, 2, 2, ceil_mode=True), IMAGE),
    row("max_pool_dilated", lambda x: F.max_pool2d(x, 3, 1, dilation=2), IMAGE),
    row("max_pool_indices", lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), IMAGE),
    row("max_pool1d", lambda x: F.max_pool1d(x, 3), t(2, 4, 9)),
    row("max_pool3d", lambda x: F.max_pool3d(x, 2), t(1, 2, 4, 6, 4)),
    row("avg_pool", lambda x: F.avg_pool2d(x, 2), IMAGE),
    row("avg_pool_pad", lambda x: F.avg_pool2d(x, 3, 2, 1), IMAGE),
    row("avg_pool_uncounted", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), IMAGE),
    row("avg_pool_ceil", lambda x: F.avg_pool2d(x, 2, 2, ceil_mode=True), IMAGE),
    row("avg_pool_ceil_pad", lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), IMAGE),
    row("avg_pool_divisor", lambda x: F.avg_pool2d(x, 2, divisor_override=3), IMAGE),
    row("adaptive_global", lambda x: F.adaptive_avg_pool2d(x, 1), IMAGE, dynamic=({2: "h", 3: "w"},), others=[(t(2, 4, 5, 6),)]),
    row("adaptive_even", lambda x: F.adaptive_avg_pool2d(x, (3, 4)), IMAGE),
    row("adaptive_uneven", lambda x: F.adaptive_avg_pool2d(x, (4, 3)), IMAGE),
    row("adaptive_max", lambda x: F.adaptive_max_pool2d(x, (4, 3), return_indices=True), IMAGE),
    row("lp_pool", lambda x: F.lp_pool2d(x, 2, 2), IMAGE.abs()),
]

WINDOWS = [
    row("unfold", lambda x: F.unfold(x, (2, 3), dilation=(1, 2), padding=1, stride=2), IMAGE),
    row("fold", lambda x: F.fold(x, (5, 6), (2, 3), padding=1, stride=2), t(2, 24, 9)),
    row("embedding_bag", lambda i, w, o: F.embedding_bag(i, w, o), torch.tensor([1, 2, 4, 5, 4, 3]), t(7, 3), torch.tensor([0, 2, 2])),
    row("embedding_bag_max", lambda i, w, o: F.embedding_bag(i, w, o, mode="max"), torch.tensor([1, 2, 4, 5, 4, 3]), t(7, 3), torch.tensor([0, 2, 2])),
    row("pdist", F.pdist, t(4, 3)),
]

RESIZES = [
    row("nearest", lambda x: F.interpolate(x, scale_factor=2), IMAGE),
    row("nearest_size", lambda x: F.interpolate(x, size=(5, 13)), IMAGE),
    row("nearest_exact", lambda x: F.interpolate(x, size=(5, 13), mode="nearest-exact"), IMAGE),
    row("nearest_open", lambda x: F.interpolate(x, scale_factor=2), IMAGE, dynamic=({2: "h", 3: "w"},), others=[(t(2, 4, 3, 5),)]),
    row("bilinear", lambda x: F.interpolate(x, size=(13, 5), mode="bilinear"), IMAGE),
    row("bilinear_corners", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True), IMAGE),
    row("bilinear_open", lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear"), IMAGE, dynamic=({2: "h", 3: "w"},), others=[(t(2, 4, 3, 5),)]),
    row("bilinear_antialias", lambda x: F.interpolate(x, size=(4, 3), mode="bilinear", antialias=True), IMAGE),
    row("bicubic", lambda x: F.interpolate(x, size=(13, 5), mode="bicubic"), IMAGE),
    row("linear1d", lambda x: F.interpolate(x, size=5, mode="linear"), t(2, 3, 8)),
    row("trilinear", lambda x: F.interpolate(x, size=(3, 5, 4), mode="trilinear"), t(1, 2, 4, 4, 4)),
    *(
        row(f"grid_sample_{m}_{p}_{a}", lambda x, g, m=m, p=p, a=a: F.grid_sample(x, g, m, p, a), t(2, 3, 5, 6), t(2, 4, 3, 2, low=-1.4, high=1.4), tolerance=1e-4)
        for m in ("bilinear", "nearest")
        for p in ("zeros", "border", "reflection")
        for a in (False, True)
    ),
]


@pytest.mark.parametrize("case", CONVOLUTIONS + SLICED)
def test_convolution(case):
    run_row(case)


@pytest.mark.parametrize("case", POOLS)
def test_pool(case):
    run_row(case)


@pytest.mark.parametrize("case", RESIZES)
def test_resize(case):
    run_row(case)


@pytest.mark.parametrize("case", WINDOWS)
def test_window(case):
    run_row(case)
