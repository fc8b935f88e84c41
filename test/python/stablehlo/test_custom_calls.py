"""Calls of functions that the user registers: in Python, and in C through a
plug-in."""

import shutil
import subprocess
import textwrap
from pathlib import Path

import numpy as np
import pytest

import ferrule

ROOT = Path(__file__).resolve().parents[3]


def call(body, *args):
    return ferrule.compile(textwrap.dedent(body))(*args)


SCALE = """
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %0 = stablehlo.custom_call @NAME(%x) {
    mhlo.backend_config = {factor = 3.0 : f32, steps = [1, 2], big = 200 : ui8,
                           on = true, text = "a"}}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.add %0, %c : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
"""


def test_function_with_attributes():
    seen = {}

    def scale(x, **attributes):
        seen.update(attributes)
        return x * np.float32(attributes["factor"])

    ferrule.register_custom_call("test.scale", scale)
    x = np.arange(6, dtype="float32").reshape(2, 3)
    found = call(SCALE.replace("NAME", "test.scale"), x)
    np.testing.assert_array_equal(found, x * 3 + 1)
    assert seen == {
        "factor": 3.0,
        "steps": [1, 2],
        "big": 200,
        "on": True,
        "text": "a",
    }


def test_a_program_compiles_without_its_functions():
    program = ferrule.compile(SCALE.replace("NAME", "test.later"))
    x = np.ones((2, 3), "float32")
    with pytest.raises(RuntimeError, match="no provider has operation 'test.later'"):
        program(x)
    ferrule.register_custom_call("test.later", lambda x, **_: x)
    np.testing.assert_array_equal(program(x), x + 1)
    # The newest function counts, results may have any strides.
    ferrule.register_custom_call("test.later", lambda x, **_: np.asfortranarray(x + 1))
    np.testing.assert_array_equal(program(x), x + 2)


@pytest.mark.parametrize(
    "function,message",
    [
        (lambda x, **_: x[0], "returned 3xf32 as result 0, expected 2x3xf32"),
        (lambda x, **_: x.astype("float64"), "returned 2x3xf64 as result 0"),
        (lambda x, **_: (x, x), "returned 2 results, expected 1"),
        (lambda x, **_: None, "result 0"),
        (lambda x, **_: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda x: x, "unexpected keyword argument"),
    ],
)
def test_wrong_functions_end_the_run(function, message):
    ferrule.register_custom_call("test.wrong", function)
    with pytest.raises((RuntimeError, ValueError), match=message):
        call(SCALE.replace("NAME", "test.wrong"), np.ones((2, 3), "float32"))


@pytest.mark.parametrize(
    "dtype,element",
    [
        ("bool", "i1"),
        ("int8", "i8"),
        ("uint8", "ui8"),
        ("uint32", "ui32"),
        ("int64", "i64"),
        ("float16", "f16"),
        ("float64", "f64"),
        ("complex64", "complex<f32>"),
    ],
)
def test_element_types(dtype, element):
    seen = []

    def identity(x):
        seen.append(x.dtype)
        return x

    ferrule.register_custom_call("test.identity", identity)
    x = np.array([0, 1, 1, 0, 1]).astype(dtype)
    found = call(
        f"""
        func.func @main(%x: tensor<5x{element}>) -> tensor<5x{element}> {{
          %0 = stablehlo.custom_call @test.identity(%x)
            : (tensor<5x{element}>) -> tensor<5x{element}>
          return %0 : tensor<5x{element}>
        }}""",
        x,
    )
    assert seen == [np.dtype(dtype)]
    np.testing.assert_array_equal(found, x)


def test_several_results_tokens_and_loops():
    """The call keeps its place in a loop; a token is no argument."""
    calls = []

    def divmod_by_two(x):
        calls.append(int(x))
        return x // 2, x % 2

    ferrule.register_custom_call("test.divmod", divmod_by_two)
    found = call(
        """
        func.func @main(%x: tensor<i64>) -> tensor<i64> {
          %zero = stablehlo.constant dense<0> : tensor<i64>
          %0:2 = stablehlo.while(%i = %x, %n = %zero) : tensor<i64>, tensor<i64>
          cond {
            %more = stablehlo.compare NE, %i, %zero
              : (tensor<i64>, tensor<i64>) -> tensor<i1>
            stablehlo.return %more : tensor<i1>
          } do {
            %t = stablehlo.create_token : !stablehlo.token
            %1:3 = stablehlo.custom_call @test.divmod(%t, %i) {has_side_effect = true}
              : (!stablehlo.token, tensor<i64>)
              -> (!stablehlo.token, tensor<i64>, tensor<i64>)
            %2 = stablehlo.add %n, %1#2 : tensor<i64>
            stablehlo.return %1#1, %2 : tensor<i64>, tensor<i64>
          }
          return %0#1 : tensor<i64>
        }""",
        np.int64(11),
    )
    assert found == 3 and calls == [11, 5, 2, 1]


def test_sizes_of_the_run():
    ferrule.register_custom_call("test.twice", lambda x: np.concatenate([x, x]))
    program = ferrule.compile(
        textwrap.dedent("""
        func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
          %two = stablehlo.constant dense<2> : tensor<i32>
          %n = stablehlo.get_dimension_size %x, dim = 0
            : (tensor<?xf32>) -> tensor<i32>
          %m = stablehlo.multiply %n, %two : tensor<i32>
          %s = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
          %0 = stablehlo.custom_call @test.twice(%x, %s) {
            indices_of_shape_operands = dense<1> : tensor<1xi64>}
            : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
          %1 = stablehlo.add %0, %0 : tensor<?xf32>
          return %1 : tensor<?xf32>
        }""")
    )
    for size in (3, 0, 17):
        x = np.arange(size, dtype="float32")
        np.testing.assert_array_equal(program(x), 2 * np.concatenate([x, x]))


def test_constants_are_not_evaluated_while_compiling():
    calls = []
    ferrule.register_custom_call("test.now", lambda x: calls.append(1) or x)
    program = ferrule.compile("""
        func.func @main() -> tensor<3xf32> {
          %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
          %0 = stablehlo.custom_call @test.now(%x) : (tensor<3xf32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }""")
    assert not calls
    for _ in range(2):
        np.testing.assert_array_equal(program(), [1, 2, 3])
    assert len(calls) == 2


def test_call_made_by_jax():
    """jax.ffi.ffi_call, through a serialized export, of any batch."""
    jax = pytest.importorskip("jax", reason="JAX makes the calls")
    from jax import export

    def function(x):
        shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jax.ffi.ffi_call("test.ffi", shape)(x, factor=np.float32(2)) + 1

    ferrule.register_custom_call("test.ffi", lambda x, factor: x * factor)
    (b,) = export.symbolic_shape("b")
    exported = export.export(
        jax.jit(function),
        platforms=["cpu"],
        disabled_checks=[export.DisabledSafetyCheck.custom_call("test.ffi")],
    )(jax.ShapeDtypeStruct((b, 3), np.float32))
    program = ferrule.compile(exported.serialize())
    for size in (1, 4):
        x = np.arange(size * 3, dtype="float32").reshape(size, 3)
        np.testing.assert_array_equal(program(x), x * 2 + 1)


@pytest.mark.parametrize(
    "operation,message",
    [
        (
            "@ferrule.none(%x) : (tensor<2xf32>) -> tensor<2xf32>",
            "calls 'ferrule.none', which Ferrule does not know",
        ),
        (
            "@test.f(%x) : (tensor<2xf32>) -> tensor<?xf32>",
            "with a result of type 'tensor<\\?xf32>', whose size is unknown",
        ),
        (
            "@test.f(%x) {mhlo.backend_config = {a = @main}}"
            " : (tensor<2xf32>) -> tensor<2xf32>",
            "with option 'a' = @main, expected a number, a text or a list",
        ),
        (
            "@test.f(%x) {called_computations = [@main]}"
            " : (tensor<2xf32>) -> tensor<2xf32>",
            "with functions of the program, which a provider cannot call",
        ),
    ],
)
def test_calls_that_no_function_can_take(operation, message):
    result = operation.split("->")[1]
    with pytest.raises(ValueError, match=message):
        ferrule.compile(f"""
          func.func @main(%x: tensor<2xf32>) -> {result} {{
            %0 = stablehlo.custom_call {operation}
            return %0 : {result}
          }}""")


PLUGIN = r"""
#include "ferrule/device.h"
static const char *add_one(void *context, const ferrule_provider_call *call) {
  const ferrule_buffer *in = &call->buffers[0], *out = &call->buffers[1];
  if (call->buffer_count != 2 || call->first_output != 1)
    return "expected one operand and one result";
  for (int64_t i = 0; i < in->dims[0]; ++i)
    ((float *)out->data)[i] = ((const float *)in->data)[i] + 1;
  return 0;
}
__attribute__((visibility("default"))) const char *
ferrule_device_plugin(const ferrule_plugin_host *host) {
  return host->register_provider("test.add_one", add_one, 0);
}
"""


def test_plugin_in_c(tmp_path):
    compiler = shutil.which("clang-22") or shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    (tmp_path / "plugin.c").write_text(PLUGIN)
    library = tmp_path / "plugin.so"
    headers = ROOT / "runtime/include"
    subprocess.run(
        [compiler, "-shared", "-fPIC", f"-I{headers}", "-o", library]
        + [tmp_path / "plugin.c"],
        check=True,
    )
    program = ferrule.compile("""
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.custom_call @test.add_one(%x)
            : (tensor<4xf32>) -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }""")
    ferrule.load_plugin(library)
    x = np.arange(4, dtype="float32")
    np.testing.assert_array_equal(program(x), x + 1)
