#!/usr/bin/env python3
"""Makes the committed summary of a run and the page of it.

table.py RESULTS.jsonl...    merge results into summary.json and write the page
table.py                     write the page from summary.json
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
SUMMARY = HERE / "summary.json"
PAGE = ROOT / "docs/reference/pytorch-opinfo.md"
MODES = {
    "static": "static sizes",
    "all": "all dimensions dynamic",
    "backward": "gradients",
}


def summarize(files: list[str]) -> dict:
    latest: dict[tuple, dict] = {}
    for file in files:
        for line in Path(file).read_text().splitlines():
            entry = json.loads(line)
            key = tuple(entry[k] for k in ("op", "dtype", "mode", "sample"))
            latest[key] = entry
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout.strip()
    operators: dict = defaultdict(dict)
    # Places that no file tells of stay as they were.
    if SUMMARY.exists():
        operators.update(json.loads(SUMMARY.read_text())["operators"])
    entries = [entry for entry in latest.values() if entry["state"] != "eager"]
    for entry in entries:
        operators[entry["op"]].pop(f"{entry['mode']} {entry['dtype']}", None)
    for entry in entries:
        place = f"{entry['mode']} {entry['dtype']}"
        row = operators[entry["op"]].setdefault(place, {"pass": 0, "of": 0})
        row["of"] += 1
        if entry["state"] == "pass":
            row["pass"] += 1
        else:
            row.setdefault("why", f"{entry['state']}: {reason(entry)}")
    return {"commit": commit, "operators": dict(sorted(operators.items()))}


def reason(entry: dict) -> str:
    text = (
        entry["reason"].split(": ", 1)[-1]
        if ": " in entry["reason"]
        else entry["reason"]
    )
    text = text.rsplit("checking.py:", 1)[-1].lstrip("0123456789: ")
    return text[:110]


def page(summary: dict) -> str:
    lines = [
        "<!-- Written by test/python/torch/opinfo/table.py from summary.json. -->",
        "",
        "# PyTorch's operator database",
        "",
        "Samples of `torch.testing._internal`'s OpInfo database, exported, compiled and",
        f"compared with eager PyTorch, up to commit {summary['commit']} (a sample that",
        "passed is run again only in a full run). `exporter` is what PyTorch's exporter",
        "itself refuses. Made by `test/python/torch/opinfo/run.py`.",
        "",
    ]
    for mode, title in MODES.items():
        lines += section(summary["operators"], mode, title)
    return "\n".join(lines) + "\n"


def section(operators: dict, mode: str, title: str) -> list[str]:
    totals = defaultdict(lambda: [0, 0, 0, 0])
    failures, good = [], []
    for name, places in operators.items():
        rows = {p.split()[1]: r for p, r in places.items() if p.split()[0] == mode}
        for dtype, row in rows.items():
            total = totals[dtype]
            total[0] += row["pass"] == row["of"]
            total[1] += 1
            total[2] += row["pass"]
            total[3] += row["of"]
            if row["pass"] < row["of"]:
                why = row["why"].replace("|", "\\|").replace("<", "&lt;")
                failures.append(
                    f"| {name} | {dtype} | {row['pass']}/{row['of']} | {why} |"
                )
        passed = [d for d, r in rows.items() if r["pass"] == r["of"]]
        if passed:
            good.append(f"{name} ({', '.join(passed)})")
    if not totals:
        return []
    lines = [
        f"## {title.capitalize()}",
        "",
        "| type | operators | samples |",
        "|---|---|---|",
    ]
    for dtype, (a, b, c, d) in sorted(totals.items(), key=lambda item: -item[1][1]):
        lines.append(f"| {dtype} | {a} of {b} | {c} of {d} |")
    lines += [
        "",
        "Failing:",
        "",
        "| operator | type | passed | first reason |",
        "|---|---|---|---|",
    ]
    lines += failures
    return lines + ["", "Passing: " + ", ".join(good) + ".", ""]


def main(files: list[str]) -> None:
    if files:
        SUMMARY.write_text(json.dumps(summarize(files), indent=0) + "\n")
    PAGE.write_text(page(json.loads(SUMMARY.read_text())))


if __name__ == "__main__":
    main(sys.argv[1:])
