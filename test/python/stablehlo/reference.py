"""StableHLO's own implementation, as jaxlib has it, beside Ferrule's tools."""

import importlib
import io
import os
import re
import subprocess
from pathlib import Path

from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, stablehlo

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
PROGRAMS = ROOT / "test/Dialect"
SEPARATOR = "\n// -----\n"

# Reading an artifact of it is the only way to load the dialect from Python.
QUANTIZED = """func.func @f(%x: tensor<!quant.uniform<i8:f32, 2.0>>) {
  %0 = stablehlo.uniform_dequantize %x : (tensor<!quant.uniform<i8:f32, 2.0>>) -> tensor<f32>
  return
}"""


def make_context():
    context = make_ir_context()
    stablehlo.register_dialect(context)
    chlo.register_dialect(context)
    context.allow_unregistered_dialects = False
    artifact = stablehlo.serialize_portable_artifact_str(QUANTIZED, "1.0.0")
    stablehlo.deserialize_portable_artifact(context, artifact)
    return context


def parse(text):
    """The module of text or bytecode in the current context."""
    return ir.Module.parse(text)


def pretty(module):
    return module.operation.get_asm().strip()


def generic(module):
    return module.operation.get_asm(print_generic_op_form=True).strip()


def bytecode(module):
    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return file.getvalue()


def operation_names(dialect):
    """The operations that the reference knows."""
    module = importlib.import_module(f"jaxlib.mlir.dialects._{dialect}_ops_gen")
    return {
        value.OPERATION_NAME
        for value in vars(module).values()
        if hasattr(value, "OPERATION_NAME")
    }


def parts(path):
    """The programs of a file of tests."""
    return re.split(r"// -----.*\n", path.read_text())


def valid_programs(*dialects):
    """Programs of the dialects' tests that the reference takes, as it prints
    them, each with the name of its file."""
    found = []
    with make_context(), ir.Location.unknown():
        for dialect in dialects:
            for path in sorted((PROGRAMS / dialect).glob("*.mlir")):
                if path.stem.startswith("invalid"):
                    continue
                for text in parts(path):
                    try:
                        text = pretty(parse(text))
                        parse(text)
                    except ir.MLIRError:
                        # Operations younger than the installed reference, or a
                        # text of its own that it does not read.
                        continue
                    found.append((path.stem, text))
    return found


def run(tool, data, *options):
    if isinstance(data, str):
        data = data.encode()
    result = subprocess.run(
        [BUILD / "bin" / tool, *options], input=data, capture_output=True, timeout=300
    )
    assert result.returncode == 0, result.stderr.decode()[-2000:]
    return result.stdout
