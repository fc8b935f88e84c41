"""The console script, as its user calls it, and the counts that it shows."""

import re
import subprocess
import sys
from pathlib import Path

import ferrule
import numpy as np
import pytest

PACKAGE = str(Path(ferrule.__file__).parents[1])
MODEL = """
func.func @main(%x: tensor<?x48xf32> {ferrule.name = "x",
                                      ferrule.dims = ["rows", ""]},
                %w: tensor<48x20xf32> {ferrule.name = "w"}) -> tensor<?x20xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x48xf32>, tensor<48x20xf32>) -> tensor<?x20xf32>
  %1 = stablehlo.tanh %0 : tensor<?x20xf32>
  return %1 : tensor<?x20xf32>
}
"""


def cli(*arguments, folder: Path | None = None):
    return subprocess.run(
        [sys.executable, "-m", "ferrule.cli", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"PYTHONPATH": PACKAGE, "COLUMNS": "200"},
    )


@pytest.fixture
def model(tmp_path):
    (tmp_path / "model.mlir").write_text(MODEL)
    return tmp_path


@pytest.mark.parametrize("rows", [7, 1, 300])
def test_work_is_counted_from_the_sizes_of_the_run(rows):
    program = ferrule.compile(MODEL, threads=1)
    x, w = np.ones((rows, 48), np.float32), np.ones((48, 20), np.float32)
    events = program.profile(x, w)
    product = 2 * rows * 48 * 20
    assert sum(event["flops"] for event in events) == product + rows * 20
    assert any(event["flops"] >= product for event in events)
    text = " ".join(event["operations"] for event in events)
    assert "contraction" in text and "tanh" in text
    # Each buffer once at least; the result may be read again by the second.
    least = 4 * (rows * 48 + 48 * 20 + rows * 20)
    assert least <= sum(event["bytes"] for event in events) <= 3 * least


def test_what_is_picked_from_a_table_is_counted_alone():
    program = ferrule.compile(
        """
func.func @main(%t: tensor<1000x16xf32>, %i: tensor<3x1xi64>) -> tensor<3x16xf32> {
  %0 = "stablehlo.gather"(%t, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 16>}
    : (tensor<1000x16xf32>, tensor<3x1xi64>) -> tensor<3x16xf32>
  return %0 : tensor<3x16xf32>
}"""
    )
    table = np.arange(16000, dtype=np.float32).reshape(1000, 16)
    (event,) = program.profile(table, np.array([[5], [999], [0]]))
    assert event["bytes"] < 2000


def test_counts_survive_the_file_and_its_text(model):
    run = ["compile", "model.mlir", "-o", "model.byre"]
    assert cli(*run, folder=model).returncode == 0
    events = ferrule.load(model / "model.byre", threads=1).profile(
        np.ones((5, 48), np.float32), np.ones((48, 20), np.float32)
    )
    assert sum(event["flops"] for event in events) == 5 * 20 * 97


def test_compile_and_run(model):
    x = np.random.default_rng(0).standard_normal((5, 48)).astype(np.float32)
    w = np.random.default_rng(1).standard_normal((48, 20)).astype(np.float32)
    np.save(model / "x.npy", x)
    np.save(model / "w.npy", w)
    compiled = cli("compile", "model.mlir", "-o", "model.byre", folder=model)
    assert compiled.returncode == 0, compiled.stderr
    assert re.search(r"input.*x.*f32.*rows x 48", compiled.stdout)
    for program in ("model.byre", "model.mlir"):
        result = cli(
            "run", program, "--input", "x=@x.npy", "--input=w=@w.npy",
            "--output=@y.npy", folder=model,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        assert "5x20xf32" in result.stdout
        expected = np.tanh(x.astype(np.float64) @ w.astype(np.float64))
        np.testing.assert_allclose(np.load(model / "y.npy"), expected, atol=1e-5)
        (model / "y.npy").unlink()


def test_explain_shows_each_kernel(model):
    result = cli(
        "explain", "model.mlir", "--input=x=64x48xf32=random", "--rounds=3",
        "--threads=1", "--html=report.html", folder=model,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "contraction" in result.stdout and "GFLOP/s" in result.stdout
    shares = [float(s) for s in re.findall(r"([\d.]+)% │ +[\d.]+ G", result.stdout)]
    assert abs(sum(shares) - 100) < 1
    sizes = re.search(
        r"program: .*weights [\d.]+ \w+, machine code [\d.]+ \w+, instructions",
        " ".join(result.stdout.split()),
    )
    assert sizes, result.stdout
    page = (model / "report.html").read_text()
    assert page.startswith("<!doctype html>") and page.count("<tr>") == len(shares) + 1
    assert "http" not in page


def test_bench_against_a_peer(tmp_path):
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    node = onnx.helper.make_node("Softmax", ["x"], ["y"])
    info = [
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4, 8])
        for name in "xy"
    ]
    graph = onnx.helper.make_graph([node], "g", info[:1], info[1:])
    opsets = [onnx.helper.make_opsetid("", 17)]
    proto = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    onnx.save(proto, tmp_path / "m.onnx")
    result = cli(
        "bench", "m.onnx", "--rounds=3", "--threads=1", "--against=onnxruntime",
        folder=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "ferrule" in result.stdout and "onnxruntime" in result.stdout


def test_check(tmp_path):
    def program(value):
        return f"""
func.func @main() {{
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[1, {value}]> : tensor<2xi32>
  stablehlo.custom_call @check.expect_eq(%a, %b)
    : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}}
"""

    (tmp_path / "good.mlir").write_text(program(2))
    good = cli("check", "good.mlir", folder=tmp_path)
    assert good.returncode == 0 and "1 passed, 0 failed" in good.stdout
    (tmp_path / "bad.mlir").write_text(program(3))
    both = cli("check", ".", folder=tmp_path)
    assert both.returncode == 1 and "1 passed, 1 failed" in both.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none.byre"], "none.byre"),
        (["run", "none.onnx"], "cannot open 'none.onnx'"),
        (["run", "model.mlir"], "input 'x' is missing"),
        (["run", "model.mlir", "--input=z=random"], "no input 'z'"),
        (["run", "model.mlir", "--input=x=2x3xf32=1"], "x"),
        (["run", "model.mlir", "--function=f"], "'f'"),
        (["compile", "model.mlir", "-o", "no/folder/m.byre"], "cannot write"),
        (["compile", "model.mlir", "-o", "m.byre", "--target=abacus"], "abacus"),
        (["compile", "model.mlir", "-o", "m.byre", "--target-cpu=z80"], "z80"),
        (["compile", "model.mlir", "-o", "m.byre", "--input-shape=x"], "NAME:1x3"),
        (["bench", "model.mlir", "--against=onnxruntime"], "needs an .onnx file"),
        (["bench", "model.mlir", "--against=other"], "expected onnxruntime or none"),
        (["check", "none"], "none"),
        (["compile", "model.mlir"], "--output"),
        (["compile", "model.mlir", "-o", "m.byre", "--opt-level=x"], "--opt-level"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_mistakes_get_one_clear_error(model, arguments, message):
    (model / "notes.onnx").write_text("no model")
    random = [] if arguments[0] != "bench" else ["--input=x=4x48xf32=random"]
    result = cli(*arguments, *random, folder=model)
    assert result.returncode != 0
    assert message in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.stderr


def test_the_package_does_not_need_the_command_line():
    result = subprocess.run(
        [sys.executable, "-c", "import ferrule, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"typer", "rich"} & set(result.stdout.split())


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["compile"], "'model'"),
        (["compile", "m.mlir"], "'-o'"),
        (["compile", "m.mlir", "-o", "x", "--opt-level=7"], "'--opt-level'"),
        (["run", "m.mlir", "--threads=many"], "'--threads'"),
        (["run", "m.mlir", "--speed=3"], "--speed"),
        (["fly"], "'fly'"),
    ],
)
def test_wrong_usage_is_one_line(arguments, expected):
    result = cli(*arguments)
    assert result.returncode == 2
    assert result.stderr.startswith("ferrule: error: ") and expected in result.stderr
    assert result.stderr.count("\n") == 1 and result.stdout == ""
