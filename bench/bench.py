#!/usr/bin/env python3
"""Measures Ferrule against its peers on the same weights and inputs.

Each round runs every system once in rotated order, so that a slow minute of a
shared machine falls on all of them alike; only ratios mean anything. Outputs
are compared before anything is timed. Prints a table and writes JSON.

    bench.py [--models a,b] [--threads 1,2] [--rounds N] [--json FILE]
             [--peers ferrule,openvino_peer,onnxruntime_peer]
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))
from peers.separate import Absent
from workloads import CACHE, WORKLOADS, Workload

DEFAULT_MODELS = "resnet18,resnet50,mobilenetv2,bert_base,minilm"


def load_peer(name: str):
    """A peer is a module in bench/peers: NAME, load(path, threads, cache) -> system.

    A system has run(inputs: dict) -> list of arrays and facts() -> dict, and may
    have seconds(inputs, repeats), close() and, among its facts, its peak_mb.
    """
    return importlib.import_module(f"peers.{name}")


def largest_difference(got: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """Largest absolute difference over the largest magnitude, of all outputs."""
    worst = 0.0
    for a, b in zip(got, expected, strict=True):
        if a.shape != b.shape:
            raise AssertionError(f"shapes differ: {a.shape} and {b.shape}")
        scale = max(1e-30, float(np.max(np.abs(b), initial=0.0)))
        worst = max(
            worst, float(np.max(np.abs(a.astype(np.float64) - b), initial=0.0)) / scale
        )
    return worst


def seconds_of(system, inputs: dict, repeats: int) -> float:
    """The time of so many runs; a process of its own takes it itself."""
    if hasattr(system, "seconds"):
        return system.seconds(inputs, repeats)
    start = time.perf_counter()
    for _ in range(repeats):
        system.run(inputs)
    return time.perf_counter() - start


def ratio_interval(
    times: list[float], reference: list[float]
) -> tuple[float, float, float]:
    """Median of the rounds' ratios and its 95% confidence interval (bootstrap)."""
    ratios = np.asarray(times) / np.asarray(reference)
    drawn = np.random.default_rng(0).choice(ratios, (2000, len(ratios)))
    low, high = np.percentile(np.median(drawn, axis=1), [2.5, 97.5])
    return float(np.median(ratios)), float(low), float(high)


def rounds_of(systems: list, inputs: dict, rounds: int) -> list[list[float]]:
    """Times of each system; each of the rounds repeats it for about 60 ms."""
    repeats = []
    for system in systems:
        system.run(inputs)
        repeats.append(max(1, int(0.06 / max(1e-6, seconds_of(system, inputs, 1)))))
    times: list[list[float]] = [[] for _ in systems]
    for number in range(rounds):
        for k in range(len(systems)):
            i = (k + number) % len(systems)
            seconds_of(systems[i], inputs, 1)
            times[i].append(seconds_of(systems[i], inputs, repeats[i]) / repeats[i])
    return times


def memory_mb(peer: str, model: str, threads: int) -> float:
    """Growth of peak memory in a process that has nothing else loaded."""
    script = Path(__file__).resolve().parent / "memory.py"
    command = [sys.executable, str(script), peer, model, str(threads)]
    return float(
        subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.split()[-1]
    )


def load_systems(path: Path, peers: list, threads: int, inputs: dict, report):
    """The peers that run the model, their systems and first outputs."""
    present = []
    for peer in peers:
        try:
            system = peer.load(path, threads, CACHE)
            present.append((peer, system, system.run(inputs)))
        except Absent as reason:
            report(f"{peer.NAME} is left out: {reason}")
    return present


def measure(
    workload: Workload, peers: list, threads: int, rounds: int, report
) -> dict | None:
    """None when the reference cannot run."""
    inputs = workload.inputs(0)
    present = load_systems(workload.onnx(), peers, threads, inputs, report)
    systems = [system for _, system, _ in present]
    result = None
    if present and present[-1][0] is peers[-1]:
        times = rounds_of(systems, inputs, rounds)
        result = {
            "model": workload.name,
            "threads": threads,
            "systems": {
                peer.NAME: facts_of(
                    peer, system, outputs, present[-1][2], workload.name, threads
                )
                | ratios_of(times[i], times[-1])
                for i, (peer, system, outputs) in enumerate(present)
            },
        }
    for system in systems:
        if hasattr(system, "close"):
            system.close()
    return result


def ratios_of(times: list[float], reference: list[float]) -> dict:
    ratio, low, high = ratio_interval(times, reference)
    return {
        "median_ms": statistics.median(times) * 1e3,
        "ratio": ratio,
        "ratio_low": low,
        "ratio_high": high,
    }


def facts_of(peer, system, outputs, expected, model: str, threads: int) -> dict:
    facts = {"difference": largest_difference(outputs, expected), **system.facts()}
    if "peak_mb" not in facts:
        module = peer.__name__.rsplit(".", 1)[1]
        facts["peak_mb"] = memory_mb(module, model, threads)
    return facts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--models", default=DEFAULT_MODELS, help=f"of {', '.join(WORKLOADS)}"
    )
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--peers",
        default="ferrule,onnxruntime_peer",
        help="modules of bench/peers (openvino_peer too); the last "
        "one is the reference",
    )
    parser.add_argument("--json", default="bench-results.json")
    options = parser.parse_args()
    peers = [load_peer(name) for name in options.peers.split(",")]
    console = Console(width=120)
    results = []
    for name in options.models.split(","):
        for threads in map(int, options.threads.split(",")):
            console.print(f"[dim]measuring {name}, {threads} thread(s)[/dim]")
            result = measure(
                WORKLOADS[name], peers, threads, options.rounds, console.print
            )
            if result is not None:
                results.append(result)
    table = Table(
        title=f"median of {options.rounds} interleaved rounds; ratio to "
        f"{peers[-1].NAME} [95% confidence]"
    )
    for column in (
        "model",
        "threads",
        "system",
        "ms",
        "ratio",
        "difference",
        "compile s",
        "load ms",
        "peak MB",
    ):
        table.add_column(
            column, justify="left" if column in ("model", "system") else "right"
        )
    for result in results:
        for system, facts in result["systems"].items():
            table.add_row(
                result["model"],
                str(result["threads"]),
                system,
                f"{facts['median_ms']:.2f}",
                f"{facts['ratio']:.2f} "
                rf"\[{facts['ratio_low']:.2f}, {facts['ratio_high']:.2f}]",
                f"{facts['difference']:.1e}",
                f"{facts['compile_s']:.2f}"
                if facts.get("compile_s") is not None
                else "",
                f"{facts['load_ms']:.1f}" if facts.get("load_ms") is not None else "",
                f"{facts['peak_mb']:.0f}" if facts.get("peak_mb") is not None else "",
            )
    console.print(table)
    Path(options.json).write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
