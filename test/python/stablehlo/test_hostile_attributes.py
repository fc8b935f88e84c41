"""Whatever stands in an operation's attributes and types, there is an error or
a program, and no crash."""

import os
import random
import re
import subprocess

import pytest

pytest.importorskip("jaxlib", reason="StableHLO of jaxlib is the reference")
from reference import BUILD, PROGRAMS, SEPARATOR, parts, run  # noqa: E402

FULL = os.environ.get("FERRULE_FULL") == "1"
COUNT = None if FULL else 1500
LARGE = "9223372036854775807"

VALUES = [
    "unit", "f32", '"x"', "[]", "{}", "true", "1.0 : f32", "-1 : i64", f"{LARGE} : i64",
    "-9223372036854775808 : i64", "1 : i32", "[1 : i64]", '["x"]', "@f", "array<i64>",
    "array<i64: -1>", f"array<i64: {LARGE}>", "array<i64: 0, 0, 0, 0, 0, 0, 0, 0>",
    "array<i1: true>", "array<i32: 1>", "dense<> : tensor<0xi64>", "dense<-1> : tensor<2x2xi64>",
    f"dense<{LARGE}> : tensor<1x2xi64>", "dense<1> : tensor<i64>", "dense<1> : tensor<2xindex>",
    "dense<1.0> : tensor<2x2xf32>", "dense<0> : tensor<1x1x1xi64>",
    "#stablehlo.gather<offset_dims = [7], index_vector_dim = -1>",
    "#stablehlo.scatter<update_window_dims = [-1], index_vector_dim = 9>",
    "#stablehlo.dot<lhs_contracting_dimensions = [9], rhs_contracting_dimensions = [-1]>",
    "#stablehlo.conv<raw input_batch_dimension = 9, input_feature_dimension = -1, input_spatial_dimensions = [0, 0], kernel_input_feature_dimension = 9, kernel_output_feature_dimension = 9, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 0, output_spatial_dimensions = [7]>",
    "#stablehlo.channel_handle<handle = -1, type = 77>",
]
NUMBERS = ["-1", "0", "7", LARGE, "-9223372036854775808"]
SIZES = ["0", "?", "1", "9", "4294967296", "4611686018427387904"]
ELEMENTS = ["i1", "i4", "ui8", "f8E4M3FN", "f64", "complex<f64>", "index", "i128", "none", "!quant.uniform<i8:f32, 2.0>"]
TYPES = ["tensor<*xf32>", "tensor<f32>", "tensor<0xf32>", "none", "tuple<>", "!stablehlo.token", "f32", "memref<2xf32>", "tensor<?x?x?x?x?x?xi1>"]


def generic_programs():
    texts = [
        text
        for dialect in ("StableHLO", "CHLO")
        for path in sorted((PROGRAMS / dialect).glob("*.mlir"))
        if not path.stem.startswith("invalid")
        for text in parts(path)
    ]
    out = run("ferrule-opt", SEPARATOR.join(texts), "-split-input-file", "--mlir-print-op-generic")
    return out.decode().split("// -----")


def entries(properties):
    """The places of `name = value` at the top of a dictionary's text."""
    depth, start = 0, 0
    for i, c in enumerate(properties + ","):
        if c in "<[({":
            depth += 1
        elif c in ">])}" and properties[i - 1 : i + 1] != "->":
            depth -= 1
        elif c == "," and depth == 0:
            yield start, i
            start = i + 1


def mutants(program):
    """All programs with one attribute, number or type changed."""
    for place in re.finditer(r"<\{(.*?)\}>", program):
        text = place.group(1)
        for start, end in entries(text):
            name = text[start:end].split("=")[0].strip()
            before = program[: place.start(1) + start]
            after = program[place.start(1) + end :]
            # One attribute fewer: the comma that parts it goes too.
            if after.startswith(","):
                yield before + after[1:]
            else:
                yield before.rstrip(", ") + after
            for value in VALUES:
                yield f"{before} {name} = {value}{after}"
    for place in re.finditer(r"(?<=[\[:, =])-?\d+(?=[\],>x]| :)", program):
        for number in NUMBERS:
            yield program[: place.start()] + number + program[place.end() :]
    for place in re.finditer(r"(?<=[<x])(?:\d+|\?)(?=x)", program):
        for size in SIZES:
            yield program[: place.start()] + size + program[place.end() :]
    # Of tensors only: MLIR's own parser crashes at array<index>.
    elements = r"(?:(?<=tensor<)|(?<=x))(?:[su]?i\d+|f\d+|bf16)(?=>)"
    for place in re.finditer(elements, program):
        for element in ELEMENTS:
            yield program[: place.start()] + element + program[place.end() :]
    for place in re.finditer(r"tensor<[^<>]*>", program):
        for kind in TYPES:
            yield program[: place.start()] + kind + program[place.end() :]


def crashes(programs, *options):
    result = subprocess.run(
        [BUILD / "bin/ferrule-opt", "-split-input-file", "-o", os.devnull, *options],
        input=SEPARATOR.join(programs),
        capture_output=True,
        text=True,
        timeout=900,
    )
    return result.returncode not in (0, 1)


def first_crash(programs, *options):
    """The shortest run of programs that crashes, by halving."""
    while len(programs) > 1:
        half = len(programs) // 2
        first = crashes(programs[:half], *options)
        rest = programs[:half] if first else programs[half:]
        if not first and not crashes(rest, *options):
            break
        programs = rest
    return SEPARATOR.join(programs)


@pytest.mark.parametrize("options", [[], ["--simplify-stablehlo"]], ids=["verify", "simplify"])
def test_no_crash(options):
    found = sorted({m for program in generic_programs() for m in mutants(program)})
    if COUNT:
        found = random.Random(0).sample(found, COUNT)
    for start in range(0, len(found), 2000):
        batch = found[start : start + 2000]
        assert not crashes(batch, *options), first_crash(batch, *options)
