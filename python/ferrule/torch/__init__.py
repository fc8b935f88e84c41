"""PyTorch programs for Ferrule: import and inspection."""

from __future__ import annotations

from .exporting import export, parameter_names
from .program import Imported, ProgramImporter
from .types import ImportFailure

__all__ = ["ImportFailure", "export_and_import", "import_exported_program"]

OUTPUT_TYPES = ("raw", "torch", "stablehlo", "linalg-on-tensors", "tosa")


def import_exported_program(
    program, *, dynamic_shapes=None, func_name="main", names=()
) -> Imported:
    """The torch-dialect program of a torch.export.ExportedProgram."""
    importer = ProgramImporter(program, dynamic_shapes, names)
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
    )
    lower(imported, output_type)
    return imported


PIPELINES = {
    "torch": "canonicalize,cse",
}


def lower(imported: Imported, output_type: str) -> None:
    """Takes an imported program to another form, in place."""
    if output_type == "raw":
        return
    if output_type not in PIPELINES:
        raise NotImplementedError(f"output_type '{output_type}'")
    imported.module.run_pipeline(PIPELINES[output_type])
