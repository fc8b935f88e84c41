"""The Python runtime on programs that the runtime's own test builder makes."""

import subprocess
import sys
import threading
from pathlib import Path

import ferrule
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def programs(tmp_path_factory, build_folder):
    folder = tmp_path_factory.mktemp("programs")
    tool = build_folder / "bin" / "ferrule-test-programs"
    subprocess.run([tool, folder], check=True)
    return folder


@pytest.fixture
def add(programs):
    return ferrule.load(programs / "add.byre")


def test_describes_itself(add):
    assert repr(add) == (
        "<ferrule.Executable main(a: 100xf32, b: 100xf32) -> (out: 100xf32)>"
    )
    value = add.inputs[0]
    assert (value.name, value.dtype, value.shape) == ("a", "f32", (100,))
    assert add.functions == ["main", "second"]
    assert add.metadata["author"] == "somebody"
    assert add.threads >= 1


def test_positions_names_numbers(add):
    a = np.arange(100, dtype=np.float32)
    for result in (add(a, 2 * a), add(a, b=2 * a), add(b=2 * a, a=a)):
        assert isinstance(result, np.ndarray)
        np.testing.assert_array_equal(result, 3 * a)
    np.testing.assert_array_equal(add(a, [1] * 100), a + 1)
    np.testing.assert_array_equal(add.function("second")(a, a), 2 * a)


def test_results_are_independent(add):
    a = np.ones(100, np.float32)
    first = add(a, a)
    second = add(3 * a, a)
    assert first[0] == 2 and second[0] == 4


def test_strides(add):
    a = np.arange(200, dtype=np.float32)
    np.testing.assert_array_equal(add(a[::2], a[::-2]), a[::2] + a[::-2])


def test_torch(add):
    torch = pytest.importorskip("torch")
    a = torch.arange(100.0)
    result = add(a, torch.nn.Parameter(a))
    assert isinstance(result, torch.Tensor)
    assert torch.equal(result, 2 * a)
    # One tensor is enough to get tensors back.
    assert isinstance(add(a.numpy(), a), torch.Tensor)


def test_dlpack(add):
    class Foreign:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    a = np.arange(100, dtype=np.float32)
    np.testing.assert_array_equal(add(Foreign(a), Foreign(a)), 2 * a)


def test_jax(add):
    jnp = pytest.importorskip("jax.numpy")
    a = jnp.arange(100.0, dtype=jnp.float32)
    result = add(a, a)
    assert type(result) is type(a)
    np.testing.assert_array_equal(np.asarray(result), 2 * np.asarray(a))


@pytest.mark.parametrize(
    "name, dtype",
    [
        ("I1", "bool"), ("I8", "int8"), ("I16", "int16"), ("I32", "int32"),
        ("I64", "int64"), ("U8", "uint8"), ("U16", "uint16"),
        ("U32", "uint32"), ("U64", "uint64"), ("F16", "float16"),
        ("F32", "float32"), ("F64", "float64"), ("C64", "complex64"),
        ("C128", "complex128"), ("BF16", "bfloat16"),
        ("F8E4M3FN", "float8_e4m3fn"), ("F8E5M2", "float8_e5m2"),
        ("F8E4M3FNUZ", "float8_e4m3fnuz"),
    ],
)  # fmt: skip
def test_types(programs, name, dtype):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    torch = pytest.importorskip("torch")
    run = ferrule.load(programs / "types.byre", function=name)
    numpy_type = np.dtype(getattr(ml_dtypes, dtype, None) or dtype)
    x = np.arange(12).reshape(4, 3).astype(numpy_type)
    y = run(x)
    assert y.dtype == numpy_type and y.shape == (4, 3)
    np.testing.assert_array_equal(y.astype(complex), x.astype(complex))
    assert run(x[:0]).shape == (0, 3)
    t = torch.arange(12).reshape(4, 3).to(getattr(torch, dtype))
    u = run(t.t().contiguous().t())
    assert u.dtype == t.dtype and u.shape == t.shape
    assert torch.equal(u.view(torch.uint8), t.view(torch.uint8))


def test_updates_in_place(programs):
    update = ferrule.load(programs / "update.byre")
    x = np.zeros(8, np.float32)
    result, copy = update(x[::2])
    assert list(x) == [5, 0] * 4 and list(copy) == [5] * 4
    assert result.base is x
    x.flags.writeable = False
    with pytest.raises(ValueError, match="'x' is updated in place"):
        update(x[:4])


def test_errors(add, programs, tmp_path):
    a = np.zeros(100, np.float32)
    with pytest.raises(ValueError, match="input 'a' is 100xf64, expected 100xf32"):
        add(a.astype(np.float64), a)
    with pytest.raises(ValueError, match="input 'b' is 5xf32, expected 100xf32"):
        add(a, a[:5])
    with pytest.raises(ValueError, match="takes 2 inputs, found 1"):
        add(a)
    with pytest.raises(TypeError, match="no input 'c', 'main' has: a, b"):
        add(a, c=a)
    with pytest.raises(TypeError, match="input 'b' is missing"):
        add(a=a)
    with pytest.raises(FileNotFoundError, match=r"none\.byre"):
        ferrule.load(tmp_path / "none.byre")
    with pytest.raises(FileNotFoundError, match="no function 'x'"):
        ferrule.load(programs / "add.byre", function="x")
    with pytest.raises(RuntimeError, match=r"future needs avx4096"):
        ferrule.load(programs / "future.byre")
    damaged = bytearray((programs / "add.byre").read_bytes())
    damaged[500] ^= 1
    (tmp_path / "damaged.byre").write_bytes(damaged)
    with pytest.raises(RuntimeError, match=r"damaged\.byre: damaged .byre file"):
        ferrule.load(tmp_path / "damaged.byre")


def test_saves(add, programs, tmp_path):
    add.save(tmp_path / "copy.byre")
    original = (programs / "add.byre").read_bytes()
    assert (tmp_path / "copy.byre").read_bytes() == original
    again = ferrule.Executable.from_bytes(add.to_bytes(), threads=1)
    assert again.threads == 1
    assert again(np.ones(100, np.float32), np.ones(100, np.float32))[0] == 2


def test_threads_and_profile(add):
    a = np.ones(100, np.float32)
    wrong = []

    def call(value):
        for _ in range(100):
            if add(value * a, a)[7] != value + 1:
                wrong.append(value)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    (event,) = add.profile(a, a)
    assert event["kernel"] == "add" and event["workgroups"] == 7


def test_needs_no_compiler(programs):
    """`load` and running pull in no LLVM, and no framework."""
    code = f"""
import sys, numpy as np, ferrule
exe = ferrule.load({str(programs / "add.byre")!r})
exe(np.ones(100, np.float32), np.ones(100, np.float32))
loaded = open("/proc/self/maps").read()
assert "LLVM" not in loaded and "MLIR" not in loaded and "_compiler" not in loaded
assert "torch" not in sys.modules
"""
    env = {"PYTHONPATH": str(ROOT / "python")}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)


def test_run_tool(programs, build_folder, tmp_path):
    def run(*arguments):
        command = [build_folder / "bin" / "ferrule-run", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    np.save(tmp_path / "a.npy", np.arange(100, dtype=np.float32))
    status, text = run(
        programs / "add.byre", f"--input=a=@{tmp_path}/a.npy",
        "--input=b=100xf32=0.5", f"--output=@{tmp_path}/out.npy",
        f"--profile={tmp_path}/trace.json", "--threads=1", "--verify",
    )  # fmt: skip
    assert status == 0, text
    expected = np.arange(100, dtype=np.float32) + 0.5
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)
    assert '"kernel": "add"' in (tmp_path / "trace.json").read_text()
    status, text = run(programs / "add.byre", "--input=a=1")
    assert status == 1 and "input 'b' is missing" in text
    status, text = run(programs / "add.byre", "--benchmark=0.01")
    assert status == 0 and "median" in text
