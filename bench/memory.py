#!/usr/bin/env python3
"""Prints by how many MB a system's peak memory grows while it loads a model and
runs it ten times, in a process of its own: memory.py PEER MODEL THREADS."""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from workloads import CACHE, WORKLOADS


def status_mb(field: str) -> float:
    """A field of /proc/self/status: VmRSS now, VmHWM the peak."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise KeyError(field)


def main() -> None:
    peer, model, threads = sys.argv[1:4]
    workload = WORKLOADS[model]
    module = importlib.import_module(f"peers.{peer}")
    path, inputs = workload.onnx(), workload.inputs(0)
    before = status_mb("VmRSS")
    system = module.load(path, int(threads), CACHE)
    for _ in range(10):
        system.run(inputs)
    print(status_mb("VmHWM") - before)


if __name__ == "__main__":
    main()
