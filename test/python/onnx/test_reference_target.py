"""ONNX's node tests on the reference target, whose code shares nothing with the
CPU's: where the CPU fails and this passes, the fault is in the CPU's kernels."""

import functools
import os

import cases
import ferrule
import pytest
import test_node

NAMES = [
    name
    for name in sorted(cases.all_cases())
    if cases.reason_to_fail(name, test_node.FAILURES) is None
]


@pytest.mark.parametrize(
    "name", NAMES if os.environ.get("FERRULE_FULL") == "1" else NAMES[7::50]
)
def test_node_of_onnx(name, monkeypatch):
    compile_for_reference = functools.partial(ferrule.compile, target="reference")
    monkeypatch.setattr(ferrule, "compile", compile_for_reference)
    case = cases.read_case(cases.all_cases()[name])
    test_node.check(case, test_node.run(case))
