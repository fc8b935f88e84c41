#!/usr/bin/env python3
"""Checks the rules of the house that a script can check.

Prints one line a broken rule (path, what was found, what was expected) and
exits with 1 when there is any. Warnings do not fail.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What each part may include, by the first folders of the path. The first
# prefix that matches a file counts.
MAY_INCLUDE = {
    "runtime/base": ["runtime/base", "runtime/include"],
    "runtime/format": ["runtime/base", "runtime/format", "runtime/include"],
    "runtime/executor": ["runtime/base", "runtime/format", "runtime/executor", "runtime/include"],
    "runtime/devices": ["runtime/"],
    "runtime/kernels": ["runtime/"],
    "runtime": ["runtime/"],
    "compiler": ["compiler/", "runtime/format", "runtime/include"],
    "tools": ["compiler/", "runtime/"],
    "python": ["compiler/", "runtime/", "python/"],
}
# Limits in lines: (warn, refuse).
LIMITS = {".cpp": (500, 800), ".h": (500, 800), ".td": (500, 500), ".py": (400, 400), ".mlir": (250, 250)}
BAD_STEMS = re.compile(r"^(utils?|common|misc|uncategorized|basic|helpers?)$", re.I)
# Generated or tabular files, which no one reads from top to bottom.
EXEMPT = re.compile(r"(Schemas|_generated|/Inputs/|test/compat/)")

errors: list[str] = []
warnings: list[str] = []


def tracked() -> list[str]:
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [p for p in out.stdout.splitlines() if (ROOT / p).is_file()]


def check_names_and_sizes(path: str, text: str) -> None:
    suffix, stem = Path(path).suffix, Path(path).stem
    if len(path) >= 75:
        errors.append(f"{path}: path of {len(path)} characters, expected under 75")
    if suffix in (".cpp", ".h", ".td", ".py") and BAD_STEMS.match(stem):
        errors.append(f"{path}: a name without a subject")
    if suffix in LIMITS and not EXEMPT.search(path):
        lines = text.count("\n")
        warn, refuse = LIMITS[suffix]
        if lines > refuse:
            errors.append(f"{path}: {lines} lines, at most {refuse}")
        elif lines > warn:
            warnings.append(f"{path}: {lines} lines, wanted at most {warn}")
    if Path(path).name == "CMakeLists.txt" and text.count("\n") > 40:
        errors.append(f"{path}: {text.count(chr(10))} lines, at most 40")


def check_includes(path: str, text: str) -> None:
    part = next((p for p in MAY_INCLUDE if path.startswith(p + "/")), None)
    if part is None or Path(path).suffix not in (".cpp", ".h"):
        return
    for include in re.findall(r'^#include ["<]([^">]+)[">]', text, re.M):
        if path.startswith("runtime/") and include.startswith(("llvm/", "mlir/", "lld/")):
            errors.append(f"{path}: includes {include}, the runtime has no LLVM in it")
        first = include.split("/")[0]
        if first not in ("runtime", "compiler", "tools", "python"):
            continue
        # A part's own tests may use anything of the same half.
        allowed = MAY_INCLUDE[part]
        if Path(path).stem.endswith("_test"):
            allowed = [path.split("/")[0] + "/"]
        if not include.startswith(tuple(allowed)):
            errors.append(f"{path}: includes {include}, expected only {', '.join(allowed)}")


def check_code(path: str, text: str) -> None:
    if Path(path).suffix not in (".cpp", ".h", ".td", ".py"):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\b(TODO|FIXME|XXX)\b(?!.*:\s*\S+ \S+)", line) and "check_tree" not in path:
            errors.append(f"{path}:{number}: a TODO without its reason")
        if path.startswith("compiler/") and re.search(r"llvm::errs\(\)|std::cerr", line):
            errors.append(f"{path}:{number}: the compiler prints to the standard error")
        if path.startswith(("compiler/", "runtime/")) and re.search(r"cl::opt<|ParseCommandLineOptions\(", line):
            errors.append(f"{path}:{number}: command line options belong to tools/")


def check_passes(files: list[str]) -> None:
    tests = {Path(p).stem for p in files if p.startswith("test/") and p.endswith(".mlir")}
    texts = [(ROOT / p).read_text() for p in files if p.startswith("test/") and p.endswith(".mlir")]
    for path in files:
        if not path.endswith(".td") or not path.startswith("compiler/"):
            continue
        text = (ROOT / path).read_text()
        for name, flag in re.findall(r'def (\w+)\s*:\s*Pass<"([^"]+)"', text):
            body = text[text.index(f"def {name}") :]
            for field in ("summary", "description"):
                if f"let {field}" not in body.split("\ndef ")[0]:
                    errors.append(f"{path}: pass {name} has no {field}")
            if flag not in tests and not any(f"--{flag}" in t or f"-{flag}" in t for t in texts):
                errors.append(f"{path}: pass {flag} has no lit test test/.../{flag}.mlir")


def main() -> int:
    files = tracked()
    for path in files:
        if Path(path).suffix not in (".cpp", ".h", ".td", ".py", ".mlir", ".txt"):
            continue
        text = (ROOT / path).read_text(errors="replace")
        check_names_and_sizes(path, text)
        check_includes(path, text)
        check_code(path, text)
    check_passes(files)
    for line in warnings:
        print(f"warning: {line}")
    for line in errors:
        print(f"error: {line}")
    print(f"check_tree: {len(files)} files, {len(warnings)} warnings, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
