#ifndef FERRULE_CONVERSION_FERRULETOLOOPS
#define FERRULE_CONVERSION_FERRULETOLOOPS

include "mlir/Pass/PassBase.td"

def ConvertFerruleToLoops : Pass<"convert-ferrule-to-loops"> {
  let summary = "Writes bufferised ferrule ops as scf loops";
  let description = [{
    Every op of the `ferrule` dialect (scatter, sort, scan, ...) on memrefs
    becomes loops over them; see test/Conversion/convert-ferrule-to-loops.mlir.
    The CPU target calls the same function, `ferrule::ext::lowerToLoops`, on
    its kernels.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif // FERRULE_CONVERSION_FERRULETOLOOPS
