"""OpenVINO, CPU: latency hint, f32, one stream; its packages live in a virtual
environment of their own."""

from __future__ import annotations

from pathlib import Path

NAME = "openvino"
PACKAGES = ["openvino==2026.4.1", "numpy"]


def load_here(path: str, threads: int):
    """Runs in the worker."""
    import openvino

    core = openvino.Core()
    compiled = core.compile_model(
        path,
        "CPU",
        {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32",
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
        },
    )
    request = compiled.create_infer_request()
    count = len(compiled.outputs)

    def run(inputs):
        # By position: exporters may rename what the model calls an input.
        request.infer(dict(enumerate(inputs.values())), share_inputs=True)
        return [request.get_output_tensor(i).data for i in range(count)]

    return run


def load(path, threads: int, cache: Path | None = None):
    if cache is None:
        return load_here(path, threads)
    from peers.separate import SeparateSystem, environment

    python = environment("openvino", PACKAGES)
    return SeparateSystem(python, __file__, str(path), threads)
