"""Products with constant matrices of any width, padded to whole panels."""

import ferrule
import pytest
import torch

WIDTHS = [16, 17, 23, 24, 31, 33, 40, 50, 100, 127, 129, 1001]


@pytest.mark.parametrize("rows", [0, 1, 5, 64, "dynamic"])
@pytest.mark.parametrize("cpu", ["host", "x86-64-v3"])
def test_widths(rows, cpu):
    """With and without a bias, and with what follows in a network."""

    class Layers(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.plain = torch.nn.ModuleList(
                torch.nn.Linear(37, width, bias=False) for width in WIDTHS
            )
            self.gelu = torch.nn.ModuleList(
                torch.nn.Linear(37, width) for width in WIDTHS
            )

        def forward(self, x):
            plain = [layer(x) for layer in self.plain]
            gelu = [torch.nn.functional.gelu(layer(x)) for layer in self.gelu]
            return (*plain, *gelu)

    torch.manual_seed(0)
    layers = Layers().eval()
    example = torch.randn(7 if rows == "dynamic" else rows, 37)
    dynamic = {"x": {0: "rows"}} if rows == "dynamic" else None
    program = ferrule.compile(
        layers, (example,), dynamic_shapes=dynamic, target_cpu=cpu
    )
    for count in (0, 2, 7, 130) if rows == "dynamic" else (rows,):
        x = torch.randn(count, 37)
        with torch.no_grad():
            expected = layers.double()(x.double())
        layers.float()
        for result, value in zip(program(x), expected, strict=True):
            torch.testing.assert_close(
                result, value.float(), rtol=1e-5, atol=2e-6, msg=lambda m: m
            )
