"""ONNX's own node tests as (name, model, inputs, expected outputs)."""

from __future__ import annotations

import functools
import glob
import os
import warnings
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

HERE = os.path.dirname(__file__)
# A list of numbers this long may be a parameter: a shape, axes, pads ...
MOST_PARAMETERS = 16
# Of the other kinds, "real" downloads models.
KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")


@dataclass
class Case:
    name: str
    model: onnx.ModelProto
    inputs: list
    outputs: list
    rtol: float
    atol: float


def read_value(value):
    """Arrays, lists of them, or None, from what the loader or a .pb file holds."""
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    if isinstance(value, onnx.SequenceProto):
        return [read_value(item) for item in numpy_helper.to_list(value)]
    if isinstance(value, onnx.OptionalProto):
        return read_value(numpy_helper.to_optional(value))
    if isinstance(value, (list, tuple)):
        return [read_value(item) for item in value]
    return value if value is None else np.asarray(value)


PROTOS = {
    "tensor_type": onnx.TensorProto,
    "sequence_type": onnx.SequenceProto,
    "optional_type": onnx.OptionalProto,
}


def read_files(folder: str, kind: str, infos) -> list:
    values = []
    for index, info in enumerate(infos):
        proto = PROTOS[info.type.WhichOneof("value")]()
        with open(os.path.join(folder, f"{kind}_{index}.pb"), "rb") as file:
            proto.ParseFromString(file.read())
        values.append(read_value(proto))
    return values


def flatten(values, names) -> tuple[list, dict]:
    """The tensors of inputs, and the shapes that tell a compiler how many there are."""
    flat, shapes = [], {}
    for value, (name, kind) in zip(values, names, strict=True):
        if value is None or isinstance(value, list) and not value:
            shapes[f"{name}[]"] = []
        elif isinstance(value, list):
            for index, item in enumerate(value):
                shapes[f"{name}[{index}]"] = list(item.shape)
                flat.append(item)
        else:
            if kind != "tensor_type":
                shapes[name] = list(value.shape)
            flat.append(value)
    return flat, shapes


def given_inputs(model) -> list:
    weights = {tensor.name for tensor in model.graph.initializer}
    return [info for info in model.graph.input if info.name not in weights]


def read_case(case) -> Case:
    model = case.model
    if model is None:
        model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
    if case.data_sets:
        inputs, outputs = case.data_sets[0]
        inputs, outputs = map(read_value, inputs), map(read_value, outputs)
    else:
        folder = min(glob.glob(os.path.join(case.model_dir, "test_data_set_*")))
        inputs = read_files(folder, "input", given_inputs(model))
        outputs = read_files(folder, "output", model.graph.output)
    return Case(case.name, model, list(inputs), list(outputs), case.rtol, case.atol)


@functools.cache
def all_cases() -> dict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            case.name: case for kind in KINDS for case in load_model_tests(kind=kind)
        }


def freeze_parameters(case: Case) -> Case:
    """The case with short lists of integers made constants of the model.

    ONNX's tests pass shapes, axes and pads as inputs; exported models hold them
    as constants.
    """
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    kept, inputs = [], []
    for info, value in zip(given_inputs(case.model), case.inputs, strict=True):
        parameter = (
            isinstance(value, np.ndarray)
            and value.ndim <= 1
            and value.size <= MOST_PARAMETERS
            and (
                value.dtype in (np.int64, np.int32, np.bool_)
                or info.name in ("scales", "roi", "ratio")
            )
        )
        if parameter:
            model.graph.initializer.append(numpy_helper.from_array(value, info.name))
        else:
            kept.append(info)
            inputs.append(value)
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return Case(case.name, model, inputs, case.outputs, case.rtol, case.atol)


def expected_failures() -> dict[str, str]:
    """Names of tests that cannot pass yet, with the reason; `*` ends a prefix."""
    failures = {}
    with open(os.path.join(HERE, "expected_failures.txt")) as file:
        for line in file:
            name, _, reason = line.strip().partition(" ")
            if name and not name.startswith("#"):
                failures[name] = reason.strip()
    return failures


def reason_to_fail(name: str, failures: dict[str, str]) -> str | None:
    for pattern, reason in failures.items():
        if name == pattern or pattern.endswith("*") and name.startswith(pattern[:-1]):
            return reason
    return None
