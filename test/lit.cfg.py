"""lit configuration: every .mlir under test/ that has a RUN line."""

import os

import lit.formats

config.name = "Ferrule"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["python", "e2e", "compat", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
build = os.path.abspath(lit_config.params.get("build", "build"))
config.test_exec_root = os.path.join(build, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), "/usr/lib/llvm-22/bin", os.environ["PATH"]]
)
