"""The console script `ferrule`: compile | run | check | bench | explain.

`import ferrule` does not import this; it needs typer and rich.
"""

from __future__ import annotations

import sys


def main() -> None:
    try:
        from .app import app
    except ModuleNotFoundError as error:
        sys.exit(
            f"ferrule: error: the command line needs the package '{error.name}': "
            "pip install typer rich"
        )
    app()
