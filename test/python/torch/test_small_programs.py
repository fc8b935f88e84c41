"""The tables in `small`: programs as users write them, with fixed and open sizes.

The usual run takes every 25th row; FERRULE_FULL=1 takes all. What the exporter
itself refuses is skipped.
"""

import importlib
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "small"))
from rows import Refused, check  # noqa: E402

STRIDE = 1 if os.environ.get("FERRULE_FULL") == "1" else 25
FAMILIES = ("elementwise", "shapes", "indexing", "spatial", "models")
ROWS = [
    pytest.param(row, id=f"{family}-{row.name}")
    for family in FAMILIES
    for row in importlib.import_module(family).ROWS
]


def run(row, is_open):
    try:
        check(row, is_open)
    except Refused as refusal:
        pytest.skip(f"PyTorch's exporter refuses: {str(refusal)[:100]}")


@pytest.mark.parametrize("row", ROWS[::STRIDE])
def test_fixed(row):
    run(row, False)


@pytest.mark.parametrize("row", ROWS[STRIDE // 2 :: STRIDE])
def test_open(row):
    run(row, True)
