"""Convolution, pooling, resampling, sampling, normalisation."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from rows import layer, row, t

C1, C2, C3 = t(2, 4, 9), t(2, 4, 7, 8), t(1, 4, 5, 6, 5)


def convolutions():
    cases = [
        ("plain", {}),
        ("stride", dict(stride=2)),
        ("padding", dict(padding=2)),
        ("dilation", dict(dilation=2, padding=1)),
        ("groups", dict(groups=2)),
        ("depthwise", dict(groups=4, padding=1)),
        ("nobias", dict(bias=False, stride=2, padding=1)),
        ("same", dict(padding="same")),
        ("reflect", dict(padding=1, padding_mode="reflect")),
        ("circular", dict(padding=1, padding_mode="circular")),
        ("replicate", dict(padding=1, padding_mode="replicate")),
    ]
    for name, options in cases:
        for kind, make, x in (
            ("1d", nn.Conv1d, C1),
            ("2d", nn.Conv2d, C2),
            ("3d", nn.Conv3d, C3),
        ):
            yield layer(f"conv{kind}_{name}", lambda m=make, o=options: m(4, 8, 3, **o), x, tolerance=1e-4)
    transposed = [
        ("plain", {}),
        ("stride", dict(stride=2)),
        ("output_padding", dict(stride=2, padding=1, output_padding=1)),
        ("dilation", dict(dilation=2)),
        ("groups", dict(groups=2, stride=2, padding=1)),
        ("depthwise", dict(groups=4, stride=3)),
        ("nobias", dict(bias=False, padding=1)),
    ]
    for name, options in transposed:
        for kind, make, x in (
            ("1d", nn.ConvTranspose1d, C1),
            ("2d", nn.ConvTranspose2d, C2),
            ("3d", nn.ConvTranspose3d, C3),
        ):
            yield layer(f"conv_transpose{kind}_{name}", lambda m=make, o=options: m(4, 8, 3, **o), x, tolerance=1e-4)
    yield layer("conv2d_rectangle", lambda: nn.Conv2d(4, 6, (1, 3), (2, 1), (0, 2), (1, 2)), C2)
    yield layer("conv2d_even", lambda: nn.Conv2d(4, 6, 2, padding="same"), C2)
    yield layer("conv2d_valid", lambda: nn.Conv2d(4, 6, 2, padding="valid"), C2)
    yield layer("conv2d_unbatched", lambda: nn.Conv2d(4, 6, 3), C2[0])
    yield layer("conv1d_unbatched", lambda: nn.Conv1d(4, 6, 3), C1[0])
    yield layer("conv_transpose1d_unbatched", lambda: nn.ConvTranspose1d(4, 6, 3), C1[0])
    yield layer("conv2d_pointwise", lambda: nn.Conv2d(4, 6, 1), C2)
    yield layer("conv2d_multiplier", lambda: nn.Conv2d(4, 12, 3, groups=4), C2)
    yield layer("conv2d_whole", lambda: nn.Conv2d(4, 6, (7, 8)), C2)
    yield row("conv2d_weights_given", lambda x, w, b: F.conv2d(x, w, b, 1, 1), C2, t(6, 4, 3, 3), t(6))
    yield row("conv1d_weights_given", lambda x, w: F.conv1d(x, w, padding=1), C1, t(6, 4, 3))
    yield row("conv_transpose2d_given", lambda x, w: F.conv_transpose2d(x, w, stride=2), C2, t(4, 3, 2, 2))
    yield row("conv2d_half", lambda x, w: F.conv2d(x, w), C2.half(), t(6, 4, 3, 3).half())
    yield row("conv2d_bf16", lambda x, w: F.conv2d(x, w), C2.bfloat16(), t(6, 4, 3, 3).bfloat16())
    yield row("conv2d_double", lambda x, w: F.conv2d(x, w), C2.double(), t(6, 4, 3, 3).double())
    yield row("conv_tbc", lambda x, w, b: torch.conv_tbc(x, w, b, 1), t(5, 2, 3), t(3, 3, 4), t(4))
    yield row("convolution_full", lambda x, w: torch.ops.aten.convolution(x, w, None, [2, 1], [1, 1], [1, 1], True, [1, 0], 2), C2, t(4, 3, 3, 3))


def poolings():
    cases = [
        ("plain", dict(kernel_size=2)),
        ("stride", dict(kernel_size=3, stride=1)),
        ("padding", dict(kernel_size=3, stride=2, padding=1)),
        ("ceil", dict(kernel_size=3, stride=2, padding=1, ceil_mode=True)),
        ("ceil_no_padding", dict(kernel_size=2, stride=2, ceil_mode=True)),
    ]
    for n, x in ((1, C1), (2, C2), (3, C3)):
        avg, most = getattr(F, f"avg_pool{n}d"), getattr(F, f"max_pool{n}d")
        for name, options in cases:
            yield row(f"avg_pool{n}d_{name}", lambda x, f=avg, o=options: f(x, **o), x)
            yield row(f"avg_pool{n}d_{name}_inner", lambda x, f=avg, o=options: f(x, count_include_pad=False, **o), x)
            yield row(f"max_pool{n}d_{name}", lambda x, f=most, o=options: f(x, **o), x)
            yield row(f"max_pool{n}d_{name}_indices", lambda x, f=most, o=options: f(x, return_indices=True, **o), x)
        yield row(f"max_pool{n}d_dilation", lambda x, f=most: f(x, 2, dilation=2, return_indices=True), x)
        yield row(f"max_pool{n}d_unbatched", lambda x, f=most: f(x, 2), x[0])
        yield row(f"lp_pool{n}d", lambda x, f=getattr(F, f"lp_pool{n}d"): f(x, 2, 2), x)
        for size in (1, 2, 3):
            adaptive = getattr(F, f"adaptive_avg_pool{n}d")
            yield row(f"adaptive_avg_pool{n}d_{size}", lambda x, f=adaptive, s=size: f(x, s), x)
            adaptive = getattr(F, f"adaptive_max_pool{n}d")
            yield row(f"adaptive_max_pool{n}d_{size}", lambda x, f=adaptive, s=size: f(x, s, return_indices=True), x)
        unpool = getattr(F, f"max_unpool{n}d")
        yield row(f"max_unpool{n}d", lambda x, f=most, u=unpool: u(*f(x, 2, 2, return_indices=True), 2, 2, output_size=x.shape), x)
    yield row("avg_pool2d_divisor", lambda x: F.avg_pool2d(x, 2, divisor_override=3), C2)
    yield row("avg_pool3d_divisor", lambda x: F.avg_pool3d(x, 2, divisor_override=3), C3)
    yield row("avg_pool2d_rectangle", lambda x: F.avg_pool2d(x, (2, 3), (1, 2), (1, 0)), C2)
    yield row("adaptive_avg_pool2d_none", lambda x: F.adaptive_avg_pool2d(x, (None, 2)), C2)
    yield row("adaptive_avg_pool2d_larger", lambda x: F.adaptive_avg_pool2d(x, (9, 5)), C2)
    yield row("max_pool2d_half", lambda x: F.max_pool2d(x, 2, return_indices=True), C2.half())
    yield row("max_pool2d_nan", lambda x: F.max_pool2d(x, 2), torch.where(C2 > 1.5, torch.nan, C2))
    yield row("max_pool2d_negative", lambda x: F.max_pool2d(x, 3, 2, 1), -C2.abs() - 1)
    yield row("max_pool2d_int", lambda x: F.max_pool2d(x, 2), t(1, 2, 4, 4, dtype=torch.int64))


def resamplings():
    for mode, xs in (
        ("nearest", (C1, C2, C3)),
        ("nearest-exact", (C1, C2, C3)),
        ("linear", (C1,)),
        ("bilinear", (C2,)),
        ("bicubic", (C2,)),
        ("trilinear", (C3,)),
        ("area", (C1, C2, C3)),
    ):
        for x in xs:
            dims = x.dim() - 2
            corners = (None,) if mode in ("nearest", "nearest-exact", "area") else (False, True)
            for align in corners:
                name = f"{mode}_{dims}d_{align}"
                yield row(f"{name}_size", lambda x, m=mode, a=align, d=dims: F.interpolate(x, [11, 5, 7][:d], mode=m, align_corners=a), x, tolerance=1e-4)
                yield row(f"{name}_scale", lambda x, m=mode, a=align: F.interpolate(x, scale_factor=2, mode=m, align_corners=a), x, tolerance=1e-4)
                yield row(f"{name}_fraction", lambda x, m=mode, a=align: F.interpolate(x, scale_factor=1.7, mode=m, align_corners=a), x, tolerance=1e-4)
                yield row(f"{name}_down", lambda x, m=mode, a=align: F.interpolate(x, scale_factor=0.6, mode=m, align_corners=a), x, tolerance=1e-4)
                if mode != "area":
                    yield row(f"{name}_recompute", lambda x, m=mode, a=align: F.interpolate(x, scale_factor=1.7, mode=m, align_corners=a, recompute_scale_factor=True), x, tolerance=1e-4)
    for mode in ("bilinear", "bicubic"):
        for align in (False, True):
            yield row(f"{mode}_antialias_{align}", lambda x, m=mode, a=align: F.interpolate(x, (4, 11), mode=m, antialias=True, align_corners=a), C2, tolerance=1e-4)
            yield row(f"{mode}_one_{align}", lambda x, m=mode, a=align: F.interpolate(x, (1, 1), mode=m, align_corners=a), C2, tolerance=1e-4)
    yield row("nearest_half", lambda x: F.interpolate(x, scale_factor=2), C2.half())
    yield row("bilinear_half", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), C2.half())
    yield row("bilinear_bf16", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), C2.bfloat16())
    yield row("interpolate_like", lambda x, y: F.interpolate(x, y.shape[2:], mode="bilinear"), C2, t(1, 1, 5, 12))
    yield row("nearest_uint8", lambda x: F.interpolate(x, scale_factor=2), t(1, 2, 3, 4, dtype=torch.uint8))
    grid2, grid3 = t(2, 5, 6, 2), t(1, 3, 4, 5, 3)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            for align in (False, True):
                yield row(f"grid_sample_{mode}_{padding}_{align}", lambda x, g, m=mode, p=padding, a=align: F.grid_sample(x, g, m, p, a), C2, grid2, tolerance=2e-4)
                if mode != "bicubic":
                    yield row(f"grid_sample3d_{mode}_{padding}_{align}", lambda x, g, m=mode, p=padding, a=align: F.grid_sample(x, g, m, p, a), C3, grid3, tolerance=2e-4)
    yield row("affine_grid", lambda a: F.affine_grid(a, (2, 3, 4, 5), align_corners=False), t(2, 2, 3))
    yield row("affine_grid_align", lambda a: F.affine_grid(a, (2, 3, 4, 5), align_corners=True), t(2, 2, 3))
    yield row("affine_grid_3d", lambda a: F.affine_grid(a, (1, 3, 2, 4, 5), align_corners=False), t(1, 3, 4))
    yield row("affine_sample", lambda x, a: F.grid_sample(x, F.affine_grid(a, x.shape, align_corners=False), align_corners=False), C2, t(2, 2, 3), tolerance=2e-4)


def norms():
    for train in (False, True):
        for n, x in ((1, C1), (2, C2), (3, C3)):
            batch = getattr(nn, f"BatchNorm{n}d")
            yield layer(f"batch_norm{n}d_{train}", lambda m=batch: m(4), x, train=train)
            yield layer(f"batch_norm{n}d_plain_{train}", lambda m=batch: m(4, affine=False, momentum=None), x, train=train)
            yield layer(f"batch_norm{n}d_untracked_{train}", lambda m=batch: m(4, track_running_stats=False), x, train=train)
            instance = getattr(nn, f"InstanceNorm{n}d")
            yield layer(f"instance_norm{n}d_{train}", lambda m=instance: m(4), x, train=train)
            yield layer(f"instance_norm{n}d_affine_{train}", lambda m=instance: m(4, affine=True, track_running_stats=True), x, train=train)
        yield layer(f"batch_norm_rank2_{train}", lambda: nn.BatchNorm1d(4), t(3, 4), train=train)
    for groups in (1, 2, 4):
        yield layer(f"group_norm_{groups}", lambda g=groups: nn.GroupNorm(g, 4), C2)
    yield layer("group_norm_plain", lambda: nn.GroupNorm(2, 4, affine=False, eps=1e-3), C1)
    yield layer("layer_norm", lambda: nn.LayerNorm(8), C2)
    yield layer("layer_norm_two", lambda: nn.LayerNorm([7, 8], eps=1e-3), C2)
    yield layer("layer_norm_plain", lambda: nn.LayerNorm(8, elementwise_affine=False), C2)
    yield layer("layer_norm_nobias", lambda: nn.LayerNorm(8, bias=False), C2)
    yield row("layer_norm_half", lambda x, w: F.layer_norm(x, (8,), w), C2.half(), t(8).half())
    yield layer("rms_norm", lambda: nn.RMSNorm(8), C2)
    yield row("rms_norm_plain", lambda x: F.rms_norm(x, (7, 8), eps=1e-5), C2)
    yield row("rms_norm_half", lambda x, w: F.rms_norm(x, (8,), w), C2.half(), t(8).half())
    yield row("rms_norm_manual", lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w, C2, t(8))
    yield layer("local_response", lambda: nn.LocalResponseNorm(3, 0.1), C2)
    yield layer("cross_map", lambda: nn.CrossMapLRN2d(3), C2)
    yield row("native_layer_norm", lambda x, w, b: torch.native_layer_norm(x, [8], w, b, 1e-5), C2, t(8), t(8))
    yield row("native_group_norm", lambda x, w, b: torch.native_group_norm(x, w, b, 2, 4, 56, 2, 1e-5), C2, t(4), t(4))
    yield row("native_batch_norm", lambda x, w, b, m, v: torch.native_batch_norm(x, w, b, m, v, False, 0.1, 1e-5), C2, t(4), t(4), t(4), t(4, low=0.5, high=1))
    yield row("batch_norm_train", lambda x, m, v: F.batch_norm(x, m, v, training=True), C2, t(4), t(4, low=0.5, high=1))
    yield row("weight_norm", lambda x, v, g: F.linear(x, torch._weight_norm(v, g, 0)), t(2, 4), t(3, 4), t(3, 1))
    yield layer("weight_norm_layer", lambda: nn.utils.parametrizations.weight_norm(nn.Linear(4, 3)), t(2, 4))
    yield layer("spectral_norm_layer", lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3)), t(2, 4))


ROWS = [*convolutions(), *poolings(), *resamplings(), *norms()]
