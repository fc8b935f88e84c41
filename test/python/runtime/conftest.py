import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))


@pytest.fixture(scope="session")
def build_folder() -> Path:
    return Path(os.environ.get("FERRULE_BUILD", ROOT / "build"))
