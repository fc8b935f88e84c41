"""Programs from files of either kind, and files from results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..executable import Executable, load
from .console import console

MAGIC_SUFFIX = ".byre"


def parse_shapes(texts: Sequence[str] | None) -> dict[str, list[int]]:
    shapes = {}
    for text in texts or []:
        name, separator, dims = text.rpartition(":")
        try:
            sizes = [int(d) for d in dims.split("x")] if dims else []
        except ValueError:
            separator = ""
        if not separator or not name:
            raise ValueError(f"--input-shape={text}: expected NAME:1x3x224x224")
        shapes[name] = sizes
    return shapes


def compile_file(
    model: Path,
    target: str = "cpu",
    target_cpu: str = "host",
    input_shape: Sequence[str] | None = None,
    opt_level: int = 1,
    dump_ir: str = "",
    threads: int | None = None,
    kernel_cache: str = "",
) -> tuple[Executable, float]:
    """Compiles with a line that shows the stage; the program and the seconds."""
    from .. import compile

    if not model.exists():
        raise FileNotFoundError(f"cannot open '{model}': no such file or folder")
    start = time.perf_counter()
    with console.status(f"compiling {model.name}") as status:
        executable = compile(
            model,
            target=target,
            target_cpu=target_cpu.split(","),
            input_shapes=parse_shapes(input_shape),
            opt_level=opt_level,
            dump_ir=dump_ir,
            kernel_cache=kernel_cache,
            threads=threads,
            log=lambda line: status.update(f"compiling {model.name}: {line}"),
        )
    return executable, time.perf_counter() - start


def load_or_compile(
    model: Path, threads: int | None = None, function: str = ""
) -> Executable:
    """A `.byre` file is loaded; anything else is compiled for this machine."""
    if model.suffix == MAGIC_SUFFIX:
        return load(model, threads, function=function)
    executable, _ = compile_file(model, threads=threads)
    return executable.function(function) if function else executable


def save_outputs(executable: Executable, results: list, texts: Sequence[str]) -> None:
    """Writes results as told by NAME=@FILE or, in their order, @FILE."""
    names = [value.name for value in executable.outputs]
    position = 0
    for text in texts:
        name, at, file = text.partition("@")
        if not at or (name and not name.endswith("=")):
            raise ValueError(f"--output={text}: expected @FILE.npy or NAME=@FILE.npy")
        if name and name[:-1] not in names:
            raise ValueError(
                f"--output={text}: no output '{name[:-1]}', '{executable.name}' "
                f"has: {', '.join(names)}"
            )
        index = names.index(name[:-1]) if name else position
        position += not name
        if index >= len(results):
            raise ValueError(
                f"--output={text}: '{executable.name}' has {len(results)} outputs"
            )
        with open(file, "wb") as stream:
            np.save(stream, results[index])
