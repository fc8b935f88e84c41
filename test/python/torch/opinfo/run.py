#!/usr/bin/env python3
"""Runs the operator database: many cases a process, each operator in a process
of its own, which costs nothing because it is forked after the imports.

    run.py --mode=static --samples=1 --types=main [--only=REGEX] [--shard=0/4]

One JSON line a case goes to --results; cases that are there already, made with
this compiler, are not run again (--again=failed|all runs them).
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import itertools
import json
import os
import re
import select
import signal
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[3] / "python")]

import ferrule._native._compiler  # noqa: E402
import torch  # noqa: E402
from checking import PASS, Verdict, check_cases  # noqa: E402
from samples import full_name, main_type, operators, sample_cases, types_of  # noqa: E402


def compiler_hash() -> str:
    data = Path(ferrule._native._compiler.__file__).read_bytes()
    return hashlib.sha256(data).hexdigest()[:12]


def short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


class Results:
    def __init__(self, path: Path):
        self.path = path
        self.known: dict[tuple, dict] = {}
        if path.exists():
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                self.known[self.key(entry)] = entry
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a")

    @staticmethod
    def key(entry: dict) -> tuple:
        return (entry["op"], entry["dtype"], entry["mode"], entry["sample"])

    def add(self, entry: dict) -> None:
        self.known[self.key(entry)] = entry
        self.file.write(json.dumps(entry) + "\n")
        self.file.flush()


def child(op, dtype, mode, numbers: set, together: int, write) -> None:
    """Checks samples and writes a line when it begins one and when it ends."""
    gradient = mode == "backward"
    with_numbers = enumerate(sample_cases(op, dtype, gradient))
    wanted = (
        (n, c) for n, c in with_numbers if n in numbers and (c.tensors or not gradient)
    )
    while batch := list(itertools.islice(wanted, together)):
        indices = [number for number, _ in batch]
        write({"begin": indices})
        try:
            verdicts = check_cases(op, dtype, [case for _, case in batch], mode)
        except Exception as error:
            verdicts = [Verdict("harness", repr(error)[:300])] * len(batch)
        for (number, case), verdict in zip(batch, verdicts, strict=True):
            entry = {"sample": number, "state": verdict.state}
            if verdict.state != PASS:
                entry |= {"reason": verdict.reason, "case": case.summary}
            write(entry)
    write({"end": True})


def run_child(arguments, timeout: float):
    """Yields what a forked child writes; a dict with `died` when it ends early."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        # Diagnostics of dying children would mix with the report.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)

        def write(entry):
            os.write(writer, (json.dumps(entry) + "\n").encode())

        try:
            child(*arguments, write)
        finally:
            os._exit(0)
    os.close(writer)
    buffer, ended, reason = b"", False, ""
    deadline = time.monotonic() + timeout
    while not ended:
        ready, _, _ = select.select(
            [reader], [], [], max(0, deadline - time.monotonic())
        )
        if not ready:
            os.kill(pid, signal.SIGKILL)
            reason = "timeout"
            break
        data = os.read(reader, 1 << 16)
        if not data:
            break
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            entry = json.loads(line)
            deadline = time.monotonic() + timeout
            ended = ended or "end" in entry
            yield entry
    os.close(reader)
    _, status = os.waitpid(pid, 0)
    if not ended:
        yield {"died": reason or f"crash: wait status {status}"}


def run_operator(op, dtype, mode, numbers: set, options, add) -> None:
    """Runs the samples, going on behind one that kills the process."""
    together = options.together
    while numbers:
        begun = []
        arguments = (op, dtype, mode, set(numbers), together)
        for entry in run_child(arguments, options.timeout):
            if "begin" in entry:
                begun = list(entry["begin"])
            elif "sample" in entry:
                numbers.discard(entry["sample"])
                begun.remove(entry["sample"])
                add(entry)
            elif "end" in entry:
                numbers.clear()
            elif len(begun) > 1:
                together = 1
            else:
                number = begun[0] if begun else min(numbers)
                state = "timeout" if entry["died"] == "timeout" else "crash"
                add({"sample": number, "state": state, "reason": entry["died"]})
                numbers.discard(number)


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", default="static", help="static, first, all, backward")
    parser.add_argument("--samples", type=int, default=1, help="at most, 0: all")
    parser.add_argument("--types", default="main", help="main, kinds or names")
    parser.add_argument("--only", default="", help="a regular expression of names")
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--again", default="", help="'failed' or 'all'")
    parser.add_argument("--together", type=int, default=8, help="samples a program")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--results", default=".cache/opinfo/results.jsonl")
    return parser.parse_args(argv)


def wanted_types(op, text: str):
    if text == "main":
        return [main_type(op)]
    if text == "kinds":
        return types_of(op)
    return [t for n in text.split(",") if (t := getattr(torch, n)) in op.dtypes]


def main(argv=None) -> int:
    options = parse(argv)
    torch.set_num_threads(1)
    gc.freeze()  # or every child goes through what all of them share
    results, compiler = Results(Path(options.results)), compiler_hash()
    shard, shards = map(int, options.shard.split("/"))
    limit = options.samples or 1 << 30
    counts, began = Counter(), time.time()
    for index, op in enumerate(operators()):
        name = full_name(op)
        if index % shards != shard or not re.search(options.only, name):
            continue
        for dtype in wanted_types(op, options.types):
            counts += run_type(op, name, dtype, limit, options, results, compiler)
    print(f"{dict(counts)} in {time.time() - began:.0f} s")
    return 0


def run_type(op, name, dtype, limit, options, results, compiler) -> Counter:
    # A reader of the samples alone, because making them may be costly too.
    counts, mode = Counter(), options.mode
    if mode == "backward" and not (
        op.supports_autograd and dtype in op.backward_dtypes and dtype.is_floating_point
    ):
        return counts
    try:
        total = sum(1 for _ in itertools.islice(sample_cases(op, dtype), limit))
    except Exception as error:
        print(f"{name} {short(dtype)}: no samples: {error}"[:200])
        return counts
    numbers = set()
    for number in range(total):
        known = results.known.get((name, short(dtype), mode, number))
        if (
            known is None
            or options.again == "all"
            or (options.again == "failed" and known["state"] != PASS)
            or (not options.again and known["compiler"] != compiler)
        ):
            numbers.add(number)

    def add(entry):
        counts[entry["state"]] += 1
        head = {"op": name, "dtype": short(dtype), "mode": mode, "compiler": compiler}
        results.add(head | entry)
        if entry["state"] != PASS:
            case = entry.get("case", "")
            print(
                f"{name} {short(dtype)} #{entry['sample']} {entry['state']}: "
                f"{entry['reason']} [{case}]",
                flush=True,
            )

    if numbers:
        run_operator(op, dtype, mode, numbers, options, add)
    return counts


if __name__ == "__main__":
    sys.exit(main())
