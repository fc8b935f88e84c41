"""Where the commands print, and how they write numbers."""

from __future__ import annotations

from rich.console import Console

console = Console()
error_console = Console(stderr=True, soft_wrap=True)


def size_text(count: float) -> str:
    """Bytes for people: 97.3 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def time_text(seconds: float) -> str:
    """0.000123 -> 123.0 µs."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.2f} ms"
    return f"{seconds:.2f} s"
