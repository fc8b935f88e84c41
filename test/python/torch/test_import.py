"""Imports of exported programs: the text of the torch dialect and what it says."""

import re

import model_zoo
import pytest
import torch
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

import ferrule.torch as ferrule_torch
from ferrule._native import _compiler


def import_text(f, *args, **options):
    options.setdefault("output_type", "raw")
    with torch.no_grad():
        return str(ferrule_torch.export_and_import(f, *args, **options))


def signature(text):
    return re.search(r"func\.func @main.*", text).group(0)


@pytest.mark.parametrize("name", model_zoo.MODELS)
def test_models_round_trip(name):
    model, args, kwargs, dynamic_shapes = model_zoo.make(name)
    text = import_text(model, *args, kwargs=kwargs, dynamic_shapes=dynamic_shapes)
    # Every operator is in the table, and the text reads back as written.
    assert "torch.operator" not in text
    assert str(_compiler.Module.parse(text)) == text
    if dynamic_shapes:
        assert 'ferrule.dims = ["batch"' in signature(text)
        assert "ferrule.symbols = {batch = [0, " in text


def test_weights_are_not_copied():
    layer = torch.nn.Linear(64, 64)
    text = import_text(layer, torch.randn(1, 64))
    assert "dense_resource<weight> : tensor<64x64xf32>" in text


class Nested(torch.nn.Module):
    """Buffers of both kinds, a lifted constant, nested and mutated values."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 8)
        self.register_buffer("scale", torch.ones(8), persistent=False)
        self.register_buffer("count", torch.zeros(()))
        self.constant = torch.tensor([1.0, 2.0])

    def forward(self, x, *, bias=None, extra):
        self.count.add_(1)
        y = self.linear(x).relu() + self.scale * self.count
        value, index = y.max(dim=-1)
        extra["q"].mul_(2)
        if bias is not None:
            y = y + bias
        first, _ = torch.split(y, 4, dim=1)
        rows = y.view(x.shape[0] * 2, 4)
        return {
            "y": y[:, :2] * self.constant,
            "maximum": (value, index, None, 3, x.shape[0]),
            "first": first + 2,
            "rows": rows,
        }


def import_nested():
    return ferrule_torch.export_and_import(
        Nested(),
        torch.randn(3, 4),
        kwargs={"bias": torch.ones(8), "extra": {"q": torch.ones(2)}},
        dynamic_shapes={"x": {0: "batch"}, "bias": None, "extra": {"q": None}},
        output_type="raw",
    )


def test_nested_values_and_mutation():
    imported = import_nested()
    head = signature(str(imported))
    assert 'ferrule.dims = ["batch", ""], ferrule.name = "x"' in head
    assert 'ferrule.dims = ["(2 * batch)", ""], ferrule.name = "rows"' in head
    assert "!torch.int" in head
    convention = imported.convention
    assert convention.mutated_inputs == [(2, 6)]
    assert convention.states == [("count", 3, 7)]
    assert imported.states["count"] == 0


def test_calling_convention_survives_json():
    convention = import_nested().convention
    copy = type(convention).from_json(convention.to_json())
    for one in (convention, copy):
        flat = one.flatten(("x",), {"extra": {"q": "q"}, "bias": "bias"})
        assert flat == ["x", "bias", "q"]
        assert one.unflatten(list(range(8))) == {
            "y": 0,
            "maximum": (1, 2, None, 3, 3),
            "first": 4,
            "rows": 5,
        }
        with pytest.raises(TypeError, match="expected a dict with an item 'q'"):
            one.flatten(("x",), {"extra": {}, "bias": 1})


def test_constant_arguments_are_checked():
    imported = ferrule_torch.export_and_import(
        lambda x, mode: x * 2 if mode == "twice" else x,
        torch.ones(2),
        "twice",
        output_type="raw",
    )
    assert imported.convention.flatten((1, "twice"), {}) == [1]
    with pytest.raises(TypeError, match="argument #1 was 'twice'"):
        imported.convention.flatten((1, "once"), {})


def test_branches_and_loops():
    def f(x):
        y = torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a * 2, (x,))
        return while_loop(
            lambda i, a: i < 3, lambda i, a: (i + 1, a * y), (torch.tensor(0), x)
        )

    text = import_text(f, torch.randn(3))
    assert "torch.prim.If" in text and "torch.prim.Loop" in text
    assert str(_compiler.Module.parse(text)) == text


def test_scan_is_a_loop():
    def f(x):
        return scan(lambda c, v: (c + v, c * v), x[0], x)

    text = import_text(f, torch.randn(13, 2))
    assert "torch.prim.Loop %int13" in text
    assert "torch.aten.select_scatter" in text


def test_arithmetic_of_sizes():
    def f(x, n):
        k = x.shape[0] // 2 + max(x.shape[0], 4)
        return x[:k], x.new_full((k,), 2.0) * (x.shape[0] / 2), n + 1

    shapes = ({0: "rows"}, torch.export.Dim.DYNAMIC)
    text = import_text(f, torch.randn(13), 3, dynamic_shapes=shapes)
    head = signature(text)
    assert '"((rows floordiv 2) + max(4, rows))"' in head
    assert "%arg1: !torch.int" in head
    for name in ("floordiv.int", "div.int", "add.int", "mul.Scalar"):
        assert f"torch.aten.{name}" in text
    assert "torch.prim.max.int" in text


def test_locations_name_layer_and_line():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.head = torch.nn.Sequential(torch.nn.Linear(2, 2))

        def forward(self, x):
            return self.head(x)

    imported = ferrule_torch.export_and_import(
        Model(), torch.randn(1, 2), output_type="raw"
    )
    text = imported.module.text(locations=True)
    assert 'loc("head.0"(' in text
    assert re.search(r'test_import\.py":\d+', text)


def test_shared_weights_are_one_constant():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Linear(16, 16, bias=False)
            self.b = torch.nn.Linear(16, 16, bias=False)
            self.b.weight = self.a.weight

        def forward(self, x):
            return self.b(self.a(x))

    text = import_text(Tied(), torch.randn(1, 16))
    assert text.count("torch.vtensor.literal") == 1


def test_fixed_dimension_is_an_error():
    with pytest.raises(
        ferrule_torch.ImportFailure, match="dimension 'n' cannot be dynamic"
    ):
        import_text(
            lambda x: x.reshape(2, 3),
            torch.randn(6),
            dynamic_shapes=({0: "n"},),
        )


def test_custom_operator_passes_through():
    with torch.library._scoped_library("ferrule_test", "FRAGMENT") as library:
        library.define("twice(Tensor x) -> Tensor")
        library.impl("twice", lambda x: x * 2, "CPU")
        library.impl("twice", lambda x: torch.empty_like(x), "Meta")
        text = import_text(lambda x: torch.ops.ferrule_test.twice(x), torch.ones(2))
    assert 'torch.operator "torch.ferrule_test.twice"(%arg0)' in text


@pytest.mark.parametrize(
    "dtype",
    [
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.float16,
        torch.bfloat16,
        torch.float64,
        torch.complex64,
        torch.float8_e4m3fn,
    ],
)
@pytest.mark.parametrize("size", [3, 100])
def test_constants_of_every_type(dtype, size):
    constant = torch.arange(size).to(dtype)

    def f(x):
        return torch.stack([x, constant])

    text = import_text(f, constant)
    kind = "dense_resource" if size > 64 else "dense<"
    assert f"torch.vtensor.literal({kind}" in text
    assert str(_compiler.Module.parse(text)) == text


def test_error_names_operator_and_line():
    class Sparse(torch.nn.Module):
        def forward(self, x):
            return torch.ops.aten._to_sparse.default(x)

    with pytest.raises(ferrule_torch.ImportFailure) as failure:
        import_text(Sparse(), torch.ones(2, 2))
    assert "layout torch.sparse_coo is not supported" in str(failure.value)
    assert "test_import.py:" in str(failure.value)
