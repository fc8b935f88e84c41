"""Runs functions on 8 devices with JAX and writes, for each, the program of one
device and the blocks of all: jax_shards.py OUTPUT.pkl"""

import os
import pickle
import re
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh, PartitionSpec  # noqa: E402

SPEC = PartitionSpec("a", "b")

FUNCTIONS = {
    "psum": lambda x: lax.psum(x, "b"),
    "psum_of_all": lambda x: lax.psum(x, ("a", "b")),
    "pmax_pmin": lambda x: lax.pmax(x, "a") - lax.pmin(x, ("a", "b")),
    "psum_of_two": lambda x: sum(lax.psum((x, x * 2), "b")),
    "all_gather": lambda x: lax.all_gather(x, "b", axis=0, tiled=True),
    "all_gather_columns": lambda x: lax.all_gather(x, ("a", "b"), axis=1, tiled=True),
    "psum_scatter": lambda x: lax.psum_scatter(x, "a", tiled=True),
    "all_to_all": lambda x: lax.all_to_all(x, "b", 0, 1, tiled=True),
    "ppermute": lambda x: lax.ppermute(x, ("a", "b"), [(0, 1), (1, 7), (7, 0), (3, 3)]),
    "axis_index": lambda x: x * lax.axis_index("a") + lax.axis_index("b"),
    "loop": lambda x: lax.fori_loop(0, 5, lambda i, y: lax.ppermute(y, "b", [(j, (j + 1) % 4) for j in range(4)]) + i, x),
    "softmax": lambda x: jax.nn.softmax(x - lax.pmax(x, "b")) / lax.psum(x.sum(), ("a", "b")),
}


def program_of_one(text):
    """The function that each device runs, of a program for all of them."""
    arguments, body, results = re.search(
        r"manual_axes=\{[^}]*\} \((.*?)\) \{\n(.*)\n *sdy\.return ([^\n]*)\n", text, re.S
    ).groups()
    values, types = results.split(" : ")
    head = re.search(r"^module.*", text, re.M).group(0)
    called = re.findall(r"^  func\.func private .*?^  \}\n", text, re.M | re.S)
    return (
        f"{head}\n  func.func public @main({arguments}) -> ({types}) {{\n"
        f"{body}\n    return {values} : {types}\n  }}\n{''.join(called)}}}\n"
    )


def blocks(array):
    """The devices' blocks of an array split over both axes of the mesh."""
    return [np.asarray(part) for row in np.split(array, 2) for part in np.split(row, 4, axis=1)]


def main(path):
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("a", "b"))
    x = np.random.default_rng(0).standard_normal((8, 12)).astype(np.float32)
    cases = {}
    for name, function in FUNCTIONS.items():
        sharded = jax.jit(
            jax.shard_map(function, mesh=mesh, in_specs=SPEC, out_specs=SPEC, check_vma=False)
        )
        text = program_of_one(sharded.lower(x).as_text())
        cases[name] = (text, blocks(x), blocks(np.asarray(sharded(x))))
    with open(path, "wb") as file:
        pickle.dump(cases, file)


if __name__ == "__main__":
    main(sys.argv[1])
