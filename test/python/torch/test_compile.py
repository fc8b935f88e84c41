"""ferrule.compile on PyTorch programs against eager PyTorch, and files."""

import model_zoo
import numpy as np
import pytest
import torch
from torch.utils import _pytree as pytree

import ferrule


def assert_same(actual, expected, atol, rtol):
    want, want_spec = pytree.tree_flatten(expected)
    have, have_spec = pytree.tree_flatten(actual)
    assert have_spec == want_spec
    for a, b in zip(have, want, strict=True):
        if isinstance(b, torch.Tensor):
            assert isinstance(a, torch.Tensor)
            torch.testing.assert_close(a, b, atol=atol, rtol=rtol, equal_nan=True)
        else:
            assert a == b


def check(f, *args, kwargs=None, dynamic_shapes=None, atol=1e-5, rtol=1e-5, also=()):
    """Compiles `f`, compares it on `args` and on each tuple of `also`."""
    kwargs = kwargs or {}
    program = ferrule.compile(
        f, args, dynamic_shapes=dynamic_shapes, example_kwargs=kwargs
    )
    for inputs in (args, *also):
        with torch.no_grad():
            expected = f(*inputs, **kwargs)
        assert_same(program(*inputs, **kwargs), expected, atol, rtol)
    return program


@pytest.mark.parametrize("name", model_zoo.MODELS)
def test_models(name):
    model, args, kwargs, dynamic_shapes = model_zoo.make(name)
    other = []
    if dynamic_shapes is not None:
        # One more row, and as many tokens as are needed for another length.
        for rows, columns in ((3, 5), (1, 12)):
            shapes = [
                (rows, columns) if arg.dtype == torch.int64 else (rows, *arg.shape[1:])
                for arg in args
            ]
            other.append(
                tuple(
                    torch.ones(shape, dtype=torch.int64)
                    if arg.dtype == torch.int64
                    else torch.randn(shape)
                    for shape, arg in zip(shapes, args, strict=True)
                )
            )
    check(
        model,
        *args,
        kwargs=kwargs,
        dynamic_shapes=dynamic_shapes,
        atol=1e-4,
        rtol=1e-3,
        also=other,
    )


def test_function_of_tensors():
    check(lambda x, y: (x @ y).relu(), torch.randn(3, 4), torch.randn(4, 5))


def test_functions_of_pytorch_itself():
    """They are built in and do not tell their parameters."""
    x = torch.randn(3, 4)
    check(torch.exp, x)
    check(torch.matmul, x, torch.randn(4, 5))
    check(torch.softmax, x, kwargs={"dim": 1})


def test_argument_that_is_transposed_in_place():
    with pytest.raises(
        Exception, match="gives the argument 'x' another shape in place"
    ):
        ferrule.compile(lambda x: x.t_() * 1, (torch.randn(3, 4),))
    check(lambda x: x.clone().t_() * 1, torch.randn(3, 4))


def test_digamma_at_its_poles():
    check(torch.digamma, torch.tensor([0.0, -0.0, -1.0, -2.0, 0.5, -0.5, 3.0]))
    check(torch.digamma, torch.tensor([0, -1, 1, 7]))


def test_nested_arguments_and_results():
    def f(x, extra):
        return {"sum": x + extra["y"], "rest": [x * 2, (extra["z"] - x, 7)]}

    check(f, torch.randn(3), {"y": torch.randn(3), "z": torch.randn(3)})


def test_keyword_arguments_in_any_order():
    class Model(torch.nn.Module):
        def forward(self, x, *, scale, shift):
            return x * scale + shift

    kwargs = {"scale": torch.randn(3), "shift": torch.randn(3)}
    x = torch.randn(2, 3)
    program = ferrule.compile(Model(), (x,), example_kwargs=kwargs)
    reverse = dict(reversed(list(kwargs.items())))
    torch.testing.assert_close(program(x, **reverse), Model()(x, **kwargs))


def test_dynamic_sizes():
    check(
        lambda x: x.reshape(x.shape[0] * 2, -1).softmax(-1),
        torch.randn(3, 8),
        dynamic_shapes=({0: "rows"},),
        also=[(torch.randn(5, 8),), (torch.randn(1, 8),)],
    )


def test_numpy_in_numpy_out():
    program = ferrule.compile(lambda x: x + 1, (torch.zeros(2),))
    result = program(np.ones(2, np.float32))
    assert isinstance(result, np.ndarray)
    assert result.tolist() == [2.0, 2.0]


def test_mutated_input_is_written_back():
    def f(x, total):
        total.add_(x)
        return total * 2

    program = ferrule.compile(f, (torch.ones(3), torch.zeros(3)))
    total = torch.ones(3)
    result = program(torch.ones(3), total)
    assert total.tolist() == [2, 2, 2]
    assert result.tolist() == [4, 4, 4]


def test_state_is_kept_between_calls():
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x):
            self.count += 1
            return x + self.count

    module = Counter()
    program = ferrule.compile(module, (torch.zeros(2),))
    assert program(torch.zeros(2)).tolist() == [1, 1]
    assert program(torch.zeros(2)).tolist() == [2, 2]
    # The module that it was made from is left alone.
    assert module.count == 0


class Mixer(torch.nn.Module):
    """Buffers of several types, changed in another order than they have."""

    def __init__(self):
        super().__init__()
        self.register_buffer("first", torch.tensor([1.0, 2.0]))
        self.register_buffer("second", torch.full((2,), 3.0).bfloat16())
        self.register_buffer("third", torch.tensor(5), persistent=False)

    def forward(self, x):
        self.third += 2
        self.second.mul_(self.third)
        self.first.add_(self.second)
        return x * self.first, self.third * 1


def test_states_in_a_file(tmp_path):
    path, module, x = tmp_path / "mixer.byre", Mixer(), torch.ones(2)
    program = ferrule.compile(module, (x,))
    program.save(path)
    loaded = ferrule.load(path)
    with torch.no_grad():
        expected = [module(x) for _ in range(3)]
    for p in (program, loaded):
        for want in expected:
            for a, b in zip(p(x), want, strict=True):
                torch.testing.assert_close(a, b)
        p.reset_states()
        torch.testing.assert_close(p(x)[0], expected[0][0])


def test_first_states_as_a_function():
    """It takes nothing and returns the buffers, whatever the module takes."""
    program = ferrule.compile(Mixer(), (torch.ones(2),))
    values = program.function("initial_states")()
    first = dict(zip(program.states, values, strict=True))
    assert {int(np.sum(np.asarray(v, np.float32))) for v in first.values()} == {3, 6, 5}


def test_loaded_file_answers_like_the_module(tmp_path):
    def f(x):
        return {"twice": x * 2, "none": None}

    path = tmp_path / "f.byre"
    ferrule.compile(f, (torch.ones(3),)).save(path)
    result = ferrule.load(path)(torch.ones(3))
    assert result["none"] is None
    assert result["twice"].tolist() == [2, 2, 2]


def test_exported_program_file(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            return x.sin()

    path = tmp_path / "model.pt2"
    x = torch.randn(4)
    torch.export.save(torch.export.export(Model(), (x,)), path)
    torch.testing.assert_close(ferrule.compile(path)(x), x.sin())


def test_stablehlo_text_and_bytes():
    text = """
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.add %x, %x : tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    """
    x = np.arange(3, dtype=np.float32)
    for source in (text, text.encode()):
        np.testing.assert_array_equal(ferrule.compile(source)(x), x + x)


def test_wrong_model_is_an_error():
    with pytest.raises(TypeError, match="but found int"):
        ferrule.compile(3)


def test_unsupported_operator_names_itself_and_the_line():
    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.linalg.eigvals(x)

    with pytest.raises(ValueError, match=r"eigvals|linalg_eig") as failure:
        ferrule.compile(Model(), (torch.randn(3, 3),))
    assert "test_compile.py" in str(failure.value)


def test_torch_compile_backend():
    from ferrule.torch.backend import backend

    torch._dynamo.reset()
    layer = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU())
    compiled = torch.compile(layer, backend=backend)
    x = torch.randn(3, 4)
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), layer(x), atol=1e-5, rtol=1e-5)


def test_gradients_through_torch_compile():
    from ferrule.torch.backend import backend

    torch._dynamo.reset()
    torch.manual_seed(0)
    module = torch.nn.Sequential(
        torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8)
    )
    compiled = torch.compile(module, backend=backend, dynamic=True)
    for rows in (3, 5):
        x = torch.randn(rows, 4)
        gradients = []
        for f in (module, compiled):
            module.zero_grad()
            f(x).pow(2).sum().backward()
            gradients.append([p.grad.clone() for p in module.parameters()])
        torch.testing.assert_close(gradients[1], gradients[0], atol=1e-5, rtol=1e-4)


def test_examples_that_are_one_tensor():
    """The same tensor for two inputs does not make them one input."""
    x = torch.randn(3, 4)
    program = ferrule.compile(lambda a, b: a - 2 * b, (x, x))
    y = torch.randn(3, 4)
    torch.testing.assert_close(program(x, y), x - 2 * y)


def test_size_that_is_at_least_a_sum():
    """That each size is at least 2 is no fact, nor is that their sum is 4."""

    def f(x, y, z):
        assert z.shape[0] >= x.shape[0] + y.shape[0]
        return z[x.shape[0] :]

    shapes = ({0: "a"}, {0: "b"}, {0: "c"})
    inputs = [torch.randn(4), torch.randn(5), torch.randn(9)]
    other = [(torch.randn(1), torch.randn(0), torch.randn(2))]
    check(f, *inputs, dynamic_shapes=shapes, also=other)
    # A bound of its own stays.
    program = ferrule.compile(lambda x: x[3], (torch.randn(5),), "cpu", ({0: "n"},))
    with pytest.raises(ValueError, match="4 to any size"):
        program(torch.randn(3))
