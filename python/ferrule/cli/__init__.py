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
    try:
        # Without the standalone mode wrong usage is an exception, not a page.
        code = app(standalone_mode=False)
    except KeyboardInterrupt:
        code = 130
    except Exception as error:
        if type(error).__name__ == "Abort":
            sys.exit(130)
        if not hasattr(error, "format_message"):
            raise
        message = " ".join(error.format_message().split())
        if message:
            print(f"ferrule: error: {message}; see ferrule --help", file=sys.stderr)
        code = getattr(error, "exit_code", 2)
    sys.exit(code if isinstance(code, int) else 0)
