"""The commands and their options."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from .. import __version__
from . import programs
from .console import console, error_console, size_text

app = typer.Typer(
    help="Compiles machine-learning models to programs, and runs them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Model = Annotated[
    Path, typer.Argument(help="A model (.onnx, .mlir, .pt2 ...) or a .byre program")
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        help="NAME=@FILE.npy, NAME=3x4xf32=1.5, NAME=3x4xf32=random, NAME=random "
        "or @FILE.npy; may be repeated",
    ),
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads; all cores when not given")
]
Target = Annotated[str, typer.Option(help="The target to compile for")]
TargetCpu = Annotated[
    str, typer.Option(help="host, x86-64-v3, x86-64-v4 or a list of these, a,b")
]
OptLevel = Annotated[
    int, typer.Option(min=0, max=1, help="0: no fusion, no packing; 1: all")
]
InputShape = Annotated[
    list[str] | None,
    typer.Option(help="NAME:1x3x224x224 fixes sizes that the model leaves open"),
]


@contextlib.contextmanager
def plain_errors():
    """One line and a status instead of a traceback for what users do wrong."""
    try:
        yield
    except (ValueError, TypeError, RuntimeError, OSError, ImportError) as error:
        error_console.print(f"ferrule: error: {error}", style="red", markup=False)
        raise typer.Exit(1) from None


@app.callback(invoke_without_command=True)
def version(
    version: Annotated[bool, typer.Option("--version", help="Print it")] = False,
):
    if version:
        print(__version__)
        raise typer.Exit()


@app.command("compile")
def compile_command(
    model: Model,
    output: Annotated[Path, typer.Option("-o", "--output", help="The .byre file")],
    target: Target = "cpu",
    target_cpu: TargetCpu = "host",
    input_shape: InputShape = None,
    opt_level: OptLevel = 1,
    dump_ir: Annotated[
        str, typer.Option(help="A folder for the program after each stage")
    ] = "",
    kernel_cache: Annotated[
        str, typer.Option(help="Where machine code is kept: off, or a folder")
    ] = "",
):
    """Compile a model to a .byre program."""
    with plain_errors():
        executable, seconds = programs.compile_file(
            model,
            target,
            target_cpu,
            input_shape,
            opt_level,
            dump_ir,
            kernel_cache=kernel_cache,
        )
        executable.save(output)
        table = Table(title=f"{output}: {size_text(os.path.getsize(output))}")
        for column in ("", "name", "type", "shape"):
            table.add_column(column)
        for kind, values in (
            ("input", executable.inputs),
            ("output", executable.outputs),
        ):
            for value in values:
                shape = " x ".join("?" if d is None else str(d) for d in value.shape)
                table.add_row(kind, value.name, value.dtype, shape or "scalar")
        console.print(table)
        console.print(f"compiled in {seconds:.1f} s")


@app.command("run")
def run_command(
    model: Model,
    input: Inputs = None,
    output: Annotated[
        list[str] | None,
        typer.Option(help="@FILE.npy (in their order) or NAME=@FILE.npy"),
    ] = None,
    threads: Threads = None,
    function: Annotated[str, typer.Option(help="main, or the only one")] = "",
    show: Annotated[bool, typer.Option("--print", help="Print the values")] = False,
    random: Annotated[
        bool, typer.Option(help="Fill inputs that are not given with random values")
    ] = False,
):
    """Run a program, or a model that is compiled first, once."""
    with plain_errors():
        executable = programs.load_or_compile(model, threads, function)
        inputs = executable._native.make_inputs(input or [], random)
        results = executable.run(inputs)
        programs.save_outputs(executable, results, output or [])
        for value, array in zip(executable.outputs, results, strict=True):
            shape = "x".join(map(str, array.shape)) + ("x" if array.shape else "")
            text = f"{value.name}: {shape}{value.dtype}"
            console.print(
                f"{text} = {array}" if show else text, markup=False, highlight=False
            )


@app.command("check")
def check_command(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders of .mlir")],
    target: Target = "cpu",
    opt_level: OptLevel = 1,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", min=1, help="Programs at once")
    ] = None,
):
    """Run programs that hold their expectations."""
    with plain_errors():
        from .._native import _compiler

        sys.stdout.flush()
        _, failed = _compiler.check_files(
            [str(path) for path in paths], target, opt_level, jobs or os.cpu_count()
        )
    raise typer.Exit(1 if failed else 0)


@app.command("bench")
def bench_command(
    model: Model,
    input: Inputs = None,
    threads: Threads = None,
    rounds: Annotated[int, typer.Option(min=3, help="Interleaved rounds")] = 15,
    against: Annotated[
        str, typer.Option(help="onnxruntime: compare on an .onnx file; or none")
    ] = "none",
):
    """Measure the latency of a model, alone or against ONNX Runtime."""
    with plain_errors():
        from .bench import measure

        executable = programs.load_or_compile(model, threads)
        inputs = executable._native.make_inputs(input or [], True)
        console.print(measure(executable, model, inputs, rounds, against))


@app.command("explain")
def explain_command(
    model: Model,
    input: Inputs = None,
    threads: Threads = None,
    rounds: Annotated[int, typer.Option(min=1, help="Runs to take medians of")] = 15,
    top: Annotated[int, typer.Option(min=0, help="Kernels to list; 0: all")] = 30,
    html: Annotated[
        Path | None, typer.Option(help="Write the whole report as one HTML page")
    ] = None,
):
    """Show each kernel: what was fused, its time, share and roofline."""
    with plain_errors():
        from .explain import explain
        from .report import write_html

        executable = programs.load_or_compile(model, threads)
        inputs = executable._native.make_inputs(input or [], True)
        with console.status("measuring"):
            explanation = explain(executable, inputs, rounds, str(model))
        console.print(explanation.table(top))
        for line in explanation.summary():
            console.print(line, highlight=False)
        if html:
            write_html(explanation, html)
            console.print(f"wrote {html}")
