#!/usr/bin/env python3
"""Writes the programs of test/e2e that come from JAX: each lowers a function
and holds inputs and the values that JAX computed on the CPU.

    utils/make_e2e.py [FOLDER]

The functions are those of test/e2e/jax_*cases.py. Programs that are written by
hand lie in the same folder under other names.
"""

import sys
from pathlib import Path

import jax
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test/e2e"))
import jax_layer_cases  # noqa: E402, F401, registers its cases
from jax_cases import FILES  # noqa: E402

TYPES = {"bool": "i1", "bfloat16": "bf16"}
HEADER = "// Written by utils/make_e2e.py; expected values are those of JAX {}.\n"


def type_text(array):
    kind, bits = array.dtype.kind, array.dtype.itemsize * 8
    name = {
        "f": f"f{bits}",
        "i": f"i{bits}",
        "u": f"ui{bits}",
        "c": f"complex<f{bits // 2}>",
    }.get(kind)
    name = TYPES.get(array.dtype.name, name)
    return "tensor<" + "".join(f"{d}x" for d in array.shape) + f"{name}>"


def scalar_text(value):
    kind = value.dtype.kind
    if kind == "b":
        return "true" if value else "false"
    if kind in "iu":
        return str(int(value))
    if kind == "c":
        return f"({scalar_text(value.real)}, {scalar_text(value.imag)})"
    if np.isfinite(value.astype("f8")):
        text = repr(float(value))
        return text if "." in text else text.replace("e", ".0e")
    return "0x" + value.tobytes()[::-1].hex().upper()


def literal(array):
    if array.ndim == 0:
        return scalar_text(array[()])
    return "[" + ", ".join(literal(part) for part in array) + "]"


def constant(name, array):
    text = literal(array) if array.size else ""
    return f"    %{name} = stablehlo.constant dense<{text}> : {type_text(array)}\n"


def program(function, args, check):
    """The lowered function as @f, and @main with its inputs and checks."""
    traced = jax.jit(function, keep_unused=True).trace(*args)
    text = traced.lower().as_text()
    if "lapack" in text:
        # For the CPU, JAX calls a library; for others it writes StableHLO.
        text = traced.lower(lowering_platforms=("tpu",)).as_text()
    results = [
        np.asarray(r) for r in jax.tree_util.tree_leaves(jax.jit(function)(*args))
    ]
    _, body = (
        text.split("{\n", 1)
        if "attributes" not in text.split("\n")[0]
        else text.split("} {\n", 1)
    )
    body = body.rstrip()[:-1].replace(
        "func.func public @main(", "func.func private @f("
    )
    body = body.replace(' {jax.result_info = "result"}', "")
    main = "  func.func @main() {\n"
    for i, arg in enumerate(args):
        main += constant(f"in{i}", arg)
    types = ", ".join(type_text(r) for r in results)
    inputs = ", ".join(f"%in{i}" for i in range(len(args)))
    arrow = types if len(results) == 1 else f"({types})"
    name = "%out" if len(results) == 1 else f"%out:{len(results)}"
    main += f"    {name} = call @f({inputs}) : ({', '.join(map(type_text, args))}) -> {arrow}\n"
    for i, result in enumerate(results):
        out = "%out" if len(results) == 1 else f"%out#{i}"
        main += constant(f"want{i}", result)
        kind = check if result.dtype.kind in "fcV" else "expect_eq"
        main += (
            f"    stablehlo.custom_call @check.{kind}({out}, %want{i}) {{has_side_effect = true}}"
            f" : ({type_text(result)}, {type_text(result)}) -> ()\n"
        )
    main += "    return\n  }\n"
    return f"// {function.__doc__}\nmodule @{function.__name__} {{\n{main}{body}}}\n"


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "test/e2e")
    folder.mkdir(parents=True, exist_ok=True)
    for file, cases in FILES.items():
        text = "\n// -----\n\n".join(program(*entry) for entry in cases)
        (folder / f"{file}.mlir").write_text(
            HEADER.format(jax.__version__) + "\n" + text
        )


if __name__ == "__main__":
    main()
