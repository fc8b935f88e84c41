"""flex_attention with functions of a pair and masks of blocks."""

import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

import ferrule
from ferrule.torch import ImportFailure


@pytest.fixture(autouse=True)
def fresh():
    """flex_attention traces itself; traces of fixed sizes would be found again."""
    torch._dynamo.reset()


def capped(score, b, h, i, j):
    return torch.where(i >= j, torch.tanh(score / 5) * 5, -float("inf"))


def alibi(score, b, h, i, j):
    return score - 2.0 ** (-h) * (i - j)


def tensors(heads=2, queries=16):
    generator = torch.Generator().manual_seed(0)
    shapes = [(2, heads, queries, 8), (2, 2, 16, 8), (2, 2, 16, 8)]
    return [torch.randn(shape, generator=generator) for shape in shapes]


def with_table(q, k, v, table):
    return flex_attention(q, k, v, score_mod=lambda s, b, h, i, j: s + table[h, i, j])


def blocks(window):
    def seen(b, h, i, j):
        return (i >= j) & (i - j < window)

    return create_block_mask(seen, None, None, 16, 16, device="cpu")


MASK = blocks(3)
CALLS = {
    "plain": lambda q, k, v: flex_attention(q, k, v, scale=0.5),
    "capped": lambda q, k, v: flex_attention(q, k, v, score_mod=capped),
    "alibi": lambda q, k, v: flex_attention(q, k, v, score_mod=alibi),
    "window": lambda q, k, v: flex_attention(q, k, v, block_mask=MASK),
    "both": lambda q, k, v: flex_attention(q, k, v, score_mod=alibi, block_mask=MASK),
}


def check(f, args, **options):
    with torch.no_grad():
        expected = f(*args)
    actual = ferrule.compile(f, args, **options)(*args)
    torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", CALLS)
def test_values(name):
    check(CALLS[name], tensors())


def test_grouped_heads_and_sums():
    def f(q, k, v):
        return flex_attention(q, k, v, enable_gqa=True, return_lse=True)

    check(f, tensors(heads=4, queries=5))


def test_captured_table():
    check(with_table, [*tensors(), torch.randn(2, 16, 16)])


def test_dynamic_batch():
    shapes = ({0: "batch"},) * 3
    program = ferrule.compile(CALLS["alibi"], tensors(), dynamic_shapes=shapes)
    inputs = [t.repeat(2, 1, 1, 1) for t in tensors()]
    torch.testing.assert_close(
        program(*inputs), CALLS["alibi"](*inputs), rtol=1e-4, atol=1e-5
    )


def test_function_that_is_not_of_single_elements():
    def f(q, k, v):
        def bad(score, b, h, i, j):
            return score + torch.stack([score, score]).sum()

        return flex_attention(q, k, v, score_mod=bad)

    with pytest.raises(ImportFailure, match="flex_attention: aten.stack.default"):
        ferrule.compile(f, tensors())
