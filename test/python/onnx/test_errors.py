"""Bad ONNX files give one clear error that names the place."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from ferrule._native import _compiler


def load(tmp_path, data: bytes, shapes=None):
    path = tmp_path / "model.onnx"
    path.write_bytes(data)
    return _compiler.load_model(str(path), shapes or {})


def message(tmp_path, data: bytes, shapes=None) -> str:
    with pytest.raises(Exception) as caught:
        load(tmp_path, data, shapes)
    return str(caught.value)


def value(name, element=TensorProto.FLOAT, shape=(2, 3)):
    return helper.make_tensor_value_info(name, element, shape)


def model(nodes, inputs, outputs, initializers=(), opset=17, domains=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    imports = [helper.make_opsetid("", opset)]
    imports += [helper.make_opsetid(domain, 1) for domain in domains]
    return helper.make_model(graph, opset_imports=imports)


def relu_model(**options):
    node = helper.make_node("Relu", ["x"], ["y"], name="act")
    return model([node], [value("x")], [value("y")], **options)


def weight_model(count=200):
    weight = numpy_helper.from_array(np.zeros(count, np.float32), "w")
    node = helper.make_node("Add", ["x", "w"], ["y"])
    shape = (count,)
    return model([node], [value("x", shape=shape)], [value("y", shape=shape)], [weight])


def test_all_unsupported_ops_are_named(tmp_path):
    nodes = [
        helper.make_node("Foo", ["x"], ["a"], name="first"),
        helper.make_node("Foo", ["a"], ["b"]),
        helper.make_node("Bar", ["b"], ["y"], name="last", domain="my.domain"),
    ]
    proto = model(nodes, [value("x")], [value("y")], domains=["my.domain"])
    text = message(tmp_path, proto.SerializeToString())
    assert "found 2 ONNX ops that are not supported" in text
    assert "'Foo' (domain 'ai.onnx', opset 17, node 'first')" in text
    assert "'Bar' (domain 'my.domain', opset 1, node 'last')" in text


@pytest.mark.parametrize("opset", [0, 99])
def test_opset(tmp_path, opset):
    text = message(tmp_path, relu_model(opset=opset).SerializeToString())
    assert f"found opset {opset} of domain 'ai.onnx', expected" in text


def test_truncated(tmp_path):
    data = weight_model().SerializeToString()
    text = message(tmp_path, data[: len(data) // 2])
    assert "damaged ONNX data at ModelProto" in text


@pytest.mark.parametrize("keep", range(0, 60, 7))
def test_every_truncation_is_an_error(tmp_path, keep):
    assert message(tmp_path, relu_model().SerializeToString()[:keep])


def test_not_onnx(tmp_path):
    assert "ONNX" in message(tmp_path, b"\x08\x07hello, this is no model")


def test_damaged_bytes_never_crash(tmp_path):
    data = bytearray(weight_model(70).SerializeToString())
    rng = np.random.default_rng(0)
    for _ in range(200):
        broken = bytearray(data)
        for place in rng.integers(0, len(data), 3):
            broken[place] = rng.integers(0, 256)
        try:
            load(tmp_path, bytes(broken))
        except Exception as error:
            assert str(error)


def test_deep_nesting(tmp_path):
    # A type of 5,000 sequences inside each other, built from the inside.
    def field(number, payload):
        size, length = len(payload), b""
        while size >= 0x80:
            length += bytes([size & 0x7F | 0x80])
            size >>= 7
        return bytes([number << 3 | 2]) + length + bytes([size]) + payload

    inner = b""
    for _ in range(5000):
        inner = field(4, field(1, inner))
    data = field(7, field(11, field(1, b"x") + field(2, inner)))
    assert "nested more than" in message(tmp_path, data)


def test_initializer_of_wrong_size(tmp_path):
    proto = weight_model()
    proto.graph.initializer[0].raw_data = b"\0" * 12
    text = message(tmp_path, proto.SerializeToString())
    assert "initializer 'w': found 12 bytes of data, expected 800" in text


def test_unsupported_element_type(tmp_path):
    node = helper.make_node("Identity", ["x"], ["y"])
    proto = model(
        [node], [value("x", TensorProto.STRING)], [value("y", TensorProto.STRING)]
    )
    text = message(tmp_path, proto.SerializeToString())
    assert "graph input 'x' has element type string" in text


def test_attribute_error_names_the_node(tmp_path):
    node = helper.make_node("Softmax", ["x"], ["y"], name="soft", axis=5)
    proto = model([node], [value("x")], [value("y")])
    text = message(tmp_path, proto.SerializeToString())
    assert "ONNX op 'Softmax' (node 'soft', domain 'ai.onnx', opset 17)" in text
    assert "found axis 5, expected one in [-2, 2)" in text


def test_shapes_that_do_not_broadcast(tmp_path):
    node = helper.make_node("Add", ["x", "z"], ["y"], name="sum")
    proto = model([node], [value("x"), value("z", shape=(4, 4))], [value("y")])
    text = message(tmp_path, proto.SerializeToString())
    assert "expected shapes that broadcast" in text and "node 'sum'" in text


def test_undefined_input(tmp_path):
    node = helper.make_node("Relu", ["nowhere"], ["y"], name="act")
    text = message(
        tmp_path, model([node], [value("x")], [value("y")]).SerializeToString()
    )
    assert "input 'nowhere' is not defined" in text


def test_external_data_must_stay_in_the_folder(tmp_path):
    proto = weight_model()
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../etc/passwd")
    text = message(tmp_path, proto.SerializeToString())
    assert "leaves the model's folder" in text


@pytest.mark.parametrize(
    "shape, expected",
    [
        ({"nothing": [1]}, "not an input of the graph"),
        ({"x": [2]}, "has rank 1, expected rank 2"),
        ({"x": [2, 5]}, "has size 5 in dimension 1, expected 3"),
    ],
)
def test_input_shape(tmp_path, shape, expected):
    data = relu_model().SerializeToString()
    assert expected in message(tmp_path, data, shape)
