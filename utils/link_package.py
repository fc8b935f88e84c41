#!/usr/bin/env python3
"""Makes the checkout's Python package importable in the environment that runs
this, with its entry points: what an editable install would do, without a build.

    .venv/bin/python utils/link_package.py
"""

import sys
import sysconfig
from pathlib import Path

VERSION = "0.1.0"
SOURCE = Path(__file__).resolve().parents[1] / "python"
METADATA = f"""\
Metadata-Version: 2.1
Name: ferrule
Version: {VERSION}
"""
# torch.compile(..., backend="ferrule") finds the backend by this.
ENTRY_POINTS = """\
[torch_dynamo_backends]
ferrule = ferrule.torch.backend:backend

[console_scripts]
ferrule = ferrule.cli:main
"""
SCRIPT = f"""\
#!{sys.executable}
from ferrule.cli import main

main()
"""


def write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def main() -> None:
    site = Path(sysconfig.get_path("purelib"))
    information = site / f"ferrule-{VERSION}.dist-info"
    write(site / "ferrule.pth", f"{SOURCE}\n")
    write(information / "METADATA", METADATA)
    write(information / "entry_points.txt", ENTRY_POINTS)
    write(information / "INSTALLER", "link_package.py\n")
    script = Path(sysconfig.get_path("scripts")) / "ferrule"
    write(script, SCRIPT)
    script.chmod(0o755)


if __name__ == "__main__":
    main()
