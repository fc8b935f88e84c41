"""The kernels that kernels.py measures: shapes of the models in workloads.py,
and random ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Case:
    """`inputs()` gives the tensors that `module()` is called with; `dynamic`
    is torch.export's description of the sizes that may change."""

    name: str
    module: Callable[[], nn.Module]
    inputs: Callable[[], list[torch.Tensor]]
    dynamic: object = None
    # Operations that PyTorch's counter does not see.
    flops: float = 0


class Apply(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def tensors(*shapes) -> Callable[[], list[torch.Tensor]]:
    return lambda: [torch.randn(shape) for shape in shapes]


def linear(m: int, k: int, n: int, after=None, dynamic: bool = False) -> Case:
    layers = [nn.Linear(k, n)] if after is None else [nn.Linear(k, n), after()]
    suffix = "" if after is None else f" + {after.__name__}"
    return Case(
        f"gemm {m}x{k}x{n}{suffix}{' dynamic' if dynamic else ''}",
        lambda: nn.Sequential(*layers),
        tensors((m, k)),
        ({0: torch.export.Dim("rows", max=4096)},) if dynamic else None,
    )


def convolution(
    channels: int,
    size: int,
    filters: int,
    kernel: int,
    stride: int = 1,
    groups: int = 1,
    dilation: int = 1,
    batch: int = 1,
    after=None,
) -> Case:
    name = f"conv{kernel}x{kernel} {batch}x{channels}x{size}x{size} -> {filters}"
    name += f" /{stride}" if stride > 1 else ""
    name += f" groups {groups}" if groups > 1 else ""
    name += f" dilation {dilation}" if dilation > 1 else ""
    name += f" + {after.__name__}" if after else ""

    def module():
        layer = nn.Conv2d(
            channels,
            filters,
            kernel,
            stride=stride,
            padding=dilation * (kernel // 2),
            groups=groups,
            dilation=dilation,
        )
        return nn.Sequential(layer, after()) if after else layer

    return Case(name, module, tensors((batch, channels, size, size)))


def pointwise(name: str, function, *shapes) -> Case:
    return Case(name, lambda: Apply(function), tensors(*shapes))


def attention(heads: int, queries: int, keys: int, width: int, causal=False) -> Case:
    function = lambda q, k, v: nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal
    )
    q, kv = (1, heads, queries, width), (1, heads, keys, width)
    name = f"attention {heads}x{queries}x{keys}x{width}{' causal' if causal else ''}"
    flops = 4 * heads * queries * keys * width / (2 if causal else 1)
    return Case(name, lambda: Apply(function), tensors(q, kv, kv), None, flops)


CASES = [
    # MiniLM, BERT-base, ViT-B/16 and GPT-2.
    linear(128, 384, 384),
    linear(128, 384, 1536, nn.GELU),
    linear(128, 1536, 384),
    linear(128, 768, 768),
    linear(128, 768, 3072, nn.GELU),
    linear(128, 3072, 768),
    linear(197, 768, 3072, nn.GELU),
    linear(197, 3072, 768),
    linear(128, 768, 2304),
    linear(128, 768, 50257),
    linear(128, 768, 768, dynamic=True),
    # One token.
    linear(1, 768, 768),
    linear(1, 768, 3072),
    linear(1, 3072, 768),
    linear(1, 768, 50257),
    # ResNet.
    convolution(3, 224, 64, 7, stride=2, after=nn.ReLU),
    convolution(64, 56, 64, 1),
    convolution(64, 56, 64, 3, after=nn.ReLU),
    convolution(64, 56, 256, 1),
    convolution(256, 56, 64, 1),
    convolution(128, 56, 128, 3, stride=2),
    convolution(128, 28, 128, 3, after=nn.ReLU),
    convolution(512, 28, 128, 1),
    convolution(256, 14, 256, 3, after=nn.ReLU),
    convolution(1024, 14, 256, 1),
    convolution(512, 7, 512, 3),
    convolution(2048, 7, 512, 1),
    # MobileNetV2.
    convolution(3, 224, 32, 3, stride=2, after=nn.ReLU6),
    convolution(32, 112, 32, 3, groups=32, after=nn.ReLU6),
    convolution(96, 112, 96, 3, stride=2, groups=96, after=nn.ReLU6),
    convolution(144, 56, 144, 3, groups=144, after=nn.ReLU6),
    convolution(384, 14, 384, 3, groups=384, after=nn.ReLU6),
    convolution(960, 7, 960, 3, groups=960, after=nn.ReLU6),
    convolution(16, 112, 96, 1, after=nn.ReLU6),
    convolution(96, 14, 576, 1, after=nn.ReLU6),
    convolution(960, 7, 320, 1),
    # Rows.
    pointwise("softmax 1536x128", lambda x: torch.softmax(x, -1), (1536, 128)),
    pointwise("softmax 2364x197", lambda x: torch.softmax(x, -1), (2364, 197)),
    Case("layer norm 128x768", lambda: nn.LayerNorm(768), tensors((128, 768))),
    Case("layer norm 128x384", lambda: nn.LayerNorm(384), tensors((128, 384))),
    Case("RMS norm 128x768", lambda: nn.RMSNorm(768), tensors((128, 768))),
    attention(12, 128, 128, 32),
    attention(12, 128, 128, 64),
    attention(12, 197, 197, 64),
    attention(12, 128, 128, 64, causal=True),
    attention(12, 1, 129, 64),
    Case(
        "max pool 1x64x112x112",
        lambda: nn.MaxPool2d(3, 2, 1),
        tensors((1, 64, 112, 112)),
    ),
    # Packing is a transposition between blocks.
    pointwise(
        "pack 1x64x56x56 by 16",
        lambda x: x.reshape(1, 4, 16, 56, 56).permute(0, 1, 3, 4, 2).contiguous(),
        (1, 64, 56, 56),
    ),
    pointwise(
        "unpack 1x4x56x56x16",
        lambda x: x.permute(0, 1, 4, 2, 3).reshape(1, 64, 56, 56),
        (1, 4, 56, 56, 16),
    ),
    pointwise("transpose 1024x1024", lambda x: x.t().contiguous(), (1024, 1024)),
]


def random_cases(count: int, seed: int) -> list[Case]:
    """Odd sizes, sizes of one, tall and flat, groups, dilations, dynamic."""
    generator = random.Random(seed)
    pick = generator.choice
    odd = lambda most: pick([1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 33, 64, 100, 127, most])

    def random_convolution():
        kind = pick(["plain", "grouped", "depthwise"])
        groups = {"plain": 1, "grouped": pick([2, 4]), "depthwise": odd(192)}[kind]
        each = 1 if kind == "depthwise" else odd(128)
        filters = 1 if kind == "depthwise" else odd(130)
        kernel = pick([1, 3, 3, 5, 7])
        return convolution(
            each * groups,
            pick([7, 9, 14, 15, 28, 33, 56]),
            filters * groups,
            kernel,
            stride=pick([1, 1, 2, 3]),
            groups=groups,
            dilation=pick([1, 1, 2]) if kernel > 1 else 1,
            batch=pick([1, 1, 3]),
            after=pick([None, nn.ReLU, nn.SiLU]),
        )

    def rows(name, function):
        shape = (odd(999), odd(1001))
        return pointwise(f"{name} {shape[0]}x{shape[1]}", function, shape)

    makers = [
        lambda: linear(
            max(2, odd(512)),
            odd(1000),
            odd(1001),
            pick([None, nn.GELU]),
            pick([False, True]),
        ),
        random_convolution,
        random_convolution,
        lambda: rows("softmax", lambda x: torch.softmax(x, -1)),
        lambda: rows("softmax of columns", lambda x: torch.softmax(x, 0)),
        lambda: rows("sum of rows", lambda x: x.sum(1)),
        lambda: rows("sum of columns", lambda x: x.sum(0)),
        lambda: rows("largest of all", lambda x: x.amax()),
        lambda: rows("transpose", lambda x: x.t().contiguous()),
        lambda: rows("add row", lambda x: torch.relu(x + x[:1])),
        lambda: rows("cumulative sum", lambda x: x.cumsum(1)),
        lambda: attention(pick([1, 3, 12]), odd(200), odd(333), pick([8, 24, 64])),
    ]
    return [pick(makers)() for _ in range(count)]
