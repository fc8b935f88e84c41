#ifndef FERRULE_TRANSFORMS_BUFFERIZEPROGRAM
#define FERRULE_TRANSFORMS_BUFFERIZEPROGRAM

include "mlir/Pass/PassBase.td"

def BufferizeProgram : Pass<"bufferize-program", "::mlir::ModuleOp"> {
  let summary = "Take the program from dispatches on tensors to buffers";
  let description = [{
    Every function that is not a kernel goes from `byre.dispatch` on tensors to
    `byre.dispatch` on buffers with explicit `byre.alloc`, `byre.free`,
    `byre.view` and `byre.copy`; control flow stays structured.

    Each buffer has one owner at any time: the block that allocated it or, for a
    loop-carried value, the block it was passed to. An out is updated in place
    when its block owns it and nothing reads the old value later, and is copied
    otherwise. Passing a buffer to a loop, out of a region or back to the start
    of a loop moves ownership under the same condition. A buffer is freed by its
    owner after the last use. Function arguments and constants are never
    written. Buffers that the function returns are allocated in the caller's
    output; a result that is an argument, a constant, a part of a buffer or a
    second name of another result is copied there.

    Example: `test/Transforms/bufferize-program.mlir`.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %r = byre.dispatch @k ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
          -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: memref<4xf32>) -> memref<4xf32> {
      %r = byre.alloc output 0 : memref<4xf32>
      byre.dispatch @k ins(%x : memref<4xf32>) outs(%r : memref<4xf32>)
      return %r : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::ferrule::byre::ByreDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif
