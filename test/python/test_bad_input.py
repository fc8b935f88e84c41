"""Bad input gives one clear error and a status that is not zero."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("FERRULE_BUILD", ROOT / "build")) / "bin"
sys.path.insert(0, str(ROOT / "python"))

FLOAT = TensorProto.FLOAT


def onnx_model(
    op="Add", inputs=("x", "w"), dtype=FLOAT, weight=(2, 3), opset=17, domain=""
):
    node = helper.make_node(op, inputs, ["y"], name="layer1", domain=domain)
    value = lambda name: helper.make_tensor_value_info(name, dtype, [2, 3])
    weights = (
        [numpy_helper.from_array(np.ones(weight, "f4"), "w")] if "w" in inputs else []
    )
    graph = helper.make_graph([node], "g", [value("x")], [value("y")], weights)
    opsets = [helper.make_opsetid("", opset)]
    if domain:
        opsets.append(helper.make_opsetid(domain, 1))
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def tool(name, *args):
    """The one line of error that a tool prints when it fails."""
    result = subprocess.run(
        [BIN / name, *map(str, args)], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 1, result.stderr
    errors = [line for line in result.stderr.splitlines() if "error: " in line]
    assert len(errors) == 1, result.stderr
    return errors[0]


def compile_error(tmp_path, content, *options, name="model.onnx"):
    path = tmp_path / name
    if hasattr(content, "SerializeToString"):
        content = content.SerializeToString()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    error = tool("ferrule-compile", path, "-o", tmp_path / "out.byre", *options)
    assert not (tmp_path / "out.byre").exists()
    return error.replace(str(path), name)


# ---- Compiling


@pytest.mark.parametrize(
    "model, message",
    [
        (
            onnx_model("Frobnicate"),
            "model.onnx: found 1 ONNX op that is not supported: 'Frobnicate' "
            "(domain 'ai.onnx', opset 17, node 'layer1')",
        ),
        (
            onnx_model("Add", domain="com.acme"),
            "model.onnx: found 1 ONNX op that is not supported: 'Add' "
            "(domain 'com.acme', opset 1, node 'layer1')",
        ),
        (
            onnx_model("Identity", ["x"], dtype=TensorProto.STRING),
            "model.onnx: graph input 'x' has element type string, which is not supported",
        ),
        (
            onnx_model(weight=(2, 4)),
            "layer1: ONNX op 'Add' (node 'layer1', domain 'ai.onnx', opset 17): found inputs "
            "'tensor<2x3xf32>' and 'tensor<2x4xf32>', expected shapes that broadcast",
        ),
        (
            onnx_model(inputs=("x", "nowhere")),
            "input 'nowhere' is not defined by an earlier node, an initializer or a graph input",
        ),
        (
            onnx_model(inputs=("x",)),
            "'Add' (node 'layer1', domain 'ai.onnx', opset 17): input 1 is missing",
        ),
        (onnx_model(opset=99), "found opset 99 of domain 'ai.onnx', expected 1 to "),
    ],
)
def test_onnx_models(tmp_path, model, message):
    error = compile_error(tmp_path, model)
    assert error.startswith("ferrule-compile: error: ")
    assert message in error


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_truncated_onnx(tmp_path, share):
    data = onnx_model().SerializeToString()
    error = compile_error(tmp_path, data[: int(len(data) * share)])
    assert re.search(r"model.onnx: damaged ONNX data at ModelProto|has no graph", error)


@pytest.mark.parametrize(
    "name, content, message",
    [
        (
            "photo.png",
            b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
            "found a file of an unknown kind",
        ),
        ("notes.txt", b"Nothing to see here.\n", "found text that is not MLIR"),
        ("model.pt2", b"PK\x03\x04" + bytes(100), "found an archive"),
        ("empty.onnx", b"", "the file is empty"),
    ],
)
def test_what_is_no_model(tmp_path, name, content, message):
    error = compile_error(tmp_path, content, name=name)
    assert f"{name}: {message}" in error


def test_missing_file_and_unwritable_output(tmp_path, program):
    error = tool("ferrule-compile", tmp_path / "none.onnx")
    assert error.endswith("none.onnx: cannot read the file: No such file or directory")
    error = tool(
        "ferrule-compile", program.parent / "model.onnx", "-o", "/nowhere/x.byre"
    )
    assert "cannot write '/nowhere/x.byre" in error
    assert error.endswith("No such file or directory")
    error = tool("ferrule-compile", program)
    assert "found a compiled program, which ferrule-run runs" in error


@pytest.mark.parametrize(
    "option, message",
    [
        (
            "--target-cpu=pentium9",
            "unknown target CPU 'pentium9', expected host, x86-64-v3",
        ),
        ("--target=abacus", "unknown target 'abacus', expected one of cpu"),
        (
            "--compile-to=asm",
            "unknown stage 'asm' for --compile-to, expected input, stablehlo,",
        ),
        ("--input-shape=z:2x3", "a shape is given for 'z', which is not an input"),
        ("--input-shape=x:2x5", "input 'x' has size 5 in dimension 1, expected 3"),
        ("--input-shape=x", "malformed --input-shape 'x', expected NAME:SIZExSIZE"),
    ],
)
def test_options_of_the_compiler(tmp_path, option, message):
    assert message in compile_error(tmp_path, onnx_model(), option)


BODY = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n  {}\n  return %0 : tensor<2xf32>\n}}\n"
UNARY = "(%x) : (tensor<2xf32>) -> tensor<2xf32>"


@pytest.mark.parametrize(
    "program, message",
    [
        (
            BODY.format('%0 = "acme.frob"' + UNARY),
            "model.mlir:2:8: error: unknown op 'acme.frob'",
        ),
        (
            BODY.format("%0 = stablehlo.custom_call @ferrule.none" + UNARY),
            "model.mlir:2:8: error: 'stablehlo.custom_call' op calls 'ferrule.none', which Ferrule does not know",
        ),
        (
            BODY.format("%0 = call @g" + UNARY)
            + "func.func private @g(tensor<2xf32>) -> tensor<2xf32>",
            "model.mlir:2:8: error: calls @g, which has no body",
        ),
        (
            BODY.format("%0 = stablehlo.constant dense<1.0> : tensor<3xf32>"),
            "model.mlir:3:10: error: use of value '%0' expects different type than prior uses",
        ),
        (
            "func.func @main(%x: tensor<2xi128>) -> tensor<2xi128> { return %x : tensor<2xi128> }",
            "has an argument or result of element type 'i128', which cannot be stored",
        ),
        (
            "func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> { return %x : tensor<*xf32> }",
            "expected tensors of known rank in the signature",
        ),
        ("module {}", "the program has no public function, expected one to run"),
        ("func.func @main() {", "expected operation name in quotes"),
    ],
)
def test_mlir_programs(tmp_path, program, message):
    assert message in compile_error(tmp_path, program, name="model.mlir")


# ---- Running


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    onnx.save(onnx_model(), folder / "model.onnx")
    subprocess.run(
        [BIN / "ferrule-compile", folder / "model.onnx", "-o", folder / "model.byre"],
        check=True,
    )
    return folder / "model.byre"


@pytest.mark.parametrize("size", [0, 20, 48, 500, -1])
def test_truncated_programs(tmp_path, program, size):
    path = tmp_path / "cut.byre"
    path.write_bytes(program.read_bytes()[:size])
    error = tool("ferrule-run", path)
    assert re.search(
        r"cut.byre: (damaged .byre file: .* bytes|not a .byre file|.*empty)", error
    )


def test_changed_programs(tmp_path, program):
    data = bytearray(program.read_bytes())
    data[len(data) // 2] ^= 255
    path = tmp_path / "changed.byre"
    path.write_bytes(data)
    assert re.search(
        r"damaged .byre file: checksum of section \d differs", tool("ferrule-run", path)
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert "changed.byre: not a .byre file" in tool("ferrule-run", path)
    assert "cannot open" in tool("ferrule-run", tmp_path / "none.byre")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--input", "x=2x4xf32=1"], "input 'x' is 2x4xf32, expected 2x3xf32"),
        (["--input", "x=6xf32=1"], "input 'x' is 6xf32, expected 2x3xf32"),
        (["--input", "x=2x3xi32=1"], "input 'x' is 2x3xi32, expected 2x3xf32"),
        (["--input", "z=2x3xf32=1"], "no input 'z', 'main' has: x: 2x3xf32"),
        ([], "input 'x' is missing, 'main' has: x: 2x3xf32"),
        (
            ["--input", "x=@none.npy"],
            "cannot read 'none.npy': No such file or directory",
        ),
        (["--input", "x=2x3xf99=1"], "input 'x': '2x3xf99' is no type like 3x4xf32"),
        (["--function", "nope"], "no function 'nope', the program has 'main'"),
        (
            ["--input", "x=random", "--output", "@/nowhere/y.npy"],
            "cannot write '/nowhere/y.npy'",
        ),
        (["--input", "x=random", "--output", "z=@y.npy"], "'main' has no such output"),
    ],
)
def test_arguments_of_runs(program, arguments, message):
    assert message in tool("ferrule-run", program, *arguments)


def test_a_machine_without_the_instructions(tmp_path, program):
    """The file's list of features names one that no machine has: as if it was
    built for a newer one. The checksum is made to fit."""
    data = bytearray(program.read_bytes())
    number, section = next(
        (i, s) for i, s in enumerate(sections(data)) if s["kind"] == 1
    )
    start, end = int(section["offset"]), int(section["offset"] + section["length"])
    assert b"avx2" in data[start:end]
    data[start:end] = data[start:end].replace(b"avx2", b"qvx9")
    refresh_checksums(data, number)
    path = tmp_path / "newer.byre"
    path.write_bytes(data)
    error = tool("ferrule-run", path, "--input", "x=random")
    assert "qvx9" in error


SECTION = np.dtype(
    [
        ("kind", "<u4"),
        ("reserved", "<u4"),
        ("offset", "<u8"),
        ("length", "<u8"),
        ("checksum", "<u8"),
    ]
)
MASK = (1 << 64) - 1


def sections(data):
    """The table behind the header, as runtime/format/container.h has it."""
    return np.frombuffer(data, SECTION, int.from_bytes(data[24:28], "little"), 48)


def checksum(data):
    """As runtime/format/README.md defines it."""
    odd = 0x9E3779B97F4A7C15

    def mix(lane, word):
        value = ((lane ^ word) * odd) & MASK
        return ((value << 29) | (value >> 35)) & MASK

    lanes = [
        0x243F6A8885A308D3,
        0x13198A2E03707344,
        0xA4093822299F31D0,
        0x082EFA98EC4E6C89,
    ]
    for i, word in enumerate(np.frombuffer(data + bytes(-len(data) % 8), "<u8")):
        lanes[i % 4] = mix(lanes[i % 4], int(word))
    result = len(data)
    for lane in lanes:
        result = mix(result, lane)
    result = ((result ^ (result >> 32)) * odd) & MASK
    return result ^ (result >> 29)


def refresh_checksums(data, number):
    """Makes the checksums of a section, the table and the header fit."""
    section = sections(data)[number]
    start, end = int(section["offset"]), int(section["offset"] + section["length"])
    place = 48 + 32 * number + 24
    data[place : place + 8] = checksum(bytes(data[start:end])).to_bytes(8, "little")
    table = bytes(data[48 : 48 + 32 * int.from_bytes(data[24:28], "little")])
    data[32:40] = checksum(table).to_bytes(8, "little")
    data[40:48] = checksum(bytes(data[:40])).to_bytes(8, "little")


# ---- From Python


def python_error(type_, function):
    with pytest.raises(type_) as caught:
        function()
    return str(caught.value)


def test_unknown_aten_op():
    torch = pytest.importorskip("torch")
    import ferrule

    class Eigenvalues(torch.nn.Module):
        def forward(self, x):
            return torch.linalg.eig(x)[0]

    error = python_error(
        ValueError, lambda: ferrule.compile(Eigenvalues(), (torch.ones(3, 3),))
    )
    first = error.splitlines()[0]
    assert re.search(
        r"test_bad_input.py:\d+: 1 unsupported operator: torch.aten.linalg_eig$", first
    )


def test_python_compile_errors(tmp_path):
    import ferrule

    path = tmp_path / "model.onnx"
    onnx.save(onnx_model("Frobnicate"), path)
    error = python_error(ValueError, lambda: ferrule.compile(path))
    assert f"{path}: found 1 ONNX op that is not supported: 'Frobnicate'" in error
    good = onnx_model()
    error = python_error(
        ValueError, lambda: ferrule.compile(good, target_cpu="pentium9")
    )
    assert "unknown target CPU 'pentium9'" in error
    assert len(error.strip().splitlines()) == 1
    error = python_error(TypeError, lambda: ferrule.compile(42))
    assert "but found int" in error


def test_python_run_errors(program):
    import ferrule

    run = ferrule.load(program)
    x = np.ones((2, 3), "f4")
    for bad, found in [
        (x.ravel(), "6xf32"),
        (x[:, :2], "2x2xf32"),
        (x.astype("f8"), "2x3xf64"),
    ]:
        error = python_error(ValueError, lambda: run(bad))
        assert error == f"input 'x' is {found}, expected 2x3xf32"
    assert python_error(TypeError, lambda: run(z=x)) == "no input 'z', 'main' has: x"
    assert "takes 1 inputs, found 2" in python_error(ValueError, lambda: run(x, x))
    assert "takes 1 inputs, found 0" in python_error(ValueError, lambda: run())
