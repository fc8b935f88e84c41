"""`ferrule.compile`: from a model of any kind to a program that runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._native import _compiler
from .executable import Executable


def compile(
    model: Any,
    example_inputs: Any = (),
    target: str = "cpu",
    dynamic_shapes: Any = None,
    *,
    example_kwargs: Mapping[str, Any] | None = None,
    target_cpu: str | Sequence[str] = "host",
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    opt_level: int = 1,
    dump_ir: str | os.PathLike = "",
    kernel_cache: str | os.PathLike | None = None,
    threads: int | None = None,
    log: Callable[[str], None] | None = None,
) -> Executable:
    """Compiles a model for `target` and loads the result.

    `model` is one of
      * a torch.nn.Module, a function on PyTorch tensors, or a
        torch.export.ExportedProgram; `example_inputs` (a tuple of arguments)
        and `example_kwargs` say what it is called with, `dynamic_shapes` which
        sizes may differ from theirs: torch.export's, or names of dimensions,
        as in `{"x": {0: "batch"}}`;
      * the path of a file that ferrule-compile reads (.onnx, .mlir, .pt2 ...);
      * StableHLO as text or bytes, the bytes or object of an ONNX model;
      * what JAX makes of a function: `jax.jit(f).lower(...)` or
        `jax.export.export(...)(...)`.

    `target_cpu` names one or several CPUs to make code for ("host",
    "x86-64-v3", "x86-64-v4"); the file picks when it is loaded. `dump_ir` is a
    folder for the program after each stage, `log` gets a line a stage.
    `kernel_cache` is the folder that keeps machine code between compilations:
    None for the user's (FERRULE_CACHE_DIR, else ~/.cache/ferrule), "off" for
    none. The program is the same with it and without.
    """
    options = module_options(
        target=target,
        target_cpu=target_cpu,
        opt_level=opt_level,
        dump_ir=dump_ir,
        kernel_cache=kernel_cache,
        log=log,
    )
    shapes = {name: list(shape) for name, shape in (input_shapes or {}).items()}
    if is_pytorch(model):
        return compile_pytorch(
            model, example_inputs, example_kwargs, dynamic_shapes, options, threads
        )
    data = load(model, shapes).compile(**options)
    return Executable.from_bytes(data, threads)


def module_options(
    *, target_cpu="host", dump_ir="", kernel_cache=None, **others
) -> dict[str, Any]:
    """Options of `compile` as Module.compile takes them."""
    cpus = [target_cpu] if isinstance(target_cpu, str) else list(target_cpu)
    return {
        "target_cpus": cpus,
        "dump_folder": os.fspath(dump_ir),
        "kernel_cache": os.fspath(kernel_cache or ""),
        **others,
    }


def is_pytorch(model: Any) -> bool:
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model).endswith(".pt2") and os.path.exists(model)
    if "torch" not in sys.modules or isinstance(model, (bytes, bytearray)):
        return False
    import torch

    if isinstance(model, (torch.nn.Module, torch.export.ExportedProgram)):
        return True
    # Lowered JAX functions are callable too.
    return callable(model) and not is_jax(model)


def is_jax(model: Any) -> bool:
    return hasattr(model, "mlir_module_serialized") or hasattr(model, "compiler_ir")


def compile_pytorch(
    model, args, kwargs, dynamic_shapes, options: dict, threads: int | None
) -> Executable:
    import torch

    from .torch import export_and_import

    if isinstance(model, (str, os.PathLike)):
        model = torch.export.load(model)
    if isinstance(args, torch.Tensor) or not isinstance(args, (tuple, list)):
        args = (args,)
    with torch.no_grad():
        imported = export_and_import(
            model,
            *args,
            kwargs=dict(kwargs or {}),
            dynamic_shapes=dynamic_shapes,
            output_type="raw",
        )
    data = imported.module.compile(**options)
    return Executable.from_bytes(
        data, threads, convention=imported.convention, states=imported.states
    )


def load(model: Any, input_shapes: dict) -> _compiler.Module:
    """The program of a file, of text or bytes, or of an object that has one."""
    if hasattr(model, "mlir_module_serialized"):
        return _compiler.load_model_bytes(jax_bytes(model), input_shapes)
    if hasattr(model, "compiler_ir"):
        return _compiler.Module.parse(str(model.compiler_ir("stablehlo")))
    if hasattr(model, "SerializeToString"):
        model = model.SerializeToString()
    if isinstance(model, os.PathLike):
        return _compiler.load_model(os.fspath(model), input_shapes)
    if isinstance(model, str):
        if "\n" in model or not os.path.exists(model) and " " in model:
            return _compiler.Module.parse(model)
        return _compiler.load_model(model, input_shapes)
    if isinstance(model, (bytes, bytearray)):
        return _compiler.load_model_bytes(bytes(model), input_shapes)
    raise TypeError(
        "expected a torch.nn.Module, an exported program, a path, StableHLO or "
        f"an ONNX model, but found {type(model).__name__}"
    )


def jax_bytes(exported: Any) -> bytes:
    """What jax.export stores; without the list of platforms when the program's
    arguments are of types that it cannot store."""
    try:
        return bytes(exported.serialize())
    except (TypeError, ValueError):
        return bytes(exported.mlir_module_serialized)
