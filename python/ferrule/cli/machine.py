"""What this machine can do: the two sides of the roofline, measured."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

PRODUCT = """
func.func @main(%x: tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32> {{
  %w = stablehlo.iota dim = 0 : tensor<{n}x{n}xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  return %0 : tensor<{n}x{n}xf32>
}}
"""
STREAM = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@dataclass(frozen=True)
class Machine:
    """Rates with a number of threads: floating-point operations a second, and
    bytes a second for working sets of so many bytes, smallest first."""

    threads: int
    flops: float
    streams: tuple[tuple[int, float], ...]

    def bandwidth(self, count: float) -> float:
        """The rate of the smallest measured working set that holds `count`."""
        for size, rate in self.streams:
            if count <= size:
                return rate
        return self.streams[-1][1]

    def roofline(self, flops: float, count: float) -> float:
        """The least seconds for so many operations on so many bytes."""
        return max(flops / self.flops, count / self.bandwidth(count))


def fastest(run, seconds: float = 0.15) -> float:
    """Seconds of the fastest of several runs after one that does not count."""
    run()
    best = float("inf")
    end = time.perf_counter() + seconds
    while best == float("inf") or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def measure(threads: int) -> Machine:
    """With kernels of Ferrule's own: a packed product of 512 x 512 matrices,
    and one pass over vectors that fit in each cache and in none."""
    from .. import compile

    n = 512
    product = compile(PRODUCT.format(n=n), threads=threads)
    x = np.ones((n, n), np.float32)
    flops = 2 * n**3 / fastest(lambda: product.run([x]))
    stream = compile(STREAM, threads=threads)
    streams = []
    for size in (1 << 18, 1 << 21, 1 << 24, 1 << 27):
        x = np.ones(size // 8, np.float32)
        streams.append((size, size / fastest(lambda x=x: stream.run([x]))))
    return Machine(threads, flops, tuple(streams))
