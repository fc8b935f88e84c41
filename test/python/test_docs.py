"""Pages that come from the sources are as the sources say."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_reference_pages_are_fresh():
    result = subprocess.run(
        [sys.executable, ROOT / "utils/make_docs.py", "--check"],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
