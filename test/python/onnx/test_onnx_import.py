"""What an import says: names, symbolic sizes, weights, subgraphs."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from ferrule._native import _compiler


def import_text(tmp_path, proto, shapes=None) -> str:
    path = tmp_path / "model.onnx"
    onnx.save(proto, path)
    return str(_compiler.load_model(str(path), shapes or {}))


def value(name, shape, element=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def model(nodes, inputs, outputs, initializers=(), functions=(), opset=17):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("mine", 1)]
    return helper.make_model(graph, opset_imports=imports, functions=list(functions))


def test_symbolic_sizes(tmp_path):
    node = helper.make_node("Add", ["x", "z"], ["y"])
    shape = ["batch", "seq+1", 4]
    proto = model([node], [value("x", shape), value("z", shape)], [value("y", [])])
    text = import_text(tmp_path, proto)
    assert 'ferrule.dims = ["batch", "seq_1", ""]' in text
    assert "ferrule.symbols = {batch = [0, -1], seq_1 = [0, -1]}" in text
    # Equal names are equal sizes, so nothing is broadcast.
    assert "broadcast" not in text
    # The output's declared shape is wrong and does not count.
    assert "-> (tensor<?x?x4xf32>" in text


def test_given_shape_fixes_the_symbol_everywhere(tmp_path):
    node = helper.make_node("Add", ["x", "z"], ["y"])
    proto = model(
        [node], [value("x", ["n", 4]), value("z", ["n", 4])], [value("y", ["n", 4])]
    )
    text = import_text(tmp_path, proto, {"x": [7, 4]})
    assert "?" not in text and text.count("tensor<7x4xf32>") >= 3


def test_anonymous_sizes_are_not_taken_for_equal(tmp_path):
    node = helper.make_node("Add", ["x", "z"], ["y"])
    proto = model([node], [value("x", ["?"]), value("z", ["?"])], [value("y", [])])
    assert "dynamic_broadcast_in_dim" in import_text(tmp_path, proto)


def test_weights_are_resources(tmp_path):
    weight = numpy_helper.from_array(np.ones((8, 16), np.float32), "w")
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    proto = model([node], [value("x", [2, 8])], [value("y", [2, 16])], [weight])
    assert "dense_resource<w> : tensor<8x16xf32>" in import_text(tmp_path, proto)


def test_external_data(tmp_path):
    weight = numpy_helper.from_array(np.ones((8, 16), np.float32), "w")
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    proto = model([node], [value("x", [2, 8])], [value("y", [2, 16])], [weight])
    path = tmp_path / "model.onnx"
    onnx.save(proto, path, save_as_external_data=True, size_threshold=0)
    text = str(_compiler.load_model(str(path), {}))
    assert "dense_resource<w> : tensor<8x16xf32>" in text


def test_shape_subgraph_folds(tmp_path):
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["b"]),
        helper.make_node("Unsqueeze", ["b", "axes"], ["b1"]),
        helper.make_node("Concat", ["b1", "rest"], ["shape"], axis=0),
        helper.make_node("Reshape", ["x", "shape"], ["y"]),
    ]
    constants = [
        numpy_helper.from_array(np.array(0), "zero"),
        numpy_helper.from_array(np.array([0]), "axes"),
        numpy_helper.from_array(np.array([-1, 4]), "rest"),
    ]
    proto = model(nodes, [value("x", ["b", 3, 8])], [value("y", [])], constants)
    text = import_text(tmp_path, proto)
    # The batch cancels, so the inferred size is a number.
    assert "-> (tensor<?x6x4xf32> {" in text
    assert 'ferrule.dims = ["b", "", ""], ferrule.name = "y"' in text
    assert "?" not in import_text(tmp_path, proto, {"x": [2, 3, 8]})


def test_function_attributes(tmp_path):
    leaky = helper.make_node("LeakyRelu", ["a"], ["r"])
    attribute = leaky.attribute.add(name="alpha", type=onnx.AttributeProto.FLOAT)
    attribute.ref_attr_name = "slope"
    function = helper.make_function(
        "mine", "Act", ["a"], ["r"], [leaky], [helper.make_opsetid("", 17)], ["slope"]
    )
    node = helper.make_node("Act", ["x"], ["y"], domain="mine", slope=0.25)
    proto = model([node], [value("x", [4])], [value("y", [4])], functions=[function])
    assert "2.500000e-01" in import_text(tmp_path, proto)


def subgraph(nodes, inputs, outputs):
    return helper.make_graph(nodes, "sub", inputs, outputs)


def test_if_on_a_known_condition_is_gone(tmp_path):
    branches = {
        "then_branch": subgraph(
            [helper.make_node("Neg", ["x"], ["t"])], [], [value("t", [])]
        ),
        "else_branch": subgraph(
            [helper.make_node("Abs", ["x"], ["e"])], [], [value("e", [])]
        ),
    }
    nodes = [
        helper.make_node("Size", ["x"], ["n"]),
        helper.make_node("Equal", ["n", "four"], ["c"]),
        helper.make_node("If", ["c"], ["y"], **branches),
    ]
    four = numpy_helper.from_array(np.array(4), "four")
    proto = model(nodes, [value("x", [4])], [value("y", [4])], [four])
    text = import_text(tmp_path, proto)
    assert "stablehlo.negate" in text and "stablehlo.if" not in text
    proto.graph.input[0].CopyFrom(value("x", ["n"]))
    assert "stablehlo.if" in import_text(tmp_path, proto)


def test_metadata_is_kept(tmp_path):
    node = helper.make_node("Relu", ["x"], ["y"])
    proto = model([node], [value("x", [4])], [value("y", [4])])
    proto.metadata_props.add(key="labels", value="a b")
    assert 'ferrule.metadata = {labels = "a b"}' in import_text(tmp_path, proto)
