"""Where the time of a program goes, kernel by kernel, against the roofline."""

from __future__ import annotations

import statistics
import struct
import time
from dataclasses import dataclass

from rich.table import Table

from ..executable import Executable
from . import machine
from .console import size_text, time_text


@dataclass
class Launch:
    """One launch of a kernel in each run. Counts are None when not known."""

    number: int
    kernel: str
    layer: str
    operations: str
    seconds: float
    flops: int | None
    bytes: int | None
    workgroups: int
    threads: int


@dataclass
class Explanation:
    title: str
    launches: list[Launch]
    seconds: float  # of a run without the profile
    machine: machine.Machine
    file_sizes: dict[str, int]  # of each kind of section, in bytes

    @property
    def kernel_seconds(self) -> float:
        return sum(launch.seconds for launch in self.launches)

    def share(self, launch: Launch) -> float:
        return launch.seconds / max(1e-12, self.kernel_seconds)

    def fraction(self, launch: Launch) -> float | None:
        """Roofline over time; None when the kernel's work is not known."""
        if launch.bytes is None:
            return None
        least = self.machine.roofline(launch.flops or 0, launch.bytes)
        return least / max(1e-12, launch.seconds)

    def rate(self, launch: Launch) -> str:
        """In the unit that limits the kernel."""
        seconds = max(1e-12, launch.seconds)
        if launch.bytes is None:
            return ""
        flops = launch.flops or 0
        if flops / self.machine.flops > launch.bytes / self.machine.bandwidth(
            launch.bytes
        ):
            return f"{flops / seconds / 1e9:.1f} GFLOP/s"
        return f"{launch.bytes / seconds / 1e9:.1f} GB/s"

    def by_time(self) -> list[Launch]:
        return sorted(self.launches, key=lambda launch: -launch.seconds)

    def table(self, top: int) -> Table:
        table = Table(title=self.title)
        for column, side in (
            ("#", "right"),
            ("what it computes", "left"),
            ("layer", "left"),
            ("time", "right"),
            ("share", "right"),
            ("rate", "right"),
            ("roofline", "right"),
        ):
            table.add_column(column, justify=side, overflow="fold")
        for launch in self.by_time()[: top or None]:
            fraction = self.fraction(launch)
            table.add_row(
                str(launch.number),
                launch.operations or launch.kernel,
                launch.layer,
                time_text(launch.seconds),
                f"{self.share(launch):.1%}",
                self.rate(launch),
                "" if fraction is None else f"{fraction:.0%}",
            )
        return table

    def summary(self) -> list[str]:
        known = [x for x in self.launches if x.bytes is not None]
        least = sum(self.machine.roofline(x.flops or 0, x.bytes or 0) for x in known)
        spent = sum(x.seconds for x in known)
        streams = ", ".join(
            f"{rate / 1e9:.0f} GB/s up to {size_text(size)}"
            for size, rate in self.machine.streams
        )
        return [
            f"launches: {len(self.launches)}; threads: {self.machine.threads}",
            f"a run takes {time_text(self.seconds)}, its kernels "
            + time_text(self.kernel_seconds),
            f"roofline of the kernels whose work is known: {least / max(1e-12, spent):.0%}",
            f"program: {size_text(sum(self.file_sizes.values()))}: "
            + ", ".join(f"{k} {size_text(n)}" for k, n in self.file_sizes.items()),
            f"measured now: {self.machine.flops / 1e9:.0f} GFLOP/s in a matrix "
            + f"product; {streams}",
        ]


# Kinds of sections, as runtime/format/container.h numbers them.
SECTIONS = {3: "weights", 2: "machine code", 1: "instructions"}


def file_sizes(data: bytes) -> dict[str, int]:
    """What the bytes of a `.byre` file are; they add up to its size."""
    (count,) = struct.unpack_from("<I", data, 24)
    sizes = dict.fromkeys(SECTIONS.values(), 0)
    for i in range(count):
        kind, _, _, length = struct.unpack_from("<IIQQ", data, 48 + 32 * i)
        name = SECTIONS.get(kind, "other")
        sizes[name] = sizes.get(name, 0) + length
    sizes["padding"] = len(data) - sum(sizes.values())
    return sizes


def explain(
    executable: Executable, inputs: list, rounds: int, title: str
) -> Explanation:
    """Medians of `rounds` profiled runs, and of as many without the profile."""
    profiles = []
    executable.run(inputs)
    for _ in range(rounds):
        events: list[dict] = []
        executable._native.profile(inputs, events)
        profiles.append(events)
    # Loops may launch more or less often in each run of random numbers.
    count = statistics.mode(len(events) for events in profiles)
    profiles = [events for events in profiles if len(events) == count]
    launches = [
        Launch(
            number,
            same[0]["kernel"],
            same[0]["layer"],
            same[0]["operations"],
            statistics.median(event["duration_ns"] for event in same) * 1e-9,
            same[0]["flops"],
            same[0]["bytes"],
            same[0]["workgroups"],
            same[0]["threads"],
        )
        for number, same in enumerate(zip(*profiles, strict=True))
    ]
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        executable.run(inputs)
        seconds.append(time.perf_counter() - start)
    return Explanation(
        title,
        launches,
        statistics.median(seconds),
        machine.measure(executable.threads),
        file_sizes(executable.to_bytes()),
    )
