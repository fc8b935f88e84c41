"""Ferrule: compiled by the command-line tool, run through the Python package."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import numpy as np

NAME = "ferrule"
ROOT = Path(__file__).resolve().parent.parent.parent


class System:
    def __init__(self, path: Path, threads: int, cache: Path):
        import ferrule

        output = cache / (path.stem + ".byre")
        start = time.perf_counter()
        subprocess.run(
            [
                ROOT / "build/bin/ferrule-compile",
                path,
                "-o",
                output,
                "--kernel-cache=off",
            ],
            check=True,
        )
        self.compile_s = time.perf_counter() - start
        start = time.perf_counter()
        self.executable = ferrule.load(str(output), threads=threads)
        self.load_ms = (time.perf_counter() - start) * 1e3

    def run(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        outputs = (
            self.executable(**inputs)
            if all(n.isidentifier() for n in inputs)
            else self.executable(*inputs.values())
        )
        return list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]

    def facts(self) -> dict:
        return {"compile_s": self.compile_s, "load_ms": self.load_ms}


def load(path: Path, threads: int, cache: Path) -> System:
    return System(path, threads, cache)
