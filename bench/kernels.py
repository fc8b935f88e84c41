#!/usr/bin/env python3
"""Measures single kernels as a fraction of this machine's roofline.

Each case is a small PyTorch module whose result is first compared with a run
in double precision. Its time is the sum of its kernels' times. The roofline is
max(operations / rate of multiply-adds, bytes / rate of memory), both measured
by probe.c in the same rounds, never by Ferrule; operations are those of the
direct algorithm, so Winograd's may pass 1.

    kernels.py [--cases REGEX] [--threads N] [--rounds N] [--json FILE]
    kernels.py --sweep 200 [--seed S]    random shapes instead; the worst first
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import ferrule
import numpy as np
import torch
from kernel_cases import CASES, Case, random_cases
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent


class Probe:
    """The rates of `threads` cores, from probe.c."""

    def __init__(self, threads: int):
        library = Path(tempfile.mkdtemp()) / "probe.so"
        flags = ["-O3", "-march=native", "-ffast-math", "-shared", "-fPIC"]
        subprocess.run(
            ["clang-22", *flags, HERE / "probe.c", "-o", library], check=True
        )
        self.library = ctypes.CDLL(str(library))
        self.library.probe_fma.restype = ctypes.c_double
        self.threads = threads
        self.arrays: dict[int, list[np.ndarray]] = {}

    def together(self, work) -> float:
        """Seconds until all threads have done `work(thread)`."""
        barrier = threading.Barrier(self.threads + 1)

        def one(index):
            barrier.wait()
            work(index)
            barrier.wait()

        workers = [
            threading.Thread(target=one, args=(index,)) for index in range(self.threads)
        ]
        for worker in workers:
            worker.start()
        barrier.wait()
        start = time.perf_counter()
        barrier.wait()
        seconds = time.perf_counter() - start
        for worker in workers:
            worker.join()
        return seconds

    def flops(self) -> float:
        """Floating-point operations a second."""
        counts = [0.0] * self.threads

        def work(index):
            sink = ctypes.c_float()
            counts[index] = self.library.probe_fma(
                ctypes.c_long(1_000_000), ctypes.byref(sink)
            )

        seconds = min(self.together(work) for _ in range(3))
        return sum(counts) / seconds

    def bandwidth(self, read: float, written: float) -> float:
        """Bytes a second of a pass over as many bytes as a kernel touches,
        reading alone or reading and writing, whichever is more like it."""
        copies = written > read / 4
        share = int((read + written) / self.threads / (8 if copies else 4))
        count = max(1024, 1 << (share - 1).bit_length() if share > 1 else 1)
        count = min(count, 1 << 24)
        arrays = self.arrays.setdefault(
            count, [np.ones(2 * count + 16, np.float32) for _ in range(self.threads)]
        )
        passes = max(1, (1 << 18) // count)

        def work(index):
            base = -(-arrays[index].ctypes.data // 64) * 64
            sink = ctypes.c_float()
            for _ in range(passes):
                if copies:
                    self.library.probe_copy(
                        ctypes.c_void_p(base),
                        ctypes.c_void_p(base + 4 * count),
                        ctypes.c_size_t(count),
                    )
                else:
                    self.library.probe_read(
                        ctypes.c_void_p(base),
                        ctypes.c_size_t(count),
                        ctypes.byref(sink),
                    )

        seconds = min(self.together(work) for _ in range(3))
        return self.threads * passes * count * (8 if copies else 4) / seconds


def check(case: Case, program, module, inputs) -> float:
    """Largest difference to double precision over the largest magnitude."""
    with torch.no_grad():
        expected = module.double()(
            *(x.double() if x.is_floating_point() else x for x in inputs)
        )
        module.float()
    found = program(*inputs)
    assert found.shape == expected.shape, (case.name, found.shape, expected.shape)
    if not expected.numel():
        return 0.0
    scale = max(1e-30, float(expected.abs().max()))
    return float((found.double() - expected).abs().max()) / scale


def work_of(case, module, inputs) -> tuple[float, float, float]:
    """Operations of the direct algorithm, bytes read and bytes written."""
    from torch.utils.flop_counter import FlopCounterMode

    counter = FlopCounterMode(display=False)
    with torch.no_grad(), counter:
        result = module(*inputs)
    read = sum(x.nbytes for x in inputs) + sum(p.nbytes for p in module.parameters())
    flops = case.flops or counter.get_total_flops()
    return flops, read, result.nbytes


def measure(case: Case, probe: Probe, rounds: int) -> dict:
    torch.manual_seed(0)
    module = case.module().eval()
    inputs = tuple(case.inputs())
    program = ferrule.compile(
        module, inputs, dynamic_shapes=case.dynamic, threads=probe.threads
    )
    difference = check(case, program, module, inputs)
    flops, read, written = work_of(case, module, inputs)
    arrays = [x.numpy() for x in inputs]

    def once() -> float:
        events: list[dict] = []
        program._native.profile(arrays, events)
        return sum(event["duration_ns"] for event in events) * 1e-9

    repeats = max(3, min(200, int(0.02 / max(1e-7, once()))))
    fractions, times = [], []
    for _ in range(rounds):
        seconds = statistics.median(once() for _ in range(repeats))
        least = max(
            flops / probe.flops(), (read + written) / probe.bandwidth(read, written)
        )
        times.append(seconds)
        fractions.append(least / max(1e-9, seconds))
    return {
        "case": case.name,
        "microseconds": statistics.median(times) * 1e6,
        "fraction": statistics.median(fractions),
        "gflops": flops / max(1e-9, statistics.median(times)) / 1e9,
        "gbytes": (read + written) / max(1e-9, statistics.median(times)) / 1e9,
        "difference": difference,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", default="", help="a regular expression")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sweep", type=int, default=0, help="so many random shapes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json")
    options = parser.parse_args()
    probe = Probe(options.threads)
    cases = random_cases(options.sweep, options.seed) if options.sweep else CASES
    results = []
    for case in cases:
        if not re.search(options.cases, case.name):
            continue
        results.append(measure(case, probe, options.rounds))
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if options.sweep:
        results.sort(key=lambda result: result["fraction"])
    table = Table(
        title=f"fraction of the roofline, {options.threads} thread(s), "
        f"{probe.flops() / 1e9:.0f} GFLOP/s"
    )
    table.add_column("case", overflow="fold")
    for column in ("µs", "GFLOP/s", "GB/s", "roofline", "difference"):
        table.add_column(column, justify="right")
    for result in results:
        table.add_row(
            result["case"],
            f"{result['microseconds']:.1f}",
            f"{result['gflops']:.1f}",
            f"{result['gbytes']:.1f}",
            f"{result['fraction']:.0%}",
            f"{result['difference']:.1e}",
        )
    Console(width=120).print(table)
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
