"""A slice of PyTorch's operator database; run.py runs all of it.

The slice is every fourteenth operator with its first sample, as many others with the
dimensions left open; FERRULE_FULL=1 takes every operator. An operator that is
listed in expected_failures.txt may fail.
"""

import os
from pathlib import Path

import pytest
from checking import PASS, check_cases
from samples import full_name, main_type, operators, sample_cases

FULL = os.environ.get("FERRULE_FULL") == "1"
FAILURES = {
    line.split()[0]
    for line in (Path(__file__).parent / "expected_failures.txt")
    .read_text()
    .splitlines()
    if line and not line.startswith("#")
}
OPERATORS = [op for op in operators() if full_name(op) not in FAILURES]


# Limits that the compiler states itself, for sizes that are left open.
STATED = ("known size", "unknown size", "needs a constant", "needs constants")


def chosen(first: int):
    return OPERATORS if FULL else OPERATORS[first::14]


def check(op, mode: str) -> None:
    dtype = main_type(op)
    case = next(sample_cases(op, dtype))
    (verdict,) = check_cases(op, dtype, [case], mode)
    if mode == "all" and any(limit in verdict.reason for limit in STATED):
        return
    # What the exporter refuses never reaches the compiler.
    assert verdict.state in (PASS, "exporter"), f"{case.summary}: {verdict.reason}"


@pytest.mark.parametrize("op", chosen(0), ids=full_name)
def test_static(op):
    check(op, "static")


@pytest.mark.parametrize("op", chosen(7), ids=full_name)
def test_dynamic(op):
    check(op, "all")
