"""ONNX Runtime, CPU, all graph optimisations, denormals as zero."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import onnxruntime

NAME = "onnxruntime"


class System:
    def __init__(self, path: Path, threads: int):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = (
            onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        )
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.set_denormal_as_zero", "1")
        # Its threads would spin on the cores that the next system needs.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        start = time.perf_counter()
        self.session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        self.load_ms = (time.perf_counter() - start) * 1e3
        self.names = [i.name for i in self.session.get_inputs()]

    def run(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        return self.session.run(
            None, dict(zip(self.names, inputs.values(), strict=True))
        )

    def facts(self) -> dict:
        return {"load_ms": self.load_ms}


def load(path: Path, threads: int, cache: Path) -> System:
    return System(path, threads)
