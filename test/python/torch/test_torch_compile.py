"""torch.compile(backend="ferrule") does what eager PyTorch does."""

import copy
import os
import subprocess
import sys
import threading

import pytest
import torch
from compile_backend import X, check, compiled, same
from ferrule.torch import backend, parts


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    parts.warned.clear()
    torch.manual_seed(0)


def add_in_place(x):
    x.add_(1)
    return x * 2


def set_columns(x):
    x[:, 1:3] = 7
    return x.sum(0)


CALLS = {
    "transposed": (lambda x: x.t() @ x, lambda: X.t()),
    "steps": (lambda x: x + 1, lambda: X[:, ::2]),
    "expanded": (lambda x: x * 2, lambda: torch.ones(4, 1).expand(4, 5)),
    "offset": (lambda x: x * 2, lambda: X[2:, 3:]),
    "conjugated": (
        lambda x: (x * 2, x.conj()),
        lambda: torch.complex(X, -X).conj(),
    ),
    "in place": (add_in_place, lambda: X.clone()),
    "in place transposed": (lambda x: x.mul_(2).sum(), lambda: X.clone().t()),
    "in place in part": (set_columns, lambda: X.clone()),
    "input as output": (lambda x: (x, x + 1, x), lambda: X),
    "views of an input": (lambda x: (x.view(-1), x.t(), x[1:]), lambda: X),
    "views of a result": (
        lambda x: ((x + 1).t(), (x * 2).view(2, -1), (x - 1)[1:]),
        lambda: X,
    ),
    "containers": (
        lambda x: {"a": (x + 1, None, 3), "b": [x.sin(), {"c": x.cos()}]},
        lambda: X,
    ),
    "bool": (lambda x: ((x > 0) & (x < 1), x.bool()), lambda: X),
    "integers": (
        lambda x: (x // 2, x % 3, x.sum(), -7 // x),
        lambda: torch.tensor([-5, -1, 1, 3, 4]),
    ),
    "bytes": (lambda x: x + 200, lambda: torch.arange(10, dtype=torch.uint8)),
    "half": (lambda x: x.softmax(-1), lambda: X.half()),
    "bfloat16": (lambda x: x.softmax(-1), lambda: X.bfloat16()),
    "double": (lambda x: x.softmax(-1), lambda: X.double()),
    "empty": (lambda x: (x.sin(), x.sum()), lambda: torch.zeros(0, 3)),
    "scalar": (lambda x: x.sin(), lambda: torch.tensor(0.5)),
    "other bits": (lambda x: x.view(torch.int32) + 1, lambda: X),
    "data-dependent size": (lambda x: x[x > 0], lambda: X),
    "channels last": (
        torch.nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last),
        lambda: torch.ones(2, 3, 8, 8).to(memory_format=torch.channels_last),
    ),
}
DATA_DEPENDENT = {"data-dependent size"}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    function, argument = CALLS[name]
    with torch.no_grad():
        check(function, argument(), fullgraph=name not in DATA_DEPENDENT)


def test_numbers_and_keywords():
    def f(x, k, *, y=None, scale=1.0):
        return (x * k if y is None else x + y) * scale, k + 1

    g = compiled(f)
    for args, kwargs in (
        ((X, 2), {}),
        ((X, 3), {"scale": 0.5}),
        ((X, 0.25), {"y": X, "scale": 2}),
    ):
        same(g(*args, **kwargs), f(*args, **kwargs))


def test_arguments_that_share_memory():
    def f(a, b):
        a.add_(1)
        return a * b

    g = compiled(f)
    for pick in (lambda z: (z, z), lambda z: (z[1:], z[:-1]), lambda z: (z[:3], z[3:])):
        ours, theirs = torch.arange(6.0), torch.arange(6.0)
        same(g(*pick(ours)), f(*pick(theirs)))
        same(ours, theirs)


def test_a_result_that_is_an_input_shares_its_memory():
    x = X.clone()
    y, z = compiled(lambda x: (x.mul_(2), x.t()))(x)
    assert y.data_ptr() == x.data_ptr() == z.data_ptr()


def test_buffers_are_updated():
    module = torch.nn.Sequential(torch.nn.BatchNorm1d(6), torch.nn.Linear(6, 2))
    other = copy.deepcopy(module)
    g = compiled(module)
    for step in range(3):
        x = torch.randn(5, 6)
        same(g(x), other(x))
    same(module.state_dict(), other.state_dict())
    assert module[0].num_batches_tracked == 3


def test_tied_weights():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = torch.nn.Embedding(10, 4)
            self.head = torch.nn.Linear(4, 10, bias=False)
            self.head.weight = self.embed.weight

        def forward(self, i):
            return self.head(self.embed(i))

    module, i = Tied(), torch.tensor([1, 2, 2])
    module(i).square().sum().backward()
    expected = module.embed.weight.grad.clone()
    module.zero_grad()
    compiled(module)(i).square().sum().backward()
    same(module.embed.weight.grad, expected)
    # A change of the weight is seen by the next call.
    with torch.no_grad():
        module.embed.weight.mul_(2)
    same(compiled(module)(i), module(i))


def test_gradients_of_inputs_and_twice_used_graphs():
    x = torch.randn(4, 6, requires_grad=True)

    def f(x):
        return torch.tanh(x @ x.t()).sum(), x.sin()

    grads = []
    for g in (f, compiled(f)):
        total, other = g(x)
        grads.append(torch.autograd.grad(total + other.sum(), x))
    same(grads[1], grads[0])


@pytest.mark.parametrize("kind", ["plain", "causal", "mask", "shared", "grouped"])
def test_gradients_of_attention(kind):
    """Where eager PyTorch has an operator of its own for the gradient."""
    options = {
        "causal": {"is_causal": True},
        "mask": {"attn_mask": torch.ones(5, 5).tril().bool()},
        "shared": {"attn_mask": torch.randn(1, 1, 5, 5), "scale": 0.3},
        "grouped": {"enable_gqa": True},
    }.get(kind, {})
    heads = 2 if kind == "grouped" else 4
    shapes = [(2, 4, 5, 8), (2, heads, 5, 8), (2, heads, 5, 8)]

    def f(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, **options)

    tensors = [torch.randn(shape, requires_grad=True) for shape in shapes]
    grads = [
        torch.autograd.grad(g(*tensors).square().sum(), tensors)
        for g in (f, compiled(f))
    ]
    torch.testing.assert_close(grads[1], grads[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "context",
    [
        torch.no_grad,
        torch.inference_mode,
        torch.enable_grad,
        lambda: torch.autocast("cpu", torch.bfloat16),
    ],
    ids=["no_grad", "inference_mode", "enable_grad", "autocast"],
)
def test_contexts(context):
    weight = torch.nn.Parameter(torch.randn(6, 3))

    def f(x):
        return (x @ weight).relu()

    with context():
        expected, actual = f(X), compiled(f)(X)
    assert actual.dtype == expected.dtype
    assert actual.requires_grad == expected.requires_grad
    torch.testing.assert_close(actual, expected, rtol=1e-2, atol=1e-2)


class Count:
    """Counts the graphs that come to the backend."""

    def __init__(self):
        self.graphs = 0

    def __call__(self, graph_module, inputs):
        self.graphs += 1
        return backend.backend(graph_module, inputs)


def test_another_size_becomes_dynamic():
    count = Count()
    f = lambda x: (x @ x.t()).softmax(-1)  # noqa: E731
    g = torch.compile(f, backend=count)
    for rows in (4, 5, 9, 2, 17):
        x = torch.randn(rows, 6)
        same(g(x), f(x))
    # The first size, then any size.
    assert count.graphs == 2


@pytest.mark.parametrize("how", ["dynamic", "mark_dynamic"])
def test_dynamic_from_the_start(how):
    count = Count()
    f = lambda x: x.reshape(-1, 2).cumsum(0) * x.shape[0]  # noqa: E731
    g = torch.compile(f, backend=count, dynamic=how == "dynamic" or None)
    for rows in (4, 6, 10):
        x = torch.randn(rows, 6)
        if how == "mark_dynamic":
            torch._dynamo.mark_dynamic(x, 0)
        same(g(x), f(x))
    assert count.graphs == 1


def test_guards():
    count = Count()

    def f(x, mode):
        return x.sin() if mode == "sin" else x.cos()

    g = torch.compile(f, backend=count)
    for mode in ("sin", "cos", "sin"):
        same(g(X, mode), f(X, mode))
    same(g(X.double(), "sin"), f(X.double(), "sin"))
    assert count.graphs == 3


def test_graph_break():
    def f(x):
        y = x.sin()
        torch._dynamo.graph_break()
        z = y.t() + 1
        if z.sum() > 0:
            return z.view(-1)
        return z * 2

    count = Count()
    g = torch.compile(f, backend=count)
    # A result of the first graph lies in memory as eager's: only so can the second
    # take a view of it.
    for x in (X.t().contiguous().t(), -X.t().contiguous().t() - 5):
        same(g(x), f(x))
    assert count.graphs >= 2


def test_many_threads():
    f = lambda x: (x @ x.t()).softmax(-1)  # noqa: E731
    g = compiled(f)
    g(X)
    wrong = []

    def call(seed):
        for step in range(20):
            x = torch.randn(4, 6, generator=torch.Generator().manual_seed(seed + step))
            if not torch.allclose(g(x), f(x), atol=1e-5):
                wrong.append(seed)

    threads = [threading.Thread(target=call, args=(100 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_options():
    f = lambda x: x.sin()  # noqa: E731
    same(compiled(f, options={"opt_level": 0, "threads": 1})(X), f(X))
    torch._dynamo.reset()
    with pytest.raises(Exception, match="expected target, .* but found 'speed'"):
        compiled(f, options={"speed": 3})(X)


PROGRAM = """
import torch
f = torch.compile(lambda x: (x @ x.t()).softmax(-1).sin(), backend="ferrule")
print(float(f(torch.ones(4, 6)).sum()))
"""


def test_machine_code_is_kept_for_other_processes(tmp_path):
    def run():
        return subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "FERRULE_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def files():
        return {
            path: path.stat().st_mtime_ns
            for path in tmp_path.rglob("*")
            if path.is_file()
        }

    first = run()
    kept = files()
    assert kept
    assert run() == first
    assert files().keys() == kept.keys()
