"""Every op on every element type, against jaxlib: a fixed slice, or all cases
with FERRULE_FULL=1."""

import os
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from sweep import elementwise, programs, structure  # noqa: E402

FAMILIES = {
    "operations": elementwise.operations,
    "conversions": elementwise.conversions,
    "comparisons": elementwise.comparisons,
    "selections": elementwise.selections,
    "others": elementwise.others,
    "structure": structure.cases,
}


def known(name):
    """Reasons of the cases that are not compared."""
    path = pathlib.Path(__file__).parent / "sweep" / "known_differences.txt"
    for line in path.read_text().splitlines():
        case, _, reason = line.partition(" # ")
        if reason and case.strip() == name:
            return reason
    return None


@pytest.mark.parametrize("family", FAMILIES)
def test_ops(family, tmp_path):
    cases = list(FAMILIES[family]())
    if os.environ.get("FERRULE_FULL") != "1":
        cases = random.Random(5).sample(cases, min(20, len(cases)))
    cases = [c for c in cases if not known(c.name)]
    failures, summary = programs.run(cases, tmp_path / "programs.mlir")
    assert not failures, "\n".join([f"{n}: {m}" for n, m in failures.items()] + [summary])
