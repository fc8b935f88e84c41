#ifndef FERRULE_TRANSFORMS_PLANMEMORY
#define FERRULE_TRANSFORMS_PLANMEMORY

include "mlir/Pass/PassBase.td"

def PlanMemory : Pass<"plan-memory", "::mlir::ModuleOp"> {
  let summary = "Lay buffers of static size out in one arena";
  let description = [{
    First, buffers of static size that control flow passes around are given
    fixed places outside of it: a loop-carried buffer that is updated in place
    stays where it is, one that is replaced in each turn gets two slots that
    swap, a result of branches is allocated before them. A buffer that is only
    copied to an output becomes the output.

    Then each static buffer that is allocated and freed in one block gets an
    offset in the function's arena, a multiple of 64, so that buffers that live
    at the same time do not overlap: the largest first, each into the smallest
    gap that holds it. The function's `byre.arena` is the size of the arena.
    Buffers of dynamic size keep their `byre.free`.

    The remark `arena` reports the bytes of all buffers and of the arena.

    Example: `test/Transforms/plan-memory.mlir`.
  }];
  let dependentDialects = ["::ferrule::byre::ByreDialect"];
}

#endif
