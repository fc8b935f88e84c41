"""Peers that run in a process of their own, in an environment of their own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent.parent / ".cache" / "peers"


class Absent(Exception):
    """The peer cannot be had here; says why."""


def environment(name: str, packages: list[str]) -> Path:
    """The Python of a virtual environment with the packages, made once."""
    folder = ENVIRONMENTS / name
    python = folder / "bin" / "python"
    done = folder / "packages.txt"
    wanted = "\n".join(packages)
    if done.exists() and done.read_text() == wanted:
        return python
    folder.parent.mkdir(parents=True, exist_ok=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", folder],
        [python, "-m", "pip", "install", "--quiet", *packages],
    ):
        result = subprocess.run(command, check=False, capture_output=True, text=True)
        if result.returncode != 0:
            lines = (result.stderr or result.stdout).strip().splitlines()
            raise Absent(lines[-1] if lines else f"{command[-1]} failed")
    done.write_text(wanted)
    return python


class SeparateSystem:
    """A worker process (worker.py) that has loaded a model."""

    def __init__(self, python: Path, module: str, model: str, threads: int):
        self.process = subprocess.Popen(
            [python, HERE / "worker.py", module, model, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.known = self.answer()[0]

    def answer(self) -> tuple[dict, bytes]:
        line = self.process.stdout.readline()
        if not line:
            text = self.process.communicate()[1].decode(errors="replace")
            lines = text.strip().splitlines()
            raise Absent(lines[-1] if lines else "its process ended")
        facts = json.loads(line)
        return facts, self.process.stdout.read(facts.pop("bytes"))

    def ask(self, command: str, data: bytes = b"") -> tuple[dict, bytes]:
        try:
            self.process.stdin.write(command.encode() + b"\n" + data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self.answer()

    def run(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        packed = io.BytesIO()
        np.savez(packed, **inputs)
        data = packed.getvalue()
        facts, outputs = self.ask(f"run {len(data)}", data)
        self.known.setdefault("peak_mb", facts["peak_mb"])
        return list(np.load(io.BytesIO(outputs)).values())

    def seconds(self, inputs: dict[str, np.ndarray], repeats: int) -> float:
        """The time of so many runs with the inputs of the last run()."""
        return self.ask(f"time {repeats}")[0]["seconds"]

    def facts(self) -> dict:
        return self.known

    def close(self) -> None:
        # The worker ends with its input; what it still says is of no use.
        self.process.communicate()
