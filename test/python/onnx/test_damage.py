"""Damaged models end in one error: never a crash, never a hang.

Each process imports the mutants of some seeds; FERRULE_FULL=1 takes more.
"""

import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(__file__)
EACH = 200
COUNT = 40 if os.environ.get("FERRULE_FULL") == "1" else 2


@pytest.mark.parametrize("part", range(COUNT))
def test_mutants(part):
    command = [sys.executable, "-W", "ignore", os.path.join(HERE, "mutate.py")]
    command += [str(part * EACH), str((part + 1) * EACH)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False
    )
    last = done.stdout.strip().splitlines()[-1:]
    assert done.returncode == 0, f"at mutant {last}: {done.stderr[-2000:]}"
