"""ferrule-check reports what does not hold."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = Path(os.environ.get("FERRULE_BUILD", ROOT / "build")) / "bin/ferrule-check"

PROGRAM = """func.func @{name}() {{
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2x2xf32>
  %2 = stablehlo.constant dense<{expected}> : tensor<2x2xf32>
  stablehlo.custom_call @check.{check}(%1, %2) {{has_side_effect = true}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  return
}}
"""
RIGHT = "[[2.0, 4.0], [6.0, 8.0]]"
WRONG = "[[2.0, 4.0], [6.0, 8.5]]"


def check(tmp_path, text, *options):
    path = tmp_path / "programs.mlir"
    path.write_text(text)
    result = subprocess.run(
        [CHECK, path, *options], capture_output=True, text=True, timeout=120
    )
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize("kind", ["expect_eq", "expect_close", "expect_almost_eq"])
def test_a_wrong_value_is_reported_with_its_index(tmp_path, kind):
    code, text = check(tmp_path, PROGRAM.format(name="sum", expected=WRONG, check=kind))
    assert code == 1
    assert "programs.mlir:5:3: error: @sum" in text
    assert (
        f"check.{kind}: at [1, 1]: found 8, expected 8.5 (1 of 4 elements differ)"
        in text
    )
    assert text.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize(
    "line, message",
    [
        (
            "check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi32>",
            "check.expect_eq_const: at [1]: found 2, expected 3 (1 of 2 elements",
        ),
        (
            "check.expect_all_true(%0) : tensor<2xi32>",
            "check.expect_all_true: at [0]: found 0, expected a number that is not",
        ),
        (
            "check.expect_false(%0) : tensor<2xi32>",
            "check.expect_false: at [1]: found 2, expected zero",
        ),
        (
            "check.expect_close %0, %0, min_ulp_difference = 1 : tensor<2xi32>",
            "all elements are at most 0 units in the last place apart, expected",
        ),
    ],
)
def test_the_dialect_reports_as_calls_do(tmp_path, line, message):
    values = "[0, 2]" if "const" not in line else "[1, 2]"
    code, text = check(
        tmp_path,
        f"func.func @f() {{\n  %0 = stablehlo.constant dense<{values}> :"
        f" tensor<2xi32>\n  {line}\n  return\n}}\n",
    )
    assert code == 1
    assert message in text


def test_functions_and_programs_are_counted(tmp_path):
    right = PROGRAM.format(name="a", expected=RIGHT, check="expect_eq")
    wrong = PROGRAM.format(name="b", expected=WRONG, check="expect_eq")
    code, text = check(tmp_path, right + wrong + "// -----\n" + right, "-j2")
    assert code == 1
    assert text.endswith("2 passed, 1 failed\n")


def test_lines_are_those_of_the_file(tmp_path):
    right = PROGRAM.format(name="a", expected=RIGHT, check="expect_eq")
    code, text = check(tmp_path, right + "// -----\nnonsense\n")
    assert code == 1
    assert "programs.mlir:9:1: error:" in text
    assert text.endswith("1 passed, 1 failed\n")


def test_a_shape_that_differs(tmp_path):
    code, text = check(
        tmp_path,
        """func.func @main() {
  %n = stablehlo.constant dense<[3]> : tensor<1xi32>
  %m = stablehlo.add %n, %n : tensor<1xi32>
  %0 = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %1) {has_side_effect = true} : (tensor<?xi32>, tensor<3xi32>) -> ()
  return
}
""",
    )
    assert code == 1
    assert "found shape 6, expected shape 3" in text


def test_a_program_that_takes_too_long_fails_alone(tmp_path):
    endless = """func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %odd = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %c = stablehlo.compare NE, %i, %odd : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %two : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  return %0 : tensor<i32>
}
// -----
"""
    right = PROGRAM.format(name="a", expected=RIGHT, check="expect_eq")
    code, text = check(tmp_path, endless + right, "--timeout=3", "-j2")
    assert code == 1
    assert "programs.mlir:1: error: the process took more than 3 seconds" in text
    assert text.endswith("1 passed, 1 failed\n")


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "func.func private @f(%x: tensor<f32>) { return }",
            "nothing to run: found neither @main nor",
        ),
        (
            "func.func @main(%x: tensor<f32>) { return }",
            "@main has arguments, expected none",
        ),
        (
            "func.func @main() {\n"
            "  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
            '  check.expect_serialized_eq %0, "p", 0 : tensor<i32>\n'
            "  return\n}",
            "found no probe 'p' in the body of the function",
        ),
        (
            "func.func @main() {\n"
            "  // expected-error@+1 {{no}}\n"
            "  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
            "  return\n}",
            "found no error, expected the one that the comments name",
        ),
        (
            PROGRAM.format(name="f", expected=RIGHT, check="expect_same"),
            "unknown check 'check.expect_same', expected check.expect_eq",
        ),
        (
            "func.func @main() { return }\n"
            + PROGRAM.format(name="f", expected=RIGHT, check="expect_eq"),
            "check.expect_eq must be in the body of a function that is run",
        ),
    ],
)
def test_programs_that_cannot_be_checked(tmp_path, text, message):
    code, output = check(tmp_path, text)
    assert code == 1
    assert message in output


def test_a_file_that_is_not_there(tmp_path):
    result = subprocess.run(
        [CHECK, tmp_path / "none.mlir"], capture_output=True, text=True
    )
    assert result.returncode == 1
    assert "none.mlir: No such file or directory" in result.stderr
