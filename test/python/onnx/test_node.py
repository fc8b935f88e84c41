"""ONNX's own node tests, compiled and run.

The usual run takes a fixed slice; FERRULE_FULL=1 runs all. A test that is
listed in expected_failures.txt must fail; a reason that begins with
"pending:" allows both.
"""

import os

import cases
import numpy as np
import pytest

import ferrule

FULL = os.environ.get("FERRULE_FULL") == "1"
FAILURES = cases.expected_failures()


def selected() -> list[str]:
    names = sorted(cases.all_cases())
    return names if FULL else names[::12]


def compiled(case: cases.Case):
    infos = cases.given_inputs(case.model)
    names = [(info.name, info.type.WhichOneof("value")) for info in infos]
    inputs, shapes = cases.flatten(case.inputs, names)
    data = case.model.SerializeToString()
    return ferrule.compile(data, input_shapes=shapes), inputs


def run(case: cases.Case) -> list:
    try:
        program, inputs = compiled(case)
    except Exception:
        # Parameters that must be known when compiling.
        program, inputs = compiled(cases.freeze_parameters(case))
    results = program(*inputs)
    return list(results) if isinstance(results, (tuple, list)) else [results]


def largest(value) -> float:
    """The largest finite magnitude, which sums are rounded in proportion to."""
    return np.abs(value[np.isfinite(value)]).max(initial=0)


def check(case: cases.Case, results: list) -> None:
    outputs, _ = cases.flatten(case.outputs, [("", "tensor_type")] * len(case.outputs))
    for result, wanted in zip(results, outputs, strict=True):
        assert result.shape == wanted.shape
        assert result.dtype == wanted.dtype
        exact = wanted.dtype.kind in "biu"
        if not exact and wanted.dtype.kind != "c":
            result, wanted = result.astype(np.float64), wanted.astype(np.float64)
        half = outputs[0].dtype.itemsize < 4
        np.testing.assert_allclose(
            result,
            wanted,
            rtol=max(case.rtol, 1e-2 if half else 1e-3),
            atol=max(case.atol, 1e-2 if half else 1e-5, 1e-6 * largest(wanted)),
        )


@pytest.mark.parametrize("name", selected())
def test_node(name):
    reason = cases.reason_to_fail(name, FAILURES)
    case = cases.read_case(cases.all_cases()[name])
    if reason is None:
        check(case, run(case))
        return
    # What is pending in another part of the compiler may pass before the list
    # says so; all else must fail as listed.
    try:
        check(case, run(case))
    except BaseException:
        pytest.xfail(reason)
    if not reason.startswith("pending:"):
        pytest.fail(f"passes, but is listed as a failure: {reason}")
