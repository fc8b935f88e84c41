"""Families of transformers' models against eager PyTorch.

By default each family is compiled once with fixed sizes, and a part of them with
dynamic ones too; FERRULE_FULL=1 does both for all. The table of
docs/reference/models.md is written from a full run:

    FERRULE_FULL=1 FERRULE_WRITE_TABLE=1 pytest -n 1 test/python/torch/test_families.py
"""

import json
import os
import random
import subprocess
from pathlib import Path

import families
import pytest
import torch
from torch.utils import _pytree as pytree

import ferrule

FULL = bool(os.environ.get("FERRULE_FULL"))
WRITE = bool(os.environ.get("FERRULE_WRITE_TABLE"))
ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "models.md"
CAN_BE_DYNAMIC = [n for n, f in families.FAMILIES.items() if not f.only_static]
DYNAMIC = CAN_BE_DYNAMIC if FULL else random.Random(0).sample(CAN_BE_DYNAMIC, 12)


def difference(actual, expected) -> float:
    """Largest difference of tensors of one shape, in parts of the largest
    magnitude; infinity where one is finite and the other is not."""
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    if not expected.dtype.is_floating_point:
        return 0.0 if torch.equal(actual, expected) else float("inf")
    a, b = actual.double(), expected.double()
    finite = torch.isfinite(b)
    if not torch.equal(a[~finite], b[~finite]):
        return float("inf")
    a, b = a[finite], b[finite]
    if a.numel() == 0:
        return 0.0
    return float((a - b).abs().max() / b.abs().max().clamp_min(1e-30))


def compare(family, program, module, size) -> float:
    inputs = {**family.inputs(*size), **family.options}
    with torch.no_grad():
        expected, expected_spec = pytree.tree_flatten(module(**inputs))
    actual, actual_spec = pytree.tree_flatten(program(**inputs))
    assert actual_spec == expected_spec
    worst = 0.0
    for a, b in zip(actual, expected, strict=True):
        if isinstance(b, torch.Tensor):
            worst = max(worst, difference(a, b))
        else:
            assert a == b
    return worst


def check(name, dynamic):
    family = families.FAMILIES[name]
    module = family.make()
    inputs = {**family.inputs(*family.sizes[0]), **family.options}
    shapes = {key: family.dynamic.get(key) for key in inputs} if dynamic else None
    program = ferrule.compile(module, (), dynamic_shapes=shapes, example_kwargs=inputs)
    sizes = family.sizes if dynamic else family.sizes[:1]
    worst = max(compare(family, program, module, size) for size in sizes)
    assert worst < family.tolerance
    return worst


def head() -> str:
    return subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


class Table:
    """Largest differences seen, kept from run to run, and the page of them."""

    path = ROOT / ".cache" / "families.json"

    def __init__(self):
        self.rows = json.loads(self.path.read_text()) if self.path.exists() else {}

    def record(self, name, mode, value):
        commits = self.rows.setdefault("commits", [])
        if WRITE and (commit := head()) not in commits:
            commits.append(commit)
        self.rows[f"{name} {mode}"] = value
        if WRITE:
            self.path.write_text(json.dumps(self.rows, indent=1))


@pytest.fixture(scope="module")
def table():
    table = Table()
    yield table
    if WRITE:
        PAGE.write_text(page_text(table.rows))


@pytest.mark.parametrize("name", families.FAMILIES)
def test_static(name, table):
    table.record(name, "static", None)
    table.record(name, "static", check(name, False))


@pytest.mark.parametrize("name", DYNAMIC)
def test_dynamic(name, table):
    table.record(name, "dynamic", None)
    table.record(name, "dynamic", check(name, True))


def page_text(rows) -> str:
    import transformers

    lines = [
        "<!-- Written by test/python/torch/test_families.py from a full run. -->",
        "",
        "# Families of models",
        "",
        "Models of `transformers` in tiny configurations with random weights, through",
        "`ferrule.compile` with fixed and with dynamic sizes, against eager PyTorch: the",
        "largest difference of any result, in parts of its largest magnitude.",
        "",
        f"PyTorch {torch.__version__}, transformers {transformers.__version__}; commits",
        f"{', '.join(rows.get('commits', []))}.",
        "",
        "| family | model | fixed sizes | dynamic sizes |",
        "|---|---|---|---|",
    ]
    for name, family in families.FAMILIES.items():
        cells = []
        for mode in ("static", "dynamic"):
            value = rows.get(f"{name} {mode}")
            if mode == "dynamic" and family.only_static:
                cells.append(family.only_static)
            else:
                cells.append("fails" if value is None else f"{value:.0e}")
        lines.append(f"| {name} | {family.model} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"
