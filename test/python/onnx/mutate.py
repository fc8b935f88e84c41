"""Damages ONNX models: python mutate.py FIRST LAST imports the mutants of these seeds.

Each mutant is announced before it is imported, so that who runs this knows
which one ended the process. Every error must say something.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile

import cases
import onnx

# Numbers that break arithmetic on sizes.
EXTREMES = [0, 1, -1, 2, 3, 7, -2, 64, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63)]


def sources() -> list[str]:
    return sorted(name for name in cases.all_cases() if "cast" not in name)


def damage_bytes(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    kind = rng.randrange(4)
    if kind == 0:
        return bytes(out[: rng.randrange(len(out))])
    if kind == 1:
        at = rng.randrange(len(out))
        return bytes(out[:at] + out[at + rng.randrange(1, 9) :])
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(out))
        if kind == 2:
            out[at] ^= 1 << rng.randrange(8)
        else:
            out[at] = rng.randrange(256)
    return bytes(out)


def graphs(graph) -> list:
    found = [graph]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += graphs(attribute.g)
    return found


def damage_attribute(node, rng: random.Random) -> None:
    if not node.attribute:
        node.attribute.append(onnx.helper.make_attribute("axis", rng.choice(EXTREMES)))
        return
    attribute = rng.choice(node.attribute)
    if rng.random() < 0.2:
        node.attribute.remove(attribute)
    elif attribute.ints:
        if rng.random() < 0.3:
            del attribute.ints[rng.randrange(len(attribute.ints)) :]
        else:
            attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice(EXTREMES)
    elif attribute.type == onnx.AttributeProto.INT:
        attribute.i = rng.choice(EXTREMES)
    elif attribute.type == onnx.AttributeProto.STRING:
        attribute.s = rng.choice([b"", b"zz", b"none", b"linear"])
    elif attribute.type == onnx.AttributeProto.FLOAT:
        attribute.f = rng.choice([0.0, -1.0, float("nan"), float("inf"), 1e30])
    else:
        node.attribute.remove(attribute)


def damage_shape(graph, rng: random.Random) -> None:
    if not graph.input:
        return
    kind = rng.choice(graph.input).type.tensor_type
    dims = kind.shape.dim
    action = rng.randrange(5)
    if action == 0:
        kind.elem_type = rng.randrange(1, 24)
    elif action == 1:
        dims.add().dim_value = rng.choice([0, 1, 2, 3])
    elif action == 2 and dims:
        del dims[rng.randrange(len(dims))]
    elif action == 3 and dims:
        dims[rng.randrange(len(dims))].dim_value = rng.choice([0, 1, 2, 5, 7])
    elif dims:
        dims[rng.randrange(len(dims))].Clear()


def damage_model(model, rng: random.Random) -> bytes:
    graph = rng.choice(graphs(model.graph))
    if not graph.node:
        graph = model.graph
    node = rng.choice(graph.node)
    action = rng.randrange(6)
    if action <= 1:
        damage_attribute(node, rng)
    elif action == 2 and node.input:
        place = rng.randrange(len(node.input))
        names = [i.name for i in graph.input] + [""]
        node.input[place] = rng.choice(names)
    elif action == 3 and node.input:
        del node.input[rng.randrange(len(node.input)) :]
    elif action == 4:
        model.opset_import[0].version = rng.randrange(1, 29)
    else:
        damage_shape(model.graph, rng)
    return model.SerializeToString()


def mutant(seed: int, names: list[str]) -> tuple[str, bytes]:
    rng = random.Random(seed)
    name = rng.choice(names)
    model = cases.read_case(cases.all_cases()[name]).model
    data = model.SerializeToString()
    if rng.random() < 0.35:
        return name, damage_bytes(data, rng)
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    return name, damage_model(copy, rng)


def main() -> None:
    from ferrule._native import _compiler

    first, last = map(int, sys.argv[1:3])
    names = sources()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        for seed in range(first, last):
            name, data = mutant(seed, names)
            print(seed, name, flush=True)
            with open(path, "wb") as file:
                file.write(data)
            try:
                _compiler.load_model(path, {})
            except Exception as error:
                if not str(error).strip():
                    print("an error without a message", flush=True)
                    sys.exit(1)


if __name__ == "__main__":
    main()
