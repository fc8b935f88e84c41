"""PyTorch programs imported, lowered to StableHLO and run by XLA, against eager
PyTorch: what the front half does is right whatever the back half does."""

import model_zoo
import numpy as np
import pytest
import torch
import xla_oracle
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.utils import _pytree as pytree

import ferrule.torch as ferrule_torch

pytest.importorskip("jaxlib")

TO_STABLEHLO = "convert-torch-to-stablehlo,canonicalize,cse"


def run_with_xla(f, args, kwargs=None):
    with torch.no_grad():
        imported = ferrule_torch.export_and_import(
            f, *args, kwargs=kwargs, output_type="raw"
        )
    imported.module.run_pipeline(TO_STABLEHLO)
    text = imported.module.text(elide=False)
    convention = imported.convention
    flat = convention.flatten(args, kwargs or {})
    flat += [imported.states[name] for name, _, _ in convention.states]
    results = xla_oracle.run(text, [np.asarray(value) for value in flat])
    return convention.unflatten([torch.from_numpy(result) for result in results])


def check(f, *args, kwargs=None, atol=1e-5, rtol=1e-5):
    with torch.no_grad():
        expected = f(*args, **(kwargs or {}))
    actual = run_with_xla(f, args, kwargs)
    leaves = pytree.tree_leaves(expected)
    got = pytree.tree_leaves(actual)
    assert len(leaves) == len(got)
    for want, have in zip(leaves, got, strict=True):
        if isinstance(want, torch.Tensor):
            torch.testing.assert_close(have, want, atol=atol, rtol=rtol)
        else:
            assert have == want


@pytest.mark.parametrize(
    "name", [name for name in model_zoo.MODELS if not name.endswith("0_batch")]
)
def test_models(name):
    model, args, kwargs, _ = model_zoo.make(name)
    check(model, *args, kwargs=kwargs, atol=2e-5, rtol=1e-4)


def test_padding_mask_of_minilm():
    model, (ids, _), _, _ = model_zoo.make("minilm")
    mask = torch.ones_like(ids)
    mask[0, 5:] = 0
    check(model, ids, mask, atol=2e-5, rtol=1e-4)


def test_branch():
    def f(x):
        return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a * 2, (x,))

    check(f, torch.ones(3))
    check(f, -torch.ones(3))


def test_loop():
    def f(x):
        return while_loop(
            lambda i, a: i < 3,
            lambda i, a: (i + 1, a * x),
            (torch.tensor(0), x + 1),
        )

    check(f, torch.rand(3))


def test_scan():
    def f(x):
        return scan(lambda c, v: (c + v, c * v), x[0], x)

    check(f, torch.rand(5, 2))


def test_lists_and_nested_results():
    def f(x):
        first, second = x.split([2, 3])
        return {"parts": [first * 2, second], "top": x.topk(2), "none": None}

    check(f, torch.rand(5, 4))


def test_scalars_take_part_by_category_only():
    def f(x, n, b):
        return (
            torch.maximum(x, torch.tensor(0.5)),
            torch.atan2(x, torch.ones_like(x) * 2),
            torch.where(x > 0.5, 1.0, x),
            n * 2.5,
            n / 2,
            b + 1,
            2**n,
            torch.rsub(n, 3),
        )

    check(
        f,
        torch.rand(3, dtype=torch.float16),
        torch.arange(3, dtype=torch.int32),
        torch.tensor([True, False]),
    )


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count += 1
        return x + self.count


def test_state_is_an_argument_and_a_result():
    assert run_with_xla(Counter(), (torch.zeros(2),)).tolist() == [1.0, 1.0]
