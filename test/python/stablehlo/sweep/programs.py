"""Cases of the operator sweep: one function on given inputs each, its expected
results from jaxlib (or from a formula), written as programs that hold them."""

import dataclasses
import functools
import hashlib
import pathlib
import pickle
import re
import subprocess

import ml_dtypes
import numpy as np

ROOT = pathlib.Path(__file__).parents[4]
CACHE = ROOT / ".cache" / "op-sweep"

SMALL_FLOATS = {
    "f4E2M1FN": "float4_e2m1fn", "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn",
    "f8E3M4": "float8_e3m4", "f8E4M3": "float8_e4m3", "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E5M2": "float8_e5m2", "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E8M0FNU": "float8_e8m0fnu",
}  # fmt: skip
NUMPY = {
    "i1": np.bool_, "i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2,
    "ui4": ml_dtypes.uint4, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32,
    "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128,
    **{f"i{w}": np.dtype(f"int{w}").type for w in (8, 16, 32, 64)},
    **{f"ui{w}": np.dtype(f"uint{w}").type for w in (8, 16, 32, 64)},
    **{k: getattr(ml_dtypes, v) for k, v in SMALL_FLOATS.items()},
}  # fmt: skip
NAMES = {np.dtype(v): k for k, v in NUMPY.items()}

SIGNED = ["i2", "i4", "i8", "i16", "i32", "i64"]
UNSIGNED = ["ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["bf16", "f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]
EVERY = ["i1", *INTEGERS, *SMALL_FLOATS, *FLOATS, *COMPLEX]
# One of each kind, for ops that only move elements or combine them simply.
KINDS = ["i1", "i4", "i8", "ui16", "i32", "ui64", "f8E4M3FN", "f4E2M1FN", "bf16", "f16", "f32", "f64",
         "complex<f32>"]  # fmt: skip


def element_of(array):
    return NAMES[np.asarray(array).dtype]


def type_of(array, dynamic=False):
    dims = ["?" if dynamic else str(d) for d in np.shape(array)]
    return f"tensor<{'x'.join([*dims, element_of(array)])}>"


def tensor(element, *dims):
    return f"tensor<{'x'.join([*map(str, dims), element])}>"


def is_float(element):
    return element.startswith(("f", "bf"))


def literal(array):
    """The text of an elements attribute, floats bit by bit."""
    array = np.asarray(array)
    element = element_of(array)

    def number(value):
        if element == "i1":
            return "true" if value else "false"
        if not is_float(element):
            return str(int(value))
        bits = np.asarray(value).view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[value.dtype.itemsize])
        return f"0x{int(bits):0{value.dtype.itemsize * 2}X}"

    def pair(value):
        parts = np.array([value]).view(np.float32 if element == "complex<f32>" else np.float64)
        name = "f32" if element == "complex<f32>" else "f64"
        bits = parts.view(np.uint32 if name == "f32" else np.uint64)
        return f"(0x{int(bits[0]):0{8 if name == 'f32' else 16}X}, 0x{int(bits[1]):0{8 if name == 'f32' else 16}X})"

    def nest(a):
        if a.ndim == 0:
            value = a[()]
            return pair(value) if array.dtype.kind == "c" else number(value)
        return "[" + ", ".join(nest(a[i]) for i in range(a.shape[0])) + "]"

    if array.size == 0:
        return f"dense<> : {type_of(array)}"
    return f"dense<{nest(array)}> : {type_of(array)}"


@dataclasses.dataclass
class Case:
    """`body` is the text of @f's body, which uses %a0, %a1, ... and defines
    what `returns` names; `results` are its result types."""

    name: str
    inputs: list
    body: str
    results: list
    # exact; close: 3 units in the last place; almost: 1e-3.
    agreement: str = "exact"
    # Arrays, or a function of the inputs; jaxlib's results when None.
    expected: object = None
    returns: list = None
    # Extra functions of the module.
    module: str = ""
    # Types of @f's arguments when they are not those of the arrays.
    arguments: list = None
    # The same case with static sizes, which jaxlib can compute.
    like: object = None

    def function(self, name):
        types = self.arguments or [type_of(a) for a in self.inputs]
        arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
        returns = self.returns or [f"%r{i}" if i else "%r" for i in range(len(self.results))]
        results = ", ".join(self.results)
        return (
            f"  func.func {name}({arguments}) -> ({results}) {{\n"
            + "".join(f"    {line.strip()}\n" for line in self.body.strip().splitlines())
            + f"    return {', '.join(returns)} : {results}\n  }}\n{self.module}"
        )

    def values(self):
        if callable(self.expected):
            found = self.expected(*self.inputs)
            return list(found) if isinstance(found, (tuple, list)) else [found]
        return self.expected if self.expected is not None else jaxlib_results(self.like or self)


@functools.cache
def backend():
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    from jax._src import xla_bridge

    return xla_bridge.get_backend("cpu")


def execute(text, inputs):
    import jax
    from jax._src.lib import xla_client

    cpu = backend()
    devices = xla_client.DeviceList(tuple(cpu.local_devices()[:1]))
    program = cpu.compile_and_load(text, devices, xla_client.CompileOptions())
    results = program.execute_sharded([jax.device_put(a) for a in inputs])
    return [np.asarray(r[0]) for r in results.disassemble_into_single_device_arrays()]


def jaxlib_results(case):
    """What jaxlib computes, remembered by program, inputs and version."""
    import jaxlib

    text = "module {\n" + case.function("public @main") + "}\n"
    key = hashlib.sha256((jaxlib.__version__ + text + "".join(map(literal, case.inputs))).encode()).hexdigest()
    path = CACHE / key
    if path.exists():
        return pickle.loads(path.read_bytes())
    results = execute(text, case.inputs)
    CACHE.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(results))
    return results


def _check(lines, i, agreement, actual, type_, expected):
    """A comparison of one result; exactness in a wider type that tells
    neighbours apart and takes any NaN for any other."""
    element = element_of(expected)
    lines.append(f"%w{i} = stablehlo.constant {literal(expected)}")
    want, call = f"%w{i}", {"almost": "check.expect_almost_eq"}.get(agreement, "check.expect_close")
    if is_float(element) and element != "f64" and agreement == "exact":
        wider = "f64" if element == "f32" else "f32"
        for name, value, from_ in (("x", actual, type_), ("y", want, type_of(expected))):
            to = from_[: from_.rindex(element)] + wider + ">"
            lines.append(f"%{name}{i} = stablehlo.convert {value} : ({from_}) -> {to}")
        actual, want = f"%x{i}", f"%y{i}"
        type_, expected_type = type_[: type_.rindex(element)] + wider + ">", type_of(expected)
        expected_type = expected_type[: expected_type.rindex(element)] + wider + ">"
    else:
        expected_type = type_of(expected)
        if not is_float(element) and not element.startswith("complex"):
            call = "check.expect_eq"
    lines.append(
        f"stablehlo.custom_call @{call}({actual}, {want}) {{has_side_effect = true}} : "
        f"({type_}, {expected_type}) -> ()"
    )


def program(case):
    """A program for ferrule-check."""
    expected = case.values()
    lines = [f"%c{i} = stablehlo.constant {literal(a)}" for i, a in enumerate(case.inputs)]
    types = case.arguments or [type_of(a) for a in case.inputs]
    names = []
    for i, (array, type_) in enumerate(zip(case.inputs, types)):
        if "?" not in type_:
            names.append(f"%c{i}")
            continue
        # Sizes that nothing can know before the program runs.
        dims = np.array(np.shape(array), np.int32)
        shape = tensor("i32", len(dims))
        lines.append(f"%h{i} = stablehlo.constant {literal(dims // 2)}")
        lines.append(f"%g{i} = stablehlo.constant {literal(dims - dims // 2)}")
        lines.append(f"%s{i} = stablehlo.add %h{i}, %g{i} : {shape}")
        lines.append(f"%d{i} = stablehlo.dynamic_reshape %c{i}, %s{i} : ({type_of(array)}, {shape}) -> {type_}")
        names.append(f"%d{i}")
    out = "%out" if len(case.results) == 1 else f"%out:{len(case.results)}"
    lines.append(f"{out} = call @f({', '.join(names)}) : ({', '.join(types)}) -> ({', '.join(case.results)})")
    for i, (array, type_) in enumerate(zip(expected, case.results)):
        name = "%out" if len(case.results) == 1 else f"%out#{i}"
        agreement = case.agreement[i] if isinstance(case.agreement, list) else case.agreement
        _check(lines, i, agreement, name, type_, np.asarray(array))
    body = "".join(f"    {line}\n" for line in lines)
    symbol = re.sub(r"\W+", "_", case.name)
    return (
        f"// {case.name}\nmodule @{symbol} {{\n  func.func @main() {{\n{body}    return\n  }}\n"
        + case.function("private @f")
        + "}\n"
    )


def run(cases, path, jobs=2, timeout=60):
    """Checks the cases; returns {name: what ferrule-check says} of failures."""
    texts, starts, line, failures = [], [], 1, {}
    for case in cases:
        try:
            text = program(case)
        except Exception as error:  # jaxlib's errors have no class of their own.
            failures[case.name] = f"ORACLE {type(error).__name__}: {str(error)[:300]}"
            continue
        starts.append((line, case.name))
        texts.append(text)
        line += text.count("\n") + 1
    path.write_text("// -----\n".join(texts))
    tool = ROOT / "build" / "bin" / "ferrule-check"
    done = subprocess.run([tool, str(path), f"-j{jobs}", f"--timeout={timeout}"], capture_output=True, text=True)
    for match in re.finditer(rf"{re.escape(str(path))}:(\d+)(?::\d+)?: error: (.*)", done.stdout):
        number = int(match[1])
        name = next(n for start, n in reversed(starts) if start <= number)
        failures.setdefault(name, match[2])
    summary = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-500:]
    return failures, summary
