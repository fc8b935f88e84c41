"""The kernel cache on disk: the same file with it and without, whatever the
cache holds and whoever else uses it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILE = Path(os.environ.get("FERRULE_BUILD", ROOT / "build")) / "bin/ferrule-compile"

# Two kernels, of which one has an assertion, and weights that are packed.
PROGRAM = """
func.func @main(%x: tensor<4x8xf32>, %i: tensor<3xi32>) -> (tensor<4x16xf32>, tensor<3x8xf32>) {
  %w = stablehlo.constant dense<"WEIGHTS"> : tensor<8x16xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.tanh %0 : tensor<4x16xf32>
  %2 = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}
      : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return %1, %2 : tensor<4x16xf32>, tensor<3x8xf32>
}
""".replace("WEIGHTS", "0x" + bytes(range(128)).hex().upper() * 4)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(PROGRAM)
    return path


def start(model, output, *options, **environment):
    return subprocess.Popen(
        [COMPILE, model, "-o", output, "-v", *options],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def compile_file(model, *options, code=0, **environment):
    """The file's bytes, and how many kernels were found and compiled."""
    output = model.parent / "out.byre"
    output.unlink(missing_ok=True)
    process = start(model, output, *options, **environment)
    errors = process.communicate()[1]
    assert process.returncode == code, errors
    if code:
        return errors
    counts = errors.partition("(kernel cache: ")[2].split()
    return output.read_bytes(), (int(counts[0]), int(counts[2])) if counts else None


def entries(folder):
    return sorted(folder.glob("llvmcache-*"))


def test_same_file_with_and_without(model, tmp_path):
    plain, counts = compile_file(model, "--kernel-cache=off")
    assert counts is None
    cache = tmp_path / "new/folder"
    cold, (found, compiled) = compile_file(model, f"--kernel-cache={cache}")
    assert found == 0 and compiled > 2
    warm, (found, compiled) = compile_file(model, f"--kernel-cache={cache}")
    assert found > 0 and compiled == 0
    assert plain == cold == warm


def test_kernels_of_another_program_are_found(model, tmp_path):
    cache = f"--kernel-cache={tmp_path / 'cache'}"
    _, (_, all_kernels) = compile_file(model, cache)
    # Another function name gives other kernel names; one kernel is new.
    text = PROGRAM.replace("@main", "@other").replace(
        "stablehlo.tanh", "stablehlo.sine"
    )
    model.write_text(text)
    plain, _ = compile_file(model, "--kernel-cache=off")
    file, (found, compiled) = compile_file(model, cache)
    assert found >= 3 and compiled < all_kernels
    assert file == plain


def test_target_is_part_of_the_key(model, tmp_path):
    cache = f"--kernel-cache={tmp_path / 'cache'}"
    compile_file(model, cache, "--target-cpu=x86-64-v4")
    file, (_, compiled) = compile_file(model, cache, "--target-cpu=x86-64-v3")
    assert compiled > 0
    assert (
        file == compile_file(model, "--kernel-cache=off", "--target-cpu=x86-64-v3")[0]
    )


@pytest.mark.parametrize("damage", ["flip", "truncate", "empty", "swap", "folder"])
def test_damaged_entry_is_a_miss(model, tmp_path, damage):
    cache = tmp_path / "cache"
    plain, (_, compiled) = compile_file(model, f"--kernel-cache={cache}")
    files = entries(cache)
    contents = [path.read_bytes() for path in files]
    for path, mine, other in zip(files, contents, contents[1:] + contents[:1]):
        if damage == "flip":
            path.write_bytes(mine[:-9] + bytes([mine[-9] ^ 4]) + mine[-8:])
        elif damage == "truncate":
            path.write_bytes(mine[: len(mine) // 2])
        elif damage == "empty":
            path.write_bytes(b"")
        elif damage == "swap":  # Whole, but what another key stands for.
            path.write_bytes(other)
        else:
            path.unlink()
            path.mkdir()
    file, counts = compile_file(model, f"--kernel-cache={cache}")
    assert file == plain
    assert counts == (0, compiled)
    if damage != "folder":
        assert compile_file(model, f"--kernel-cache={cache}")[1][1] == 0


def test_oldest_entries_go_first(model, tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    for age in (1000, 2000):
        path = cache / f"llvmcache-{age}"
        path.write_bytes(bytes(700_000))
        times = path.stat().st_mtime - age
        os.utime(path, (times, times))
    compile_file(model, f"--kernel-cache={cache}", FERRULE_CACHE_MB="1")
    names = [path.name for path in entries(cache)]
    assert "llvmcache-2000" not in names and "llvmcache-1000" in names
    assert len(names) > 3
    assert sum(path.stat().st_size for path in entries(cache)) <= 1 << 20
    # What was used is newer than what was only stored.
    old = [path for path in entries(cache) if path.name != "llvmcache-1000"]
    for path in old:
        os.utime(path, (1, 1))
    compile_file(model, f"--kernel-cache={cache}", FERRULE_CACHE_MB="1")
    assert any(path.stat().st_mtime > 1000 for path in old)


def test_no_room_at_all(model, tmp_path):
    cache = tmp_path / "cache"
    file, _ = compile_file(model, f"--kernel-cache={cache}", FERRULE_CACHE_MB="0")
    assert file == compile_file(model, "--kernel-cache=off")[0]
    assert entries(cache) == []


def test_processes_share_a_folder(model, tmp_path):
    cache = f"--kernel-cache={tmp_path / 'cache'}"
    outputs = [tmp_path / f"{i}.byre" for i in range(4)]
    processes = [
        start(model, output, cache, FERRULE_CACHE_MB="1") for output in outputs
    ]
    for process in processes:
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
    assert len({output.read_bytes() for output in outputs}) == 1
    assert not list((tmp_path / "cache").glob("*.tmp"))


def test_folders(model, tmp_path):
    where = {"FERRULE_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path / "xdg")}
    compile_file(model, **where)
    assert entries(tmp_path / "xdg/ferrule/kernels")
    where["FERRULE_CACHE_DIR"] = str(tmp_path / "own")
    compile_file(model, **where)
    assert entries(tmp_path / "own/kernels")
    assert (tmp_path / "own").stat().st_mode & 0o077 == 0
    compile_file(model, FERRULE_CACHE_DIR="", XDG_CACHE_HOME="", HOME="")


def test_folders_that_cannot_be_written(model):
    # A folder below a file: nobody can make it, not even root.
    impossible = str(model / "cache")
    # Nobody asked for the default folder, so its absence is no error.
    compile_file(model, FERRULE_CACHE_DIR=impossible)
    errors = compile_file(model, f"--kernel-cache={impossible}", code=1)
    assert errors.count("\n") == 1
    assert "cannot write to the kernel cache" in errors and impossible in errors
