"""What torch.compile(backend="ferrule") leaves to eager PyTorch: operators that the
compiler lacks, and drawing random numbers."""

import warnings

import pytest
import torch
from compile_backend import X, check, compiled, same
from ferrule.torch import backend, parts


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    parts.warned.clear()
    torch.manual_seed(0)


@torch.library.custom_op("ferrule_test::half_sine", mutates_args=())
def half_sine(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(x.numpy() * 0.5).sin()


half_sine.register_fake(lambda x: torch.empty_like(x))

LACKED = {
    "aten.linalg_eig": lambda x: torch.linalg.eigvals(x[:4, :4]).abs().sum() + x,
    "ferrule_test.half_sine": lambda x: half_sine(x * 2) + half_sine(x).exp(),
}


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", LACKED)
def test_operator_that_is_lacking_runs_eagerly(name, dynamic):
    f = LACKED[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(f, X, dynamic=dynamic)
        check(f, torch.randn(7, 5), dynamic=dynamic)
    named = [str(w.message) for w in caught if "ferrule" in str(w.message)]
    assert len(named) == 1
    assert name in named[0] and "eagerly" in named[0]


def test_the_rest_is_compiled(monkeypatch):
    loaded = []
    load = backend.load

    def watch(graph_module, *args, **kwargs):
        loaded.append(sum(n.op == "call_function" for n in graph_module.graph.nodes))
        return load(graph_module, *args, **kwargs)

    monkeypatch.setattr(backend, "load", watch)
    with pytest.warns(RuntimeWarning, match="half_sine"):
        check(lambda x: half_sine(x.sin() * 2).cos().tanh(), X)
    # The whole, then what stands before and after the operator.
    assert loaded == [5, 2, 2]


def test_gradients_around_a_lacking_operator():
    matrix = torch.randn(3, 3)

    def f(x):
        values = torch.linalg.eigvals(x @ x.t() + matrix)
        return (values.abs() * x[:, 0].exp()).sum()

    grads = []
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "ferrule cannot compile a graph")
        for g in (f, compiled(f)):
            x = torch.linspace(-1, 1, 12).reshape(3, 4).requires_grad_()
            g(x).backward()
            grads.append(x.grad)
    same(grads[1], grads[0])


RANDOM = {
    "dropout": lambda x: torch.nn.functional.dropout(x * 2, 0.25) + 1,
    "rand": lambda x: torch.rand(x.shape[0] * 2 + 1, 3) + x.sum(),
    "like": lambda x: torch.rand_like(x.sin()) + torch.randn_like(x[1:]).sum(),
    "integers": lambda x: torch.randint(0, 100, (5,)) + x[0, 0],
    "permutation": lambda x: x[torch.randperm(x.shape[0])],
    "in place": lambda x: (x * 2).uniform_(1, 3) + torch.empty(3).normal_().sum(),
    "order": lambda x: torch.rand(3).sum() - torch.rand(3).exp().sum() + x,
}


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers_are_eager_ones(name, dynamic):
    f = RANDOM[name]
    g = compiled(f, dynamic=dynamic)
    results = []
    for h in (f, g):
        torch.manual_seed(3)
        results.append([h(X), h(X), h(torch.ones(7, 3))])
    same(results[1], results[0])
    assert not torch.equal(results[1][0], results[1][1])


def test_dropout_has_one_mask_forward_and_backward():
    x = torch.ones(200, 300, requires_grad=True)
    y = compiled(lambda x: torch.nn.functional.dropout(x, 0.25))(x)
    assert abs(float((y == 0).float().mean().detach()) - 0.25) < 0.01
    (grad,) = torch.autograd.grad(y.sum(), x)
    torch.testing.assert_close(grad, y.detach())


def test_random_numbers_that_depend_on_values():
    def f(x):
        drawn = torch.bernoulli(x.abs().clamp(max=1)), torch.multinomial(x.exp(), 2)
        return torch.normal(x, 1e-6), *drawn

    x = torch.tensor([[0.0, 1.0, -1.0]]).repeat(50, 1)
    near, drawn, picked = compiled(f)(x)
    torch.testing.assert_close(near, x, atol=1e-4, rtol=0)
    assert torch.equal(drawn, x.abs())
    assert picked.unique().tolist() == [0, 1, 2]
    assert bool((picked[:, 0] != picked[:, 1]).all())
