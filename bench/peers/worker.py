"""One peer in a process of its own, which may run in another environment.

    worker.py MODULE MODEL-FILE THREADS

MODULE is a file with load(path, threads) -> run(inputs) -> list of arrays. The
parent sends lines `run N`, N bytes of arrays following, or `time REPEATS` for
the inputs of the last run; the answers are a line of JSON, after `run` with
arrays too. Times are taken here, so that no pipe is part of them.
"""

import importlib.util
import io
import json
import os
import sys
import time

import numpy as np


def status_mb(field):
    """A field of /proc/self/status: VmRSS now, VmHWM the peak."""
    with open("/proc/self/status") as lines:
        return next(
            int(line.split()[1]) / 1024 for line in lines if line.startswith(field)
        )


def main():
    file, model, threads = sys.argv[1:4]
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def answer(facts, data=b""):
        line = json.dumps({**facts, "bytes": len(data)}).encode() + b"\n"
        answers.write(line + data)
        answers.flush()

    spec = importlib.util.spec_from_file_location("peer", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    before = status_mb("VmRSS")
    start = time.perf_counter()
    run = module.load(model, int(threads))
    answer({"load_ms": (time.perf_counter() - start) * 1e3})
    inputs = {}
    for line in sys.stdin.buffer:
        command, count = line.split()
        if command == b"run":
            data = sys.stdin.buffer.read(int(count))
            inputs = dict(np.load(io.BytesIO(data)))
            output = io.BytesIO()
            np.savez(output, *run(inputs))
            peak = status_mb("VmHWM") - before
            answer({"peak_mb": peak}, output.getvalue())
        else:
            start = time.perf_counter()
            for _ in range(int(count)):
                run(inputs)
            answer({"seconds": time.perf_counter() - start})


if __name__ == "__main__":
    main()
