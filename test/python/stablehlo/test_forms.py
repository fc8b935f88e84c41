"""Text and bytecode of every operation are the reference's, both ways."""

import re

import pytest

pytest.importorskip("jaxlib", reason="StableHLO of jaxlib is the reference")
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402
from reference import (  # noqa: E402
    SEPARATOR,
    bytecode,
    generic,
    make_context,
    operation_names,
    parse,
    pretty,
    run,
    valid_programs,
)

DIALECTS = {"stablehlo": "StableHLO", "chlo": "CHLO"}


@pytest.fixture(scope="module")
def programs():
    """Each as the reference prints it, in pretty and in generic form."""
    found = []
    with make_context(), ir.Location.unknown():
        for _, text in valid_programs(*DIALECTS.values()):
            module = parse(text)
            found.append((pretty(module), generic(module)))
    return found


def ferrule_prints(texts, *options):
    out = run("ferrule-opt", SEPARATOR.join(texts), "-split-input-file", *options)
    return [part.strip() for part in out.decode().split("// -----")]


def assert_equal(found, expected):
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        assert f == e


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_has_a_program(programs, dialect):
    text = "".join(form for _, form in programs)
    missing = {
        name for name in operation_names(dialect) if f'"{name}"' not in text
    }
    assert not missing


@pytest.mark.parametrize("source", ["pretty", "generic"])
@pytest.mark.parametrize("target", ["pretty", "generic"])
def test_text(programs, source, target):
    """What the reference prints in either form is printed the same."""
    index = {"pretty": 0, "generic": 1}
    options = ["--mlir-print-op-generic"] if target == "generic" else []
    found = ferrule_prints([p[index[source]] for p in programs], *options)
    assert_equal(found, [p[index[target]] for p in programs])


# The layout of an operation's properties follows the version of the dialect,
# which bytecode does not promise to keep.
LAYOUT_SINCE = {"stablehlo.collective_broadcast": (1, 19)}


def of_one_layout(programs):
    version = tuple(map(int, stablehlo.get_current_version().split(".")))
    newer = [name for name, since in LAYOUT_SINCE.items() if version < since]
    return [text for text, _ in programs if not any(name in text for name in newer)]


# MLIR 23, which JAX has, writes codes for these that MLIR 22 does not read; what
# MLIR 22 writes, as text, both read.
YOUNG_TYPES = re.compile(r"\btf32\b|\bf[468]E\d")


def test_bytecode_of_the_reference(programs):
    with make_context(), ir.Location.unknown():
        for text in of_one_layout(programs):
            if YOUNG_TYPES.search(text):
                continue
            data = bytecode(parse(text))
            assert run("ferrule-translate", data, "-").decode().strip() == text


def test_bytecode_for_the_reference(programs):
    with make_context(), ir.Location.unknown():
        for text in of_one_layout(programs):
            data = run("ferrule-opt", text, "--emit-bytecode")
            assert pretty(parse(data)) == text


def test_bytecode_holds_no_text_of_attributes(programs):
    """Attributes that have a code are not written as text."""
    for text, _ in programs:
        data = run("ferrule-opt", text, "--emit-bytecode")
        assert not re.search(rb"stablehlo\.(gather|dot|conv|scatter)<", data)
        assert b"#stablehlo<" not in data
