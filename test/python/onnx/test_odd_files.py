"""Files that are right but odd, as exporters write them, against ONNX Runtime."""

import os

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import ferrule

FLOAT = TensorProto.FLOAT
rng = np.random.default_rng(0)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def info(name, shape=None, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def constant(value, name):
    return numpy_helper.from_array(np.asarray(value), name)


def make(nodes, inputs, outputs, weights=(), opset=17, domains=(), **options):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(weights))
    imports = [helper.make_opsetid("", opset)]
    imports += [helper.make_opsetid(domain, 1) for domain in domains]
    return helper.make_model(
        graph, opset_imports=imports, **{"ir_version": 9, **options}
    )


def compare(source, *inputs):
    data = source if isinstance(source, str) else source.SerializeToString()
    session = onnxruntime.InferenceSession(data)
    names = [x.name for x in session.get_inputs()]
    wanted = session.run(None, dict(zip(names, inputs, strict=True)))
    results = ferrule.compile(data)(*inputs)
    results = results if isinstance(results, (tuple, list)) else [results]
    for result, value in zip(results, wanted, strict=True):
        assert result.shape == value.shape and result.dtype == value.dtype
        np.testing.assert_allclose(result, value, rtol=1e-4, atol=1e-5)


node = helper.make_node


def test_sizes_with_neither_name_nor_value():
    x = info("x", [2, 3])
    for dim in x.type.tensor_type.shape.dim:
        dim.Clear()
    compare(make([node("Relu", ["x"], ["y"])], [x], [info("y")]), floats(4, 5))


def test_wrong_sizes_of_inner_values():
    model = make(
        [node("Relu", ["x"], ["a"]), node("Neg", ["a"], ["y"])],
        [info("x", ["n", 3])],
        [info("y", ["n", 3])],
    )
    model.graph.value_info.append(info("a", ["other", 3]))
    compare(model, floats(4, 3))


def test_weights_in_nodes_and_behind_identity():
    nodes = [
        node("Constant", [], ["c"], value=constant(floats(3, 4), "c")),
        node("Identity", ["c"], ["w"]),
        node("Identity", ["s"], ["shape"]),
        node("MatMul", ["x", "w"], ["a"]),
        node("Reshape", ["a", "shape"], ["y"]),
    ]
    weights = [constant(np.array([-1, 2]), "s")]
    compare(make(nodes, [info("x", [2, 3])], [info("y")], weights), floats(2, 3))


def test_input_weight_and_one_value_twice_as_outputs():
    nodes = [node("Relu", ["x"], ["y"]), node("Identity", ["y"], ["z"])]
    outputs = [info("y", [3]), info("x", [3]), info("w", [2]), info("z", [3])]
    compare(
        make(nodes, [info("x", [3])], outputs, [constant(floats(2), "w")]), floats(3)
    )


def test_many_operator_sets_of_which_one_is_used():
    domains = ["ai.onnx.ml", "com.microsoft", "ai.onnx.training", "org.pytorch.aten"]
    nodes = [node("Relu", ["x"], ["y"])]
    model = make(nodes, [info("x", [3])], [info("y", [3])], domains=domains[:2])
    compare(model, floats(3))
    assert ferrule.compile(
        make(
            nodes, [info("x", [3])], [info("y", [3])], domains=domains
        ).SerializeToString()
    )


def test_weights_that_are_inputs_too():
    model = make(
        [node("Add", ["x", "w"], ["y"])],
        [info("x", [3]), info("w", [3])],
        [info("y", [3])],
        [constant(floats(3), "w")],
        ir_version=3,
        opset=8,
    )
    x = floats(3)
    w = numpy_helper.to_array(model.graph.initializer[0])
    np.testing.assert_allclose(ferrule.compile(model.SerializeToString())(x), x + w)


def test_absent_inputs_and_unnamed_nodes():
    nodes = [
        node("Clip", ["x", "", "most"], ["a"]),
        node("Resize", ["a", "", "scales"], ["y"], mode="nearest"),
    ]
    weights = [
        constant(np.float32(0.5), "most"),
        constant(np.array([1, 1, 2, 2], np.float32), "scales"),
    ]
    model = make(nodes, [info("x", [1, 1, 2, 3])], [info("y")], weights)
    compare(model, floats(1, 1, 2, 3))


def sub(nodes, inputs, outputs, weights=()):
    return helper.make_graph(nodes, "sub", inputs, outputs, list(weights))


def test_subgraphs_read_outer_values():
    # `a` is computed outside, `w` and `k` are outer weights, `m` is an inner one.
    then = sub(
        [node("Add", ["a", "w"], ["t"]), node("Mul", ["t", "m"], ["r"])],
        [],
        [info("r", [3])],
        [constant(np.float32(3), "m")],
    )
    other = sub([node("Sub", ["x", "k"], ["q"])], [], [info("q", [3])])
    body = sub(
        [
            node("Identity", ["go"], ["go_on"]),
            node("Add", ["state", "a"], ["next"]),
            node("Mul", ["next", "k"], ["row"]),
        ],
        [
            info("i", [], TensorProto.INT64),
            info("go", [], TensorProto.BOOL),
            info("state", [3]),
        ],
        [info("go_on", [], TensorProto.BOOL), info("next", [3]), info("row", [3])],
    )
    nodes = [
        node("Neg", ["x"], ["a"]),
        node("If", ["c"], ["b"], then_branch=then, else_branch=other),
        node("Loop", ["n", "", "b"], ["last", "rows"], body=body),
    ]
    weights = [constant(floats(3), "w"), constant(np.float32(7), "k")]
    model = make(
        nodes,
        [
            info("x", [3]),
            info("c", [], TensorProto.BOOL),
            info("n", [], TensorProto.INT64),
        ],
        [info("last", [3]), info("rows", None)],
        weights,
    )
    for truth in (True, False):
        compare(model, floats(3), np.array(truth), np.array(4))


def test_nested_functions_with_attributes():
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("mine", 1)]
    leaky = node("LeakyRelu", ["a"], ["r"])
    leaky.attribute.add(
        name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name="slope"
    )
    inner = helper.make_function(
        "mine",
        "Inner",
        ["a"],
        ["r"],
        [leaky],
        imports,
        [],
        [helper.make_attribute("slope", 0.5)],
    )
    call = node("Inner", ["p"], ["q"], domain="mine")
    call.attribute.add(
        name="slope", type=onnx.AttributeProto.FLOAT, ref_attr_name="steep"
    )
    outer = helper.make_function(
        "mine",
        "Outer",
        ["p", "unused"],
        ["s"],
        [
            call,
            node("Inner", ["q"], ["d"], domain="mine"),
            node("Add", ["d", "q"], ["s"]),
        ],
        imports,
        ["steep"],
    )
    model = make(
        [node("Outer", ["x", ""], ["y"], domain="mine", steep=0.25)],
        [info("x", [4])],
        [info("y", [4])],
        domains=["mine"],
    )
    model.functions.extend([inner, outer])
    x = floats(4)
    q = np.where(x < 0, x * 0.25, x)
    wanted = np.where(q < 0, q * 0.5, q) + q
    result = ferrule.compile(model.SerializeToString())(x)
    np.testing.assert_allclose(result, wanted, rtol=1e-6)


def external(tensor, location, offset=None, length=None):
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))


def test_weights_in_several_files_at_offsets(tmp_path):
    a, b, c = floats(4, 4), floats(4, 100), floats(100)
    model = make(
        [
            node("MatMul", ["x", "a"], ["p"]),
            node("MatMul", ["p", "b"], ["q"]),
            node("Add", ["q", "c"], ["y"]),
        ],
        [info("x", [2, 4])],
        [info("y", [2, 100])],
        [constant(a, "a"), constant(b, "b"), constant(c, "c")],
    )
    os.makedirs(tmp_path / "data")
    (tmp_path / "data" / "one.bin").write_bytes(a.tobytes() + b"\0" * 36 + b.tobytes())
    (tmp_path / "two.bin").write_bytes(b"junk" * 16 + c.tobytes() + b"more")
    weights = model.graph.initializer
    external(weights[0], "data/one.bin", 0, a.nbytes)
    external(weights[1], "data/one.bin", a.nbytes + 36, b.nbytes)
    external(weights[2], "two.bin", 64, c.nbytes)
    path = str(tmp_path / "model.onnx")
    onnx.save(model, path)
    compare(path, floats(2, 4))


@pytest.mark.parametrize(
    "location, offset, expected",
    [("none.bin", 0, "none.bin"), ("short.bin", 1000, "short.bin")],
)
def test_missing_weights(tmp_path, location, offset, expected):
    model = make(
        [node("Add", ["x", "w"], ["y"])],
        [info("x", [100])],
        [info("y", [100])],
        [constant(floats(100), "w")],
    )
    external(model.graph.initializer[0], location, offset, 400)
    (tmp_path / "short.bin").write_bytes(b"\0" * 400)
    path = str(tmp_path / "model.onnx")
    onnx.save(model, path)
    with pytest.raises(ValueError, match=expected):
        ferrule.compile(path)


def test_weights_beyond_two_gigabytes(tmp_path):
    """The file has a hole, so that it takes no room."""
    row, rows = 1 << 20, 2200  # of u8: 2.3 GB
    weight = TensorProto(name="w", data_type=TensorProto.UINT8, dims=[rows, row])
    weight.data_location = TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="big.bin")
    with open(tmp_path / "big.bin", "wb") as file:
        file.seek(rows * row - 8)
        file.write(bytes(range(8)))
    model = make(
        [node("Gather", ["w", "i"], ["r"]), node("Slice", ["r", "from", "to"], ["y"])],
        [info("i", [1], TensorProto.INT64)],
        [info("y", None, TensorProto.UINT8)],
        [
            weight,
            constant(np.array([0, row - 8]), "from"),
            constant(np.array([1, row]), "to"),
        ],
    )
    path = str(tmp_path / "model.onnx")
    onnx.save(model, path)
    from ferrule._native import _compiler

    text = str(_compiler.load_model(path, {}))
    assert f"dense_resource<w> : tensor<{rows}x{row}xui8>" in text


def test_typed_and_packed_weights():
    """The fields that data may lie in besides raw_data."""
    half = floats(4).astype(np.float16)
    weights = [
        TensorProto(name="f", data_type=FLOAT, dims=[4], float_data=floats(4)),
        TensorProto(
            name="h",
            data_type=TensorProto.FLOAT16,
            dims=[4],
            int32_data=half.view(np.uint16).astype(np.int32),
        ),
        TensorProto(
            name="b", data_type=TensorProto.BOOL, dims=[4], int32_data=[1, 0, 1, 1]
        ),
        TensorProto(
            name="d", data_type=TensorProto.DOUBLE, dims=[4], double_data=[1, 2, 3, 4]
        ),
        TensorProto(
            name="n", data_type=TensorProto.UINT64, dims=[4], uint64_data=[1, 2, 3, 4]
        ),
    ]
    nodes = [
        node("Cast", ["h"], ["h32"], to=FLOAT),
        node("Cast", ["d"], ["d32"], to=FLOAT),
        node("Cast", ["n"], ["n32"], to=FLOAT),
        node("Where", ["b", "f", "h32"], ["w"]),
        node("Sum", ["w", "d32", "n32", "x"], ["y"]),
    ]
    compare(make(nodes, [info("x", [4])], [info("y", [4])], weights), floats(4))
