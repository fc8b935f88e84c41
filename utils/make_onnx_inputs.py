#!/usr/bin/env python3
"""Writes compiler/Frontend/ONNX/InputRules.inc: what ONNX ops want of their inputs.

It asks the schemas of onnx and of onnxruntime for the ops that the importer has.
An input is required when every version of the op requires it, and may have each
type that any version allows.
"""

import pathlib
import re

import onnx.defs
import onnxruntime.capi.onnxruntime_pybind11_state as runtime
from onnx import TensorProto

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "compiler/Frontend/ONNX/InputRules.inc"
# Older files give these ops other types than their newest schema's variables.
ANY_TYPES = {"Cast", "CastLike", "Loop", "Scan", "If"}


def type_bits(names) -> int:
    bits = 0
    for name in names:
        if inner := re.fullmatch(r"tensor\((\w+)\)", name):
            bits |= 1 << TensorProto.DataType.Value(inner[1].upper())
    return bits


def option(value) -> str:
    return str(value.option).rsplit(".", 1)[-1].lower()


class Rule:
    def __init__(self, schema):
        self.required = 0
        self.inputs = []
        self.repeats = False
        variables = {c.type_param_str: c for c in schema.type_constraints}
        self.ids = {name: i + 1 for i, name in enumerate(variables)}
        for place, value in enumerate(schema.inputs):
            kind = option(value)
            if kind == "single" or (kind == "variadic" and schema.min_input > place):
                self.required |= 1 << place
            kind_name = getattr(value, "type_str", None) or value.typeStr
            constraint = variables.get(kind_name)
            names = constraint.allowed_type_strs if constraint else [kind_name]
            shared = constraint is not None and (
                kind != "variadic"
                or getattr(
                    value, "is_homogeneous", getattr(value, "isHomogeneous", True)
                )
            )
            self.inputs.append((self.ids.get(kind_name, 0) * shared, type_bits(names)))
            self.repeats |= kind == "variadic"

    def merge(self, older):
        self.required &= older.required
        for i, (variable, bits) in enumerate(older.inputs[: len(self.inputs)]):
            self.inputs[i] = (self.inputs[i][0], self.inputs[i][1] | bits)


def rules() -> dict[str, Rule]:
    vendor = [
        s for s in runtime.get_all_operator_schema() if s.domain == "com.microsoft"
    ]
    schemas = [*onnx.defs.get_all_schemas_with_history(), *vendor]
    result: dict[str, Rule] = {}
    for schema in sorted(schemas, key=lambda s: -s.since_version):
        name = f"{schema.domain}.{schema.name}" if schema.domain else schema.name
        rule = Rule(schema)
        if name in result:
            result[name].merge(rule)
        else:
            result[name] = rule
    return result


def imported() -> list[str]:
    names, domain = [], ""
    for line in (ROOT / "docs/reference/onnx-ops.md").read_text().splitlines():
        if heading := re.match(r"## (\S+)", line):
            domain = "" if heading[1] == "ai.onnx" else heading[1] + "."
        elif entry := re.match(r"\* (\w+)", line):
            names.append(domain + entry[1])
    return names


def main() -> None:
    known = rules()
    lines = ["// Made by utils/make_onnx_inputs.py from the ops' schemas."]
    for name in sorted(set(imported()) & set(known)):
        rule = known[name]
        inputs = [] if name in ANY_TYPES else rule.inputs
        # Inputs behind the described ones are not checked, unless they repeat.
        if inputs and not rule.repeats:
            inputs = [*inputs, (0, 0)]
        text = ", ".join(f"{{{v}, {b:#x}}}" for v, b in inputs) or "{0, 0}"
        lines.append(f'INPUT_RULE("{name}", {rule.required:#x}, {len(inputs)}, {text})')
    TARGET.write_text("\n".join(lines) + "\n")
    print(f"{TARGET.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
