#!/usr/bin/env python3
"""Measures Ferrule against its peers on the same weights and inputs.

Each round runs every system once in rotated order, so that a slow minute of a
shared machine falls on all of them alike; only ratios mean anything. Outputs
are compared before anything is timed. Prints a table and writes JSON.

    bench.py [--models a,b] [--threads 1,2] [--rounds N] [--json FILE]
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
from workloads import CACHE, WORKLOADS, Workload

DEFAULT_MODELS = "resnet18,resnet50,mobilenetv2,bert_base,minilm"


def load_peer(name: str):
    """A peer is a module in bench/peers with NAME and load(path, threads) -> system.

    A system has run(inputs: dict) -> list of arrays, and may have compile_s,
    load_s and bytes of memory.
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


def rounds_of(systems: list, inputs: dict, rounds: int) -> list[list[float]]:
    """Times of each system; each of the rounds repeats it for about 60 ms."""
    repeats = []
    for system in systems:
        system.run(inputs)
        start = time.perf_counter()
        system.run(inputs)
        repeats.append(max(1, int(0.06 / max(1e-6, time.perf_counter() - start))))
    times: list[list[float]] = [[] for _ in systems]
    for number in range(rounds):
        for k in range(len(systems)):
            i = (k + number) % len(systems)
            systems[i].run(inputs)
            start = time.perf_counter()
            for _ in range(repeats[i]):
                systems[i].run(inputs)
            times[i].append((time.perf_counter() - start) / repeats[i])
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


def measure(workload: Workload, peers: list, threads: int, rounds: int) -> dict:
    path = workload.onnx()
    inputs = workload.inputs(0)
    systems = [peer.load(path, threads, CACHE) for peer in peers]
    outputs = [system.run(inputs) for system in systems]
    times = rounds_of(systems, inputs, rounds)
    medians = [statistics.median(t) for t in times]
    return {
        "model": workload.name,
        "threads": threads,
        "systems": {
            peer.NAME: {
                "median_ms": medians[i] * 1e3,
                "ratio": medians[i] / medians[-1],
                "difference": largest_difference(outputs[i], outputs[-1]),
                "peak_mb": memory_mb(
                    peer.__name__.rsplit(".", 1)[1], workload.name, threads
                ),
                **systems[i].facts(),
            }
            for i, peer in enumerate(peers)
        },
    }


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
        help="the last one is the reference",
    )
    parser.add_argument("--json", default="bench-results.json")
    options = parser.parse_args()
    peers = [load_peer(name) for name in options.peers.split(",")]
    console = Console(width=120)
    results = []
    for name in options.models.split(","):
        for threads in map(int, options.threads.split(",")):
            console.print(f"[dim]measuring {name}, {threads} thread(s)[/dim]")
            results.append(measure(WORKLOADS[name], peers, threads, options.rounds))
    table = Table(
        title=f"median of {options.rounds} interleaved rounds; ratio to {peers[-1].NAME}"
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
                f"{facts['ratio']:.2f}",
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
