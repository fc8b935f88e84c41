"""A value of which one reader needs a part, while others need all of it."""

import pytest
import torch

import ferrule

READERS = {
    "even columns": lambda y: torch.sigmoid(y[..., ::2]),
    "odd columns": lambda y: torch.sigmoid(y[..., 1::2]),
    "first columns": lambda y: torch.sigmoid(y[..., :5]),
    "last columns": lambda y: torch.sigmoid(y[..., 3:]),
    "one column": lambda y: torch.sigmoid(y[..., 2]),
    "both halves": lambda y: torch.sigmoid(y[..., ::2]) * y[..., 1::2],
    "every third row": lambda y: torch.sigmoid(y[:, ::3]),
    "some rows": lambda y: torch.sigmoid(y[:, 1:4]),
    "diagonal": lambda y: torch.sigmoid(y.diagonal(dim1=-2, dim2=-1)),
    "part of a sum": lambda y: torch.sigmoid(y[..., ::2]).sum(-1),
    "windows": lambda y: torch.nn.functional.max_pool1d(y, 2, stride=3),
    "through another": lambda y: torch.exp(torch.tanh(y))[..., ::2].sin(),
}


def both(module, x):
    y = torch.tanh(x) + 1
    return y, module(y), y.sum(-1)


CASES = [(name, False) for name in READERS] + [
    ("both halves", True),
    ("through another", True),
]


@pytest.mark.parametrize("name, dynamic", CASES)
def test_value_read_in_part_is_whole(name, dynamic):
    def function(x):
        return both(READERS[name], x)

    x = torch.randn(6, 9, 16, generator=torch.Generator().manual_seed(0))
    shapes = ({0: "batch"},) if dynamic else None
    program = ferrule.compile(function, (x,), dynamic_shapes=shapes)
    for actual, expected in zip(program(x), function(x), strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-5, atol=1e-6)
