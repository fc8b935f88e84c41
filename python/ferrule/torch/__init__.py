"""PyTorch programs for Ferrule: import and inspection."""

from __future__ import annotations

from .exporting import export, parameter_names
from .locations import definition_line
from .program import Imported, ProgramImporter
from .types import ImportFailure

__all__ = ["ImportFailure", "export_and_import", "import_exported_program"]

OUTPUT_TYPES = ("raw", "torch", "stablehlo", "linalg-on-tensors", "tosa")


def import_exported_program(
    program,
    *,
    dynamic_shapes=None,
    func_name="main",
    names=(),
    definition=("", 0),
) -> Imported:
    """The torch-dialect program of a torch.export.ExportedProgram."""
    importer = ProgramImporter(program, dynamic_shapes, names, definition)
    return importer.run(func_name)


def export_and_import(
    f,
    *args,
    output_type="torch",
    dynamic_shapes=None,
    decomposition_table=None,
    func_name="main",
    backend_legal_ops=(),
    strict=False,
    verbose=False,
    kwargs=None,
) -> Imported:
    """Exports `f` with the example arguments and imports the graph.

    The result's `str()` is the program's text with large constants left out;
    `.module` is the program.
    """
    output_type = str(getattr(output_type, "value", output_type)).lower()
    output_type = output_type.replace("_", "-")
    if output_type not in OUTPUT_TYPES:
        raise ValueError(
            f"output_type: expected one of {', '.join(OUTPUT_TYPES)}, but found "
            f"'{output_type}'"
        )
    program = export(
        f,
        args,
        kwargs,
        dynamic_shapes=dynamic_shapes,
        decomposition_table=decomposition_table,
        backend_legal_ops=backend_legal_ops,
        strict=strict,
    )
    if verbose:
        program.graph_module.print_readable()
    imported = import_exported_program(
        program,
        dynamic_shapes=dynamic_shapes,
        func_name=func_name,
        names=parameter_names(f),
        definition=definition_line(f),
    )
    lower(imported, output_type)
    return imported


# Output types that are stages of the compiler.
STAGES = {"stablehlo": "stablehlo", "linalg-on-tensors": "linalg"}


def lower(imported: Imported, output_type: str) -> None:
    """Takes an imported program to another form, in place."""
    if output_type == "torch":
        imported.module.run_pipeline("canonicalize,cse")
    elif output_type in STAGES:
        imported.module.compile(compile_to=STAGES[output_type])
    elif output_type == "tosa":
        imported.module.compile(compile_to="stablehlo")
        imported.module.run_pipeline("convert-stablehlo-to-tosa{full=true}")
