#ifndef FERRULE_CONVERSION_PROGRAMTOBYRE
#define FERRULE_CONVERSION_PROGRAMTOBYRE

include "mlir/Pass/PassBase.td"

def ProgramToByre : Pass<"convert-program-to-byre", "::mlir::ModuleOp"> {
  let summary = "Take the program on buffers to blocks and byre operations";
  let description = [{
    Structured control flow becomes branches between blocks whose arguments
    carry buffers and scalars, affine arithmetic becomes `arith`, kernels whose
    code is in an image are erased. What is left can be written to a file; an
    operation that cannot is an error.

    Example: `test/Conversion/ProgramToByre/convert-program-to-byre.mlir`.
  }];
  let dependentDialects = ["::ferrule::byre::ByreDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif
