"""What JAX lowers gives what JAX computes: functions of jax.lax, jax.numpy,
jax.nn, jax.scipy, jax.random and jax.numpy.linalg, control flow, grad and vmap.

The usual run takes a fixed slice; FERRULE_FULL=1 runs all. The functions that
fail are listed by name with their reason in jax_expected_failures.txt: one of
them that passes is an error.
"""

import itertools
import os
from pathlib import Path

import pytest

pytest.importorskip("jax")
import jax  # noqa: E402
import jax_cases_lax  # noqa: E402
import jax_cases_numpy  # noqa: E402
import numpy as np  # noqa: E402
from stablehlo_parity import run  # noqa: E402

FULL = os.environ.get("FERRULE_FULL") == "1"
LIST = Path(__file__).parent / "jax_expected_failures.txt"
TOLERANCE = {"float64": 1e-9, "complex128": 1e-9, "float32": 2e-5, "complex64": 1e-4,
             "float16": 4e-3, "bfloat16": 3e-2}  # fmt: skip


def all_cases():
    cases = {}
    for case in itertools.chain(jax_cases_numpy.cases(), jax_cases_lax.cases()):
        cases.setdefault(case.name, case)
    return cases


def expected_failures():
    lines = LIST.read_text().splitlines()
    entries = (line.split(": ", 1) for line in lines if line and line[0] != "#")
    return {name: reason for name, reason in entries}


CASES = all_cases()
FAILURES = expected_failures()
NAMES = list(CASES) if FULL else list(CASES)[::25]


def compare(case, found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    if case.exact or expected.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
        return
    # bfloat16 has no comparison of its own in numpy.
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    # The arguments' type limits what the result can be.
    types = {str(expected.dtype), *(str(np.asarray(a).dtype) for a in case.args)}
    rtol = case.rtol or max(TOLERANCE.get(t, 0) for t in types)
    expected = expected.astype(wide)
    finite = np.abs(expected[np.isfinite(expected)])
    atol = rtol * max(1e-3, finite.max(initial=0.0))
    np.testing.assert_allclose(found.astype(wide), expected, rtol=rtol, atol=atol)


@pytest.mark.parametrize("name", NAMES)
def test_as_jax_computes(name, request):
    if name in FAILURES:
        mark = pytest.mark.xfail(reason=FAILURES[name], strict=True)
        request.node.add_marker(mark)
    case = CASES[name]
    jitted = jax.jit(case.function, keep_unused=True)
    text = jitted.lower(*case.args).as_text()
    found = run(text, *case.args)
    expected = jax.tree_util.tree_leaves(jitted(*case.args))
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        compare(case, f, e)


def test_the_set_is_large_and_nearly_all_of_it_passes():
    assert len(CASES) >= 1000
    assert len(FAILURES) <= len(CASES) / 100
    assert not set(FAILURES) - set(CASES)
