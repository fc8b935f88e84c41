"""Several processes of one program as threads: the specification's meaning of
collectives by NumPy, and JAX on eight devices."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import ferrule
import numpy as np
import pytest
from reference import run as run_tool

HERE = Path(__file__).parent
# Replicas, partitions, and groups of each mode for that many.
GRIDS = {
    "cross_replica": (4, 2, [[0, 2], [3, 1]]),
    "cross_partition": (2, 4, [[1, 0], [2, 3]]),
    "cross_replica_and_partition": (4, 2, [[0, 2], [3, 1]]),
    "flattened_ids": (2, 4, [[0, 5, 2, 7], [4, 1, 6, 3]]),
}
CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
FLAGS = {
    "cross_replica": "",
    "cross_partition": CHANNEL,
    "cross_replica_and_partition": CHANNEL,
    "flattened_ids": CHANNEL + ", use_global_device_ids",
}
REDUCING = ["cross_replica", "cross_replica_and_partition", "flattened_ids"]
MOVING = ["cross_replica", "cross_partition"]


def process_groups(mode, groups, replicas, partitions):
    """Lists of processes (replica, partition), as the specification has them."""
    if mode == "cross_replica":
        return [[(r, p) for r in g] for g in groups for p in range(partitions)]
    if mode == "cross_partition":
        return [[(r, p) for p in g] for g in groups for r in range(replicas)]
    if mode == "cross_replica_and_partition":
        return [[(r, p) for p in range(partitions) for r in g] for g in groups]
    return [[divmod(i, partitions) for i in g] for g in groups]


def dense(groups):
    rows = ", ".join("[" + ", ".join(map(str, g)) + "]" for g in groups)
    return f"dense<[{rows}]> : tensor<{len(groups)}x{len(groups[0])}xi64>"


def type_of(shape, element="f32"):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def program(op, attributes, operand, result, replicas, partitions, body=""):
    region = ""
    if body:
        scalar = "tensor<" + re.split("[x<]", operand)[-1]
        region = (
            f"({{\n^bb0(%a: {scalar}, %b: {scalar}):\n  %r = stablehlo.{body} %a, %b : "
            f"{scalar}\n  stablehlo.return %r : {scalar}\n}}) "
        )
    return (
        f"module attributes {{mhlo.num_replicas = {replicas} : i32, "
        f"mhlo.num_partitions = {partitions} : i32}} {{\n"
        f"func.func @main(%x: {operand}) -> {result} {{\n"
        f'  %0 = "stablehlo.{op}"(%x) <{{{attributes}}}> {region}: ({operand}) -> {result}\n'
        f"  return %0 : {result}\n}}\n}}\n"
    )


def run(text, grid, inputs):
    """Results by process; `grid` is (replicas, partitions)."""
    executable = ferrule.compile(text, threads=1)
    results = executable.run_replicas(inputs, partitions=grid[1])
    return {divmod(i, grid[1]): result for i, result in enumerate(results)}


def inputs_of(shape, count, dtype=np.float32):
    random = np.random.default_rng(7)
    return [random.integers(-9, 9, shape).astype(dtype) for _ in range(count)]


def check(mode, op, attributes, shape, result, expected, body="", dtype="f32"):
    replicas, partitions, groups = GRIDS[mode]
    attributes += f", replica_groups = {dense(groups)}{FLAGS[mode]}"
    text = program(
        op, attributes.lstrip(", "), type_of(shape, dtype), type_of(result, dtype),
        replicas, partitions, body,
    )
    numpy = {"f32": np.float32, "i8": np.int8, "ui16": np.uint16}[dtype]
    inputs = inputs_of(shape, replicas * partitions, numpy)
    found = run(text, (replicas, partitions), inputs)
    for group in process_groups(mode, groups, replicas, partitions):
        values = [inputs[r * partitions + p] for r, p in group]
        for position, process in enumerate(group):
            np.testing.assert_array_equal(found[process], expected(values, position))


def members(mode):
    replicas, partitions, groups = GRIDS[mode]
    return len(process_groups(mode, groups, replicas, partitions)[0])


@pytest.mark.parametrize("dtype", ["f32", "i8", "ui16"])
@pytest.mark.parametrize("body", ["add", "maximum", "multiply"])
@pytest.mark.parametrize("mode", REDUCING)
def test_all_reduce(mode, body, dtype):
    function = {"add": np.add, "maximum": np.maximum, "multiply": np.multiply}[body]
    with np.errstate(over="ignore"):
        check(
            mode, "all_reduce", "", (3, 5), (3, 5),
            lambda values, _: function.reduce(values, dtype=values[0].dtype),
            body, dtype,
        )


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("mode", REDUCING)
def test_all_gather(mode, dim):
    result = [3, 5]
    result[dim] *= members(mode)
    check(
        mode, "all_gather", f"all_gather_dim = {dim} : i64", (3, 5), result,
        lambda values, _: np.concatenate(values, dim),
    )


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("mode", REDUCING)
def test_reduce_scatter(mode, dim):
    count = members(mode)
    result = [2 * count, 3 * count]
    shape, result[dim] = tuple(result), result[dim] // count
    check(
        mode, "reduce_scatter", f"scatter_dimension = {dim} : i64", shape, result,
        lambda values, i: np.split(np.add.reduce(values), count, dim)[i], "add",
    )


@pytest.mark.parametrize("split, concat", [(0, 1), (1, 0), (1, 1), (2, 0)])
@pytest.mark.parametrize("mode", MOVING)
def test_all_to_all(mode, split, concat):
    shape = (4, 6, 2)
    result = list(shape)
    result[split] //= 2
    result[concat] *= 2
    check(
        mode, "all_to_all",
        f"split_dimension = {split} : i64, concat_dimension = {concat} : i64, "
        "split_count = 2 : i64",
        shape, result,
        lambda values, i: np.concatenate([np.split(v, 2, split)[i] for v in values], concat),
    )


@pytest.mark.parametrize("mode", MOVING)
def test_collective_broadcast(mode):
    check(mode, "collective_broadcast", "", (2, 3), (2, 3), lambda values, _: values[0])


@pytest.mark.parametrize("mode", MOVING)
def test_collective_broadcast_gives_others_zeros(mode):
    attributes = f"replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>{FLAGS[mode]}"
    text = program("collective_broadcast", attributes, type_of((2,)), type_of((2,)), 3, 3)
    inputs = inputs_of((2,), 9)
    found = run(text, (3, 3), inputs)
    for (r, p), value in found.items():
        number = r if mode == "cross_replica" else p
        root = (1, p) if mode == "cross_replica" else (r, 1)
        expected = inputs[root[0] * 3 + root[1]] if number < 2 else np.zeros(2)
        np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize("mode", MOVING)
def test_collective_permute(mode):
    pairs = [[0, 1], [1, 2], [3, 3]]
    attributes = f"source_target_pairs = {dense(pairs)}{FLAGS[mode]}"
    text = program("collective_permute", attributes, type_of((2, 2)), type_of((2, 2)), 4, 4)
    inputs = inputs_of((2, 2), 16)
    found = run(text, (4, 4), inputs)
    sources = {target: source for source, target in pairs}
    for (r, p), value in found.items():
        source = sources.get(r if mode == "cross_replica" else p)
        expected = np.zeros((2, 2))
        if source is not None:
            r, p = (source, p) if mode == "cross_replica" else (r, source)
            expected = inputs[r * 4 + p]
        np.testing.assert_array_equal(value, expected)


def test_groups_of_different_sizes():
    attributes = "replica_groups = dense<[[0, 2, 3], [1, -1, -1]]> : tensor<2x3xi64>"
    text = program("all_reduce", attributes, type_of((4,)), type_of((4,)), 4, 1, "add")
    inputs = inputs_of((4,), 4)
    found = run(text, (4, 1), inputs)
    for r in range(4):
        group = [1] if r == 1 else [0, 2, 3]
        np.testing.assert_array_equal(found[r, 0], sum(inputs[i] for i in group))


def test_no_groups_are_everybody():
    attributes = "replica_groups = dense<> : tensor<0x0xi64>"
    text = program("all_reduce", attributes, type_of(()), type_of(()), 3, 1, "add")
    found = run(text, (3, 1), [np.float32(i) for i in (1, 2, 4)])
    assert [float(found[r, 0]) for r in range(3)] == [7, 7, 7]


def test_sizes_known_at_run_time():
    group = dense([[0, 1]])
    text = f"""module attributes {{mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32}} {{
    func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>) {{
      %0 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64, replica_groups = {group}}}> : (tensor<?x4xf32>) -> tensor<?x4xf32>
      %1 = "stablehlo.all_reduce"(%x) <{{replica_groups = {group}}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %r = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }}) : (tensor<?x4xf32>) -> tensor<?x4xf32>
      %2 = "stablehlo.all_to_all"(%x) <{{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = {group}}}> : (tensor<?x4xf32>) -> tensor<?x8xf32>
      return %0, %1, %2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>
    }} }}"""
    executable = ferrule.compile(text, threads=1)
    for rows in (2, 6):
        x = inputs_of((rows, 4), 2)
        for i, (gathered, summed, moved) in enumerate(executable.run_replicas(x)):
            np.testing.assert_array_equal(gathered, np.concatenate(x))
            np.testing.assert_array_equal(summed, x[0] + x[1])
            parts = [np.split(v, 2)[i] for v in x]
            np.testing.assert_array_equal(moved, np.concatenate(parts, 1))
    with pytest.raises(Exception, match="expected equal sizes"):
        executable.run_replicas([np.ones((2, 4), "f"), np.ones((4, 4), "f")])


IDS = """func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}"""


def test_ids():
    executable = ferrule.compile(IDS)
    found = executable.run_replicas([()] * 6, partitions=3)
    assert [tuple(map(int, f)) for f in found] == [(r, p) for r in range(2) for p in range(3)]
    assert tuple(map(int, executable())) == (0, 0)


def two(attributes="replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"):
    return program("all_reduce", attributes, type_of((2,)), type_of((2,)), 2, 1, "add")


def test_wrong_numbers_of_processes():
    x = np.ones(2, np.float32)
    executable = ferrule.compile(two())
    with pytest.raises(Exception, match="process 1, but it runs with 1 replicas of 1 partitions"):
        executable(x)
    with pytest.raises(Exception, match="replica 2, partition 0.* is in no group"):
        executable.run_replicas([x] * 3)
    with pytest.raises(ValueError, match="found inputs of 3 processes"):
        executable.run_replicas([x] * 3, partitions=2)
    with pytest.raises(ValueError, match="found 0 requests"):
        executable.run_replicas([])


def test_a_failure_ends_all():
    text = """module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} {
    func.func @main(%x: tensor<f32>, %ok: tensor<i1>) -> tensor<f32> {
      stablehlo.custom_call @ferrule.assert(%ok) {has_side_effect = true, error_message = "no luck"} : (tensor<i1>) -> ()
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %r = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    } }"""
    executable = ferrule.compile(text, threads=1)
    one = np.float32(1)
    assert [float(y) for y in executable.run_replicas([(one, True), (one, True)])] == [2, 2]
    with pytest.raises(Exception, match="replica 1, partition 0.*no luck"):
        executable.run_replicas([(one, True), (one, False)])


def test_who_waits_for_ever_fails():
    """One process takes a branch that the other does not."""
    text = """module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} {
    func.func @main(%x: tensor<f32>, %meet: tensor<i1>) -> tensor<f32> {
      %0 = "stablehlo.if"(%meet) ({
        %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %r = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %r : tensor<f32>
        }) : (tensor<f32>) -> tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }, {
        stablehlo.return %x : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      return %0 : tensor<f32>
    } }"""
    executable = ferrule.compile(text, threads=1)
    one = np.float32(1)
    for _ in range(50):
        assert [float(y) for y in executable.run_replicas([(one, True)] * 2)] == [2, 2]
        assert [float(y) for y in executable.run_replicas([(one, False)] * 2)] == [1, 1]
        with pytest.raises(Exception, match="waits for ever.* replica 1, partition 0 has ended"):
            executable.run_replicas([(one, True), (one, False)])


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    path = tmp_path_factory.mktemp("shards") / "cases.pkl"
    subprocess.run([sys.executable, HERE / "jax_shards.py", path], check=True, timeout=300)
    return pickle.loads(path.read_bytes())


def test_as_jax_on_eight_devices(shards):
    assert len(shards) >= 10
    for name, (text, inputs, expected) in shards.items():
        executable = ferrule.compile(text, threads=1)
        found = executable.run_replicas(inputs, partitions=8)
        for f, e in zip(found, expected, strict=True):
            np.testing.assert_allclose(f, e, rtol=2e-6, atol=1e-6, err_msg=name)


def test_a_grid_in_ferrule_check(tmp_path):
    text = """
    func.func public @sum(%x: tensor<2xi64>) -> tensor<2xi64> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<i64>, %b: tensor<i64>):
        %r = stablehlo.add %a, %b : tensor<i64>
        stablehlo.return %r : tensor<i64>
      }) : (tensor<2xi64>) -> tensor<2xi64>
      return %0 : tensor<2xi64>
    }
    func.func @main() {
      %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
      %1 = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
      %2:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sum], [@sum]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
      check.expect_eq_const %2#0, dense<[11, 22]> : tensor<2xi64>
      check.expect_eq_const %2#1, dense<[11, 22]> : tensor<2xi64>
      return
    }"""
    file = tmp_path / "grid.mlir"
    file.write_text(text)
    assert b"1 passed, 0 failed" in run_tool("ferrule-check", b"", file)
