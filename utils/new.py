#!/usr/bin/env python3
"""Scaffolds a new part of the tree with its test.

    utils/new.py pass FoldTransposes
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TD = """#ifndef FERRULE_TRANSFORMS_{upper}
#define FERRULE_TRANSFORMS_{upper}

include "mlir/Pass/PassBase.td"

def {name} : Pass<"{flag}", "::mlir::func::FuncOp"> {{
  let summary = "One line: what the pass is for";
  let description = [{{
    What it does, for whom, and a before/after example.

    Example: `test/Transforms/{flag}.mlir`.
  }}];
}}

#endif
"""

HEADER = """#ifndef FERRULE_TRANSFORMS_{upper}_{upper}_H
#define FERRULE_TRANSFORMS_{upper}_{upper}_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {{

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/{name}/{name}.h.inc"

}} // namespace ferrule

#endif // FERRULE_TRANSFORMS_{upper}_{upper}_H
"""

SOURCE = """#include "compiler/Transforms/{name}/{name}.h"

namespace ferrule {{
#define GEN_PASS_DEF_{upper}
#include "compiler/Transforms/{name}/{name}.h.inc"
}} // namespace ferrule

using namespace mlir;

namespace {{

struct {name} : ferrule::impl::{name}Base<{name}> {{
  void runOnOperation() override {{}}
}};

}} // namespace
"""

TEST = """// RUN: ferrule-opt %s --{flag} | FileCheck %s

// CHECK-LABEL: func.func @case_in_words
func.func @case_in_words() {{
  return
}}
"""


def kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def new_pass(name: str) -> None:
    folder = ROOT / "compiler" / "Transforms" / name
    test = ROOT / "test" / "Transforms" / f"{kebab(name)}.mlir"
    words = {"name": name, "upper": name.upper(), "flag": kebab(name)}
    if folder.exists() or test.exists():
        sys.exit(f"error: {folder} or {test} exists already")
    folder.mkdir(parents=True)
    for path, template in [
        (folder / f"{name}.td", TD),
        (folder / f"{name}.h", HEADER),
        (folder / f"{name}.cpp", SOURCE),
        (test, TEST),
    ]:
        path.write_text(template.format(**words))
        print(path.relative_to(ROOT))
    (folder / "CMakeLists.txt").write_text(f"ferrule_pass({name})\n")


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] != "pass" or not re.fullmatch(r"[A-Z]\w+", sys.argv[2]):
        sys.exit(__doc__)
    new_pass(sys.argv[2])


if __name__ == "__main__":
    main()
