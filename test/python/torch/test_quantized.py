"""Quantised graphs: PT2E's quantise and dequantise, weights of few bits."""

import pytest
import torch
import torch.ao.quantization.fx._decomposed  # Registers quantized_decomposed.
import torch.nn.functional as F

import ferrule

quantized = torch.ops.quantized_decomposed


def check(module, *inputs, tolerance=2e-5, dynamic_shapes=None, others=()):
    module = module.eval()
    program = ferrule.compile(module, inputs, dynamic_shapes=dynamic_shapes)
    for arguments in (inputs, *others):
        with torch.no_grad():
            expected = module(*arguments)
        result = program(*arguments)
        assert result.dtype == expected.dtype and result.shape == expected.shape
        largest = expected.abs().max()
        assert (result - expected).abs().max() <= tolerance * largest


def rounded(x, scale, kind=torch.int8):
    """A tensor quantised by one scale and brought back, as PT2E writes it."""
    limits = torch.iinfo(kind)
    arguments = (scale, 3, limits.min, limits.max, kind)
    q = quantized.quantize_per_tensor.default(x, *arguments)
    return quantized.dequantize_per_tensor.default(q, *arguments)


class Network(torch.nn.Module):
    """A convolution and a layer with int8 weights, activations in between."""

    def __init__(self, kind):
        super().__init__()
        generator = torch.Generator().manual_seed(0)
        self.kind = kind
        for name, shape in (("kernel", (24, 3, 3, 3)), ("dense", (10, 24))):
            weight = torch.randn(shape, generator=generator)
            scales = weight.flatten(1).abs().amax(1) / 127
            zeros = torch.zeros(shape[0], dtype=torch.int64)
            self.register_buffer(f"{name}_scales", scales)
            self.register_buffer(f"{name}_zeros", zeros)
            value = quantized.quantize_per_channel.default(
                weight, scales, zeros, 0, -127, 127, torch.int8
            )
            self.register_buffer(name, value)

    def weight(self, name):
        return quantized.dequantize_per_channel.default(
            getattr(self, name),
            getattr(self, f"{name}_scales"),
            getattr(self, f"{name}_zeros"),
            0,
            -127,
            127,
            torch.int8,
        )

    def forward(self, x):
        x = rounded(x, 0.05, self.kind)
        x = F.conv2d(x, self.weight("kernel"), stride=2, padding=1).relu()
        x = rounded(x, 0.11, self.kind)
        x = rounded(x.mean((2, 3)), 0.02, self.kind)
        return F.linear(x, self.weight("dense"))


@pytest.mark.parametrize("kind", [torch.int8, torch.uint8])
def test_static_quantisation(kind):
    # A value at the border of two steps may round to either.
    pictures = [torch.randn(n, 3, 16, 16) for n in (2, 5)]
    check(
        Network(kind),
        pictures[0],
        tolerance=0.02,
        dynamic_shapes=({0: "batch"},),
        others=[(pictures[1],)],
    )


class Grouped(torch.nn.Module):
    """A linear layer of 4-bit weights, two in a byte, scaled in groups."""

    def __init__(self, rows, columns, group):
        super().__init__()
        generator = torch.Generator().manual_seed(1)
        packed = torch.randint(0, 256, (rows, columns // 2), generator=generator)
        self.register_buffer("packed", packed.to(torch.uint8))
        groups = (rows, columns // group, 1)
        self.register_buffer("scales", torch.rand(groups, generator=generator))
        self.register_buffer("zeros", torch.randint(0, 16, groups).float())
        self.group = group

    def forward(self, x):
        halves = torch.stack([self.packed & 15, self.packed >> 4], -1)
        rows = self.packed.shape[0]
        weight = halves.reshape(rows, -1, self.group).float()
        weight = (weight - self.zeros) * self.scales
        return F.linear(x, weight.reshape(rows, -1))


def test_weights_of_four_bits():
    shapes = ({0: "batch"},)
    check(
        Grouped(48, 128, 32),
        torch.randn(3, 128),
        dynamic_shapes=shapes,
        others=[(torch.randn(1, 128),)],
    )


@pytest.mark.parametrize("kind", [torch.int8, torch.float16, torch.bfloat16])
def test_weights_stored_in_fewer_bits(kind):
    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            weight = torch.randn(40, 64, generator=torch.Generator().manual_seed(2))
            factor = 40 if kind == torch.int8 else 1
            self.register_buffer("weight", (weight * factor).to(kind))
            self.register_buffer("scale", torch.rand(40, 1) / factor)

        def forward(self, x):
            return F.linear(x, self.weight.to(x.dtype) * self.scale)

    check(Layer(), torch.randn(5, 64))


def test_weight_only_operator():
    """PyTorch's own product with int8 weights."""
    weight = torch.randint(-127, 128, (32, 64), dtype=torch.int8)
    scales = torch.rand(32)

    class Layer(torch.nn.Module):
        def forward(self, x):
            return torch.ops.aten._weight_int8pack_mm(x, weight, scales)

    check(Layer(), torch.randn(8, 64), tolerance=1e-4)


def test_dynamic_quantisation():
    """Scales found at run time, one for each token."""

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(64, 32)

        def forward(self, x):
            scales, zeros = quantized.choose_qparams_per_token_asymmetric(x, torch.int8)
            q = quantized.quantize_per_token(x, scales, zeros, -128, 127, torch.int8)
            x = quantized.dequantize_per_token(
                q, scales, zeros, -128, 127, torch.int8, torch.float32
            )
            return self.linear(x)

    check(Layer(), torch.randn(4, 64), tolerance=0.02)


FAKE_QUANTIZE = {
    "tensor": lambda x, s, z: torch.fake_quantize_per_tensor_affine(x, 0.1, 2, -8, 7),
    "tensors": lambda x, s, z: torch.fake_quantize_per_tensor_affine(
        x, s[0], z[0], -8, 7
    ),
    "channels": lambda x, s, z: torch.fake_quantize_per_channel_affine(
        x, s, z, 1, -8, 7
    ),
    "float_zeros": lambda x, s, z: torch.fake_quantize_per_channel_affine(
        x, s, z + 0.25, 1, -8, 7
    ),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("kind", FAKE_QUANTIZE)
def test_fake_quantize(kind, dtype):
    """As training inserts it; PyTorch exports it with known sizes only."""
    function = FAKE_QUANTIZE[kind]
    generator = torch.Generator().manual_seed(0)
    scales = torch.rand(5, generator=generator) * 0.2 + 0.05
    zeros = torch.randint(-2, 3, (5,), generator=generator, dtype=torch.int32)
    for rows in (7, 0):
        x = (torch.randn(rows, 5, 2, generator=generator) * 3).to(dtype)
        program = ferrule.compile(function, (x, scales, zeros))
        expected, result = function(x, scales, zeros), program(x, scales, zeros)
        assert result.dtype == expected.dtype
        torch.testing.assert_close(result, expected)
