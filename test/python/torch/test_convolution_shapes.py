"""Convolutions over random shapes against PyTorch in double precision.

Sizes are odd, one, or fill no block; every way to compute a convolution is hit:
direct, depthwise, grouped, by Winograd's algorithm in bands and in two halves.
"""

import os

import ferrule
import numpy as np
import pytest
import torch

COUNT = 200 if os.environ.get("FERRULE_FULL") == "1" else 24
# Images that Winograd's algorithm takes: bands of rows, two halves, several
# images, channels that fill no block, wide and narrow images, a lone channel.
WINOGRAD = [
    (1, 64, 64, 56, 56),
    (1, 128, 128, 28, 28),
    (1, 128, 96, 14, 14),
    (2, 64, 64, 16, 24),
    (3, 33, 70, 18, 12),
    (1, 64, 80, 6, 90),
    (1, 64, 48, 90, 2),
    (1, 16, 16, 64, 64),
    (1, 256, 32, 10, 10),
]


class Net(torch.nn.Module):
    """A convolution with what follows it in real networks, between weights that
    leave room for larger ones."""

    def __init__(self, conv, residual):
        super().__init__()
        self.conv, self.residual = conv, residual
        self.room = torch.nn.Linear(512, 1024)

    def forward(self, x, row):
        y = self.conv(x)
        if self.residual:
            y = torch.relu(y + 0.5 * y.mean(dim=(2, 3), keepdim=True))
        return y, self.room(row)


def check(conv, x, residual, cpu):
    torch.manual_seed(0)
    net = Net(conv, residual).eval()
    row = torch.randn(1, 512)
    with torch.no_grad():
        want, _ = net.double()(x.double(), row.double())
        net.float()
        exe = ferrule.compile(net, (x, row), target_cpu=cpu)
        got, _ = exe(x, row)
    assert got.shape == want.shape
    if want.numel():
        scale = want.abs().max().item()
        worst = (got.double() - want).abs().max().item()
        assert worst <= 4e-6 * max(scale, 1.0)


def random_case(seed):
    rng = np.random.default_rng(seed)
    pick = lambda *values: int(rng.choice(values))
    kind = pick(0, 1, 2)
    kernel = (pick(1, 2, 3, 5, 7), pick(1, 3, 3, 4))
    groups = 1
    inner, outer = pick(1, 3, 8, 16, 31, 48), pick(1, 5, 16, 24, 64)
    if kind == 1:
        groups = inner
        outer = inner * pick(1, 1, 2)
    elif kind == 2:
        groups = 2
        inner, outer = 2 * pick(1, 8, 17), 2 * pick(3, 16)
    dilation, stride = pick(1, 1, 2), pick(1, 1, 2, 3)
    padding = (pick(0, 1, kernel[0] // 2), pick(0, 1, kernel[1] // 2))
    size = [
        max(pick(1, 2, 7, 13, 16, 33), dilation * (k - 1) + 1 - 2 * p)
        for k, p in zip(kernel, padding, strict=True)
    ]
    torch.manual_seed(seed)
    conv = torch.nn.Conv2d(
        inner,
        outer,
        kernel,
        stride,
        padding,
        dilation,
        groups,
        bias=bool(pick(0, 1)),
    )
    return conv, torch.randn(pick(1, 1, 2), inner, *size), bool(pick(0, 1))


@pytest.mark.parametrize("seed", range(COUNT))
def test_random_convolution(seed):
    check(*random_case(seed), "host" if seed % 2 else "x86-64-v3")


@pytest.mark.parametrize("cpu", ["host", "x86-64-v3"])
@pytest.mark.parametrize("shape", WINOGRAD, ids="x".join("%d" for _ in range(5)).__mod__)
def test_winograd_convolution(shape, cpu):
    batch, inner, outer, height, width = shape
    torch.manual_seed(1)
    conv = torch.nn.Conv2d(inner, outer, 3, padding=1, bias=height != width)
    check(conv, torch.randn(batch, inner, height, width), height == width, cpu)
