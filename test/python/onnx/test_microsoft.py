"""Ops of com.microsoft against ONNX Runtime's own results."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

import ferrule

rng = np.random.default_rng(0)


def floats(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def whole(low, high, *shape, dtype=np.int32):
    return rng.integers(low, high, shape).astype(dtype)


u8, i8 = np.uint8, np.int8
scale = np.float32


def packed(bits, n, blocks, block):
    return whole(0, 256, n, blocks, block * bits // 8, dtype=u8)


# Op, inputs (None: absent), attributes, number of outputs, constants by place.
ROWS = [
    ("BiasGelu", [floats(2, 3, 8), floats(8)], {}, 1),
    ("FastGelu", [floats(2, 3, 8), floats(8)], {}, 1),
    ("FastGelu", [floats(2, 3, 8)], {}, 1),
    ("Gelu", [floats(2, 3, 8)], {}, 1),
    ("QuickGelu", [floats(2, 8)], {"alpha": 1.5}, 1),
    ("FusedMatMul", [floats(2, 3, 4), floats(2, 5, 4)], {"transB": 1, "alpha": 0.5}, 1),
    (
        "FusedMatMul",
        [floats(3, 2, 4), floats(2, 4, 5)],
        {"transBatchA": 1},
        1,
    ),
    (
        "FusedConv",
        [floats(1, 3, 8, 8), floats(4, 3, 3, 3), floats(4)],
        {"activation": "Relu", "pads": [1, 1, 1, 1]},
        1,
    ),
    (
        "FusedConv",
        [floats(1, 3, 8, 8), floats(4, 3, 3, 3), floats(4), floats(1, 4, 6, 6)],
        {"activation": "Clip", "activation_params": [-0.5, 0.75]},
        1,
    ),
    (
        "FusedGemm",
        [floats(3, 4), floats(5, 4), floats(5)],
        {"transB": 1, "activation": "LeakyRelu", "activation_alpha": 0.2},
        1,
    ),
    (
        "SkipLayerNormalization",
        [floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8)],
        {},
        1,
    ),
    (
        "SkipLayerNormalization",
        [floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8), floats(8)],
        {"epsilon": 1e-5},
        4,
    ),
    (
        "SkipSimplifiedLayerNormalization",
        [floats(2, 3, 8), floats(2, 3, 8), floats(8)],
        {"epsilon": 1e-5},
        4,
    ),
    (
        "EmbedLayerNormalization",
        [
            whole(0, 10, 2, 5),
            whole(0, 2, 2, 5),
            floats(10, 8),
            floats(6, 8),
            floats(2, 8),
            floats(8),
            floats(8),
            whole(0, 2, 2, 5),
        ],
        {"epsilon": 1e-5},
        2,
    ),
    ("Attention", [floats(2, 5, 8), floats(8, 24), floats(24)], {"num_heads": 2}, 1),
    (
        "Attention",
        [floats(2, 5, 8), floats(8, 24), floats(24), whole(0, 2, 2, 5)],
        {"num_heads": 2},
        1,
    ),
    (
        "Attention",
        [floats(2, 5, 8), floats(8, 24), floats(24), np.array([3, 5], np.int32)],
        {"num_heads": 2},
        1,
    ),
    (
        "Attention",
        [floats(2, 5, 8), floats(8, 24), floats(24), np.array([3, 5, 1, 0], np.int32)],
        {"num_heads": 2},
        1,
    ),
    (
        "Attention",
        [floats(2, 3, 8), floats(8, 24), floats(24), None, floats(2, 2, 2, 4, 4)],
        {"num_heads": 2, "unidirectional": 1},
        2,
    ),
    (
        "MultiHeadAttention",
        [floats(2, 3, 8), floats(2, 5, 8), floats(2, 5, 8), floats(24)],
        {"num_heads": 2},
        1,
    ),
    (
        "MultiHeadAttention",
        [
            floats(2, 3, 8),
            floats(2, 3, 8),
            floats(2, 3, 8),
            None,
            whole(0, 2, 2, 7) | 1,
            floats(1, 2, 3, 7),
            floats(2, 2, 4, 4),
            floats(2, 2, 4, 4),
        ],
        {"num_heads": 2},
        3,
    ),
    (
        "GroupQueryAttention",
        [
            floats(2, 5, 64),
            floats(2, 5, 32),
            floats(2, 5, 32),
            None,
            None,
            np.array([4, 4], np.int32),
            np.array(5, np.int32),
        ],
        {"num_heads": 4, "kv_num_heads": 2},
        3,
    ),
    (
        "GroupQueryAttention",
        [
            floats(2, 1, 64),
            floats(2, 1, 32),
            floats(2, 1, 32),
            floats(2, 2, 6, 16),
            floats(2, 2, 6, 16),
            np.array([6, 6], np.int32),
            np.array(7, np.int32),
            floats(16, 8),
            floats(16, 8),
        ],
        {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1, "local_window_size": 4},
        3,
    ),
    (
        "GroupQueryAttention",
        [
            floats(1, 3, 128),
            None,
            None,
            None,
            None,
            np.array([2], np.int32),
            np.array(3, np.int32),
            floats(16, 8),
            floats(16, 8),
        ],
        {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1, "rotary_interleaved": 1},
        3,
    ),
    (
        "RotaryEmbedding",
        [
            floats(2, 3, 16),
            whole(0, 8, 2, 3, dtype=np.int64),
            floats(8, 4),
            floats(8, 4),
        ],
        {"num_heads": 2},
        1,
    ),
    (
        "RotaryEmbedding",
        [floats(2, 2, 3, 8), np.array([1]), floats(8, 4), floats(8, 4)],
        {"interleaved": 1},
        1,
    ),
    (
        "MatMulNBits",
        [floats(3, 40), packed(4, 6, 3, 16), floats(6, 3)],
        {"K": 40, "N": 6, "bits": 4, "block_size": 16},
        1,
    ),
    (
        "MatMulNBits",
        [floats(2, 3, 32), packed(4, 6, 2, 16), floats(12), whole(0, 256, 6, dtype=u8)],
        {"K": 32, "N": 6, "bits": 4, "block_size": 16},
        1,
    ),
    (
        "MatMulNBits",
        [floats(3, 32), packed(8, 6, 2, 16), floats(6, 2)],
        {"K": 32, "N": 6, "bits": 8, "block_size": 16},
        1,
    ),
    (
        "QLinearAdd",
        [whole(0, 256, 3, 4, dtype=u8), scale(0.1), u8(3), whole(0, 256, 4, dtype=u8)]
        + [scale(0.2), u8(9), scale(0.3), u8(5)],
        {},
        1,
    ),
    (
        "QLinearMul",
        [whole(-128, 128, 3, 4, dtype=i8), scale(0.1), i8(3)]
        + [whole(-128, 128, 3, 1, dtype=i8), scale(0.2), i8(9), scale(3), i8(-5)],
        {},
        1,
    ),
    (
        "QLinearSigmoid",
        [whole(0, 256, 3, 4, dtype=u8), scale(0.05), u8(128), scale(1 / 256), u8(0)],
        {},
        1,
    ),
    (
        "QLinearLeakyRelu",
        [whole(0, 256, 3, 4, dtype=u8), scale(0.05), u8(128), scale(0.05), u8(64)],
        {"alpha": 0.3},
        1,
    ),
    (
        "QLinearSoftmax",
        [whole(0, 256, 3, 4, dtype=u8), scale(0.02), u8(128), scale(1 / 256), u8(0)],
        {"opset": 13, "axis": -1},
        1,
    ),
    (
        "QLinearGlobalAveragePool",
        [whole(0, 256, 2, 3, 4, 5, dtype=u8), scale(0.05), u8(8), scale(0.04), u8(4)],
        {},
        1,
    ),
    (
        "QLinearAveragePool",
        [whole(0, 256, 1, 2, 6, 6, dtype=u8), scale(0.05), u8(8), scale(0.04), u8(4)],
        {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]},
        1,
    ),
    (
        "QLinearConcat",
        [scale(0.1), u8(7), whole(0, 256, 2, 3, dtype=u8), scale(0.2), u8(1)]
        + [whole(0, 256, 2, 2, dtype=u8), scale(0.05), u8(9)],
        {"axis": 1},
        1,
    ),
    (
        "QGemm",
        [whole(0, 256, 3, 4, dtype=u8), scale(0.05), u8(12)]
        + [whole(-128, 128, 4, 5, dtype=i8), scale(0.02), i8(0), whole(-9, 9, 5)],
        {"alpha": 1.0},
        1,
    ),
    (
        "MatMulIntegerToFloat",
        [whole(0, 256, 3, 4, dtype=u8), whole(0, 256, 4, 5, dtype=u8), scale(0.1)]
        + [np.full(5, 0.2, np.float32), u8(3), u8(7), floats(5)],
        {},
        1,
    ),
    (
        "DynamicQuantizeMatMul",
        [floats(3, 8), whole(-128, 128, 8, 5, dtype=i8), np.full(1, 0.02, np.float32)]
        + [i8(0), floats(5)],
        {},
        1,
    ),
    (
        "QAttention",
        [
            whole(0, 256, 2, 5, 8, dtype=u8),
            whole(-128, 128, 8, 24, dtype=i8),
            floats(24),
        ]
        + [scale(0.02), scale(0.01), None, u8(128), i8(0)],
        {"num_heads": 2},
        1,
    ),
    ("NhwcMaxPool", [whole(0, 256, 1, 6, 6, 3, dtype=u8)], {"kernel_shape": [2, 2]}, 1),
    ("CDist", [floats(4, 3), floats(5, 3)], {"metric": "euclidean"}, 1),
    ("ExpandDims", [floats(2, 3), np.array(1, np.int32)], {}, 1),
    ("Inverse", [floats(2, 4, 4)], {}, 1),
    ("Trilu", [floats(4, 4)], {}, 1),
    ("Unique", [np.array([2, 1, 1, 3, 2], np.float32)], {}, 3),
]
# Inputs that ONNX Runtime or a compiled program wants to be constant.
CONSTANTS = {"ExpandDims": (1,), "MatMulNBits": (1, 2, 3)}


def build(op, inputs, attributes, outputs):
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    results = [f"y{i}" for i in range(outputs)]
    if op == "SkipSimplifiedLayerNormalization" or op == "SkipLayerNormalization":
        results = [results[0], *["", "", "y3"][: outputs - 1]]
    node = helper.make_node(op, names, results, domain="com.microsoft", **attributes)
    infos, weights, given = [], [], {}
    for i, (name, x) in enumerate(zip(names, inputs, strict=True)):
        if x is None:
            continue
        x = np.asarray(x)
        if i in CONSTANTS.get(op, ()):
            weights.append(onnx.numpy_helper.from_array(x, name))
            continue
        kind = helper.np_dtype_to_tensor_dtype(x.dtype)
        infos.append(helper.make_tensor_value_info(name, kind, x.shape))
        given[name] = x
    ends = [onnx.ValueInfoProto(name=name) for name in results if name]
    graph = helper.make_graph([node], "g", infos, ends, weights)
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9), given


@pytest.mark.parametrize("row", ROWS, ids=[f"{r[0]}-{i}" for i, r in enumerate(ROWS)])
def test_op(row):
    model, given = build(*row)
    data = model.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(data, options)
    wanted = session.run(None, given)
    results = ferrule.compile(data)(*given.values())
    results = results if isinstance(results, (tuple, list)) else [results]
    for result, value in zip(results, wanted, strict=True):
        assert result.shape == value.shape and result.dtype == value.dtype
        if value.dtype.kind == "f":
            largest = max(np.abs(value).max(initial=0), 1e-3)
            assert np.abs(result - value).max(initial=0) <= 1e-4 * largest
        else:
            # Rounding may differ by one step where a sum lies between two.
            gap = np.abs(result.astype(int) - value.astype(int))
            assert gap.max(initial=0) <= (1 if value.dtype.itemsize == 1 else 0)
