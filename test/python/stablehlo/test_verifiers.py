"""What Ferrule's verifiers accept and refuse is what StableHLO's do, over
mutants of the programs of the dialect's own tests.

Each program is changed in one or two places: a number, an element type, a
size, a flag. Verdicts must agree; where they need not, VERDICTS_MAY_DIFFER
says which operation and why.
"""

import os
import random
import re
import subprocess

import pytest

pytest.importorskip("jaxlib")
from jaxlib.mlir import ir  # noqa: E402
from reference import BUILD, SEPARATOR, make_context, valid_programs  # noqa: E402

FULL = os.environ.get("FERRULE_FULL") == "1"
COUNT = 40 if FULL else 4

VERDICTS_MAY_DIFFER = {
    "chlo.ragged_dot": "the result's sizes are not compared with the operands'",
    "stablehlo.bitcast_convert": "the reference takes results of more bits",
    "stablehlo.cross-replica-sum": "the reference does not look at its groups",
    "stablehlo.dynamic_conv": "the reference does not look at windows",
    "stablehlo.dynamic_gather": "the order of dimensions is not checked",
    "stablehlo.select_and_scatter": "the reference takes bodies of fewer bits",
    "stablehlo.all_gather": "the specification fixes the size (C6), the reference a multiple",
    "stablehlo.all_reduce": "results wider than the body's are accepted",
    "stablehlo.broadcast_in_dim": "results of unknown sizes are accepted",
    "stablehlo.custom_call": "layouts are not compared with shapes",
    "stablehlo.dynamic_broadcast_in_dim": "the specification has C7, the reference has not",
    "stablehlo.dynamic_iota": "the specification has C2, the reference has not",
    "stablehlo.real_dynamic_slice": "vectors of unknown length are accepted",
    "stablehlo.reduce_window": "the specification fixes the shape of padding",
    "stablehlo.torch_index_select": "the reference does not look at its numbers",
}


def operations():
    """Each operation of the tests' programs in a function of its own."""
    found = []
    texts = valid_programs("StableHLO", "CHLO")
    with make_context() as context, ir.Location.unknown():
        context.emit_error_diagnostics = True
        for _, text in texts:
            module = ir.Module.parse(text)
            for function in module.body.operations:
                if "func.func" != function.operation.name or function.is_external:
                    continue
                for operation in function.body.blocks[0].operations:
                    name = operation.operation.name
                    # A composite needs its function as well; the reference
                    # crashes when shapes do not broadcast.
                    if name.split(".")[0] in ("stablehlo", "chlo") and not (
                        "compos" in name or "broadcast_" in name.split(".")[1][:10]
                        and name.startswith("chlo")
                    ):
                        found.append(alone(operation.operation))
    programs = sorted(set(found))
    # Bodies that use values from outside cannot stand alone.
    verdicts = reference_verdicts(map(in_function, programs))
    return [program for program, refused in zip(programs, verdicts) if not refused]


def alone(operation):
    """The operation in generic form, with operands %a0, %a1 and so on."""
    generic = operation.get_asm(print_generic_op_form=True, assume_verified=True)
    head, rest = generic.split("(", 1)
    tail = rest.split(")", 1)[1]
    names = ", ".join(f"%a{i}" for i in range(len(operation.operands)))
    results = ", ".join(f"%r{i}" for i in range(len(operation.results)))
    return (
        f"{results} = "[: 99 * len(results)]
        + re.sub(r"^.*= ", "", head)
        + f"({names}){tail}"
    )


def in_function(operation):
    """A program of one function that has what the operation's type says."""
    inputs = operation.rsplit(" : (", 1)[1].split(") -> ", 1)[0]
    types = re.findall(r"(?:[^,<(]|<(?:[^<>]|<[^<>]*>)*>)+", inputs)
    arguments = ", ".join(f"%a{i}: {t.strip()}" for i, t in enumerate(types))
    return (
        f'"func.func"() <{{function_type = ({inputs}) -> (), sym_name = "f"}}> ({{\n'
        f"^bb0({arguments}):\n  {operation}\n"
        '  "func.return"() : () -> ()\n}) : () -> ()'
    )


NUMBERS = ["-1", "0", "1", "2", "3", "5", "8"]
ELEMENTS = [
    "f32",
    "f64",
    "bf16",
    "i1",
    "i8",
    "i32",
    "i64",
    "ui8",
    "ui32",
    "complex<f32>",
]
SIZES = ["0", "1", "2", "3", "4", "?", "8"]


def mutate(text, source):
    for _ in range(source.choice([1, 1, 2])):
        kind = source.random()
        if kind < 0.45:
            places = list(re.finditer(r"(?<=[\[:, ])-?\d+(?=[\],>x]| :)", text))
            options = NUMBERS
        elif kind < 0.7:
            places = list(re.finditer(r"(?<=[<x])(?:[0-9]+|\?)(?=x)", text))
            options = SIZES
        elif kind < 0.9:
            places = list(
                re.finditer(r"(?<=[<x])(?:f32|f64|i32|i1|i64|ui32)(?=>)", text)
            )
            options = ELEMENTS
        else:
            places = list(re.finditer(r"\b(?:true|false)\b", text))
            options = ["true", "false"]
        if places:
            place = source.choice(places)
            new = source.choice(options)
            text = text[: place.start()] + new + text[place.end() :]
    return text


def reference_verdicts(programs):
    verdicts = []
    with make_context() as context, ir.Location.unknown():
        context.emit_error_diagnostics = True
        for program in programs:
            try:
                ir.Module.parse(program)
                verdicts.append("")
            except Exception as error:
                verdicts.append(str(error).strip() or "refused")
    return verdicts


def ferrule_verdicts(programs):
    text = SEPARATOR.join(programs)
    result = subprocess.run(
        [BUILD / "bin/ferrule-opt", "-split-input-file", "-o", os.devnull],
        input=text,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert result.returncode in (0, 1), result.stderr[-2000:]
    errors = {}
    # Line numbers are those of the whole text.
    for line, message in re.findall(r":(\d+):\d+: error: (.*)", result.stderr):
        errors.setdefault(int(line), message)
    verdicts, start = [], 1
    for program in programs:
        end = start + program.count("\n")
        hits = [errors[n] for n in range(start, end + 1) if n in errors]
        verdicts.append(hits[0] if hits else "")
        start = end + SEPARATOR.count("\n")
    return verdicts


def name_of(program):
    return re.search(r'"((?:stablehlo|chlo)\.[\w-]+)"', program).group(1)


def disagreements(count, seed=0):
    source = random.Random(seed)
    mutants = {mutate(p, source) for p in operations() for _ in range(count)}
    programs = [in_function(mutant) for mutant in sorted(mutants)]
    pairs = zip(programs, reference_verdicts(programs), ferrule_verdicts(programs))
    return [(p, r, f) for p, r, f in pairs if bool(r) != bool(f)], len(programs)


def test_verdicts_agree():
    differing, count = disagreements(COUNT)
    unexplained = [d for d in differing if name_of(d[0]) not in VERDICTS_MAY_DIFFER]
    assert count > 100
    assert not unexplained, "\n\n".join(
        f"{p}\nreference: {r or 'accepts'}\nFerrule: {f or 'accepts'}"
        for p, r, f in unexplained[:5]
    )
