"""Latency of a program, alone or beside ONNX Runtime in the same rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.table import Table

from ..executable import Executable
from .console import time_text


def onnxruntime_runner(model: Path, inputs: list, threads: int) -> Callable[[], list]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Its threads would spin on the cores that the next system needs.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    session = onnxruntime.InferenceSession(
        str(model), options, providers=["CPUExecutionProvider"]
    )
    names = [value.name for value in session.get_inputs()]
    feeds = dict(zip(names, inputs, strict=True))
    return lambda: session.run(None, feeds)


def times_of(runners: list[Callable], rounds: int) -> list[list[float]]:
    """Seconds of one run, each system once a round in rotated order."""
    repeats = []
    for run in runners:
        run()
        start = time.perf_counter()
        run()
        repeats.append(max(1, int(0.05 / max(1e-6, time.perf_counter() - start))))
    times: list[list[float]] = [[] for _ in runners]
    for number in range(rounds):
        for k in range(len(runners)):
            i = (k + number) % len(runners)
            runners[i]()
            start = time.perf_counter()
            for _ in range(repeats[i]):
                runners[i]()
            times[i].append((time.perf_counter() - start) / repeats[i])
    return times


def measure(
    executable: Executable, model: Path, inputs: list, rounds: int, against: str
) -> Table:
    systems: dict[str, Callable] = {"ferrule": lambda: executable.run(inputs)}
    if against == "onnxruntime":
        if model.suffix != ".onnx":
            raise ValueError(
                f"--against=onnxruntime needs an .onnx file, not '{model}'"
            )
        systems[against] = onnxruntime_runner(model, inputs, executable.threads)
    elif against != "none":
        raise ValueError(f"--against={against}: expected onnxruntime or none")
    results = [run() for run in systems.values()]
    times = times_of(list(systems.values()), rounds)
    table = Table(
        title=f"{model.name}, {executable.threads} threads, median of {rounds} rounds"
    )
    for column in ("system", "median", "fastest", "slowest", "ratio", "difference"):
        table.add_column(column, justify="left" if column == "system" else "right")
    reference = statistics.median(times[-1])
    for name, seconds, outputs in zip(systems, times, results, strict=True):
        median = statistics.median(seconds)
        table.add_row(
            name,
            time_text(median),
            time_text(min(seconds)),
            time_text(max(seconds)),
            f"{median / reference:.2f}" if len(systems) > 1 else "",
            f"{largest_difference(outputs, results[-1]):.1e}"
            if len(systems) > 1
            else "",
        )
    return table


def largest_difference(got: list, expected: list) -> float:
    """Largest absolute difference over the largest magnitude, of all outputs."""
    worst = 0.0
    for a, b in zip(got, expected, strict=True):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        if a.shape != b.shape:
            raise ValueError(f"the systems' shapes differ: {a.shape} and {b.shape}")
        scale = max(1e-30, float(np.max(np.abs(b), initial=0.0)))
        worst = max(worst, float(np.max(np.abs(a - b), initial=0.0)) / scale)
    return worst
