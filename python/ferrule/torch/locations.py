"""Where in the user's program a graph node comes from."""

from __future__ import annotations

import re
from pathlib import Path

import torch

FRAME = re.compile(r'File "([^"]+)", line (\d+)')
# Frames of PyTorch and of this package are not the user's program.
FOREIGN = (
    str(Path(torch.__file__).parent),
    str(Path(__file__).parents[1]),
    "torch/",
)


def source_line(node: torch.fx.Node) -> tuple[str, int] | None:
    """File and line of the innermost frame of the user's program."""
    frames = FRAME.findall(node.meta.get("stack_trace") or "")
    for file, line in reversed(frames):
        if not file.startswith(FOREIGN):
            return file, int(line)
    return None


def definition_line(function) -> tuple[str, int]:
    """Where a function is defined: the exporter keeps frames of modules only."""
    code = getattr(function, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def layer_name(node: torch.fx.Node) -> str:
    """Path of the innermost module: "encoder.layer.0"."""
    stack = node.meta.get("nn_module_stack")
    if not stack:
        return ""
    path = next(reversed(stack.values()))[0]
    path = path.removeprefix("L['self'].")
    return "" if path.startswith("_empty_nn_module_stack") else path
