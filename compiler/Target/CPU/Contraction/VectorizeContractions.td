#ifndef FERRULE_CPU_VECTORIZECONTRACTIONS
#define FERRULE_CPU_VECTORIZECONTRACTIONS

include "mlir/Pass/PassBase.td"

def VectorizeContractions
    : Pass<"vectorize-contractions", "::mlir::func::FuncOp"> {
  let summary = "Turn contractions into register-tiled vector code";
  let description = [{
    For each contraction or convolution of a kernel on tensors: tiles it with
    its epilogue to the size of the register file, tiles the reduction, and
    vectorises, so that the accumulators stay in registers over the whole
    reduction and the result is written once. The lanes are the innermost
    parallel dimension, which the packed layouts make 16 or 32 long.

    Functions without a contraction, and contractions without a vector form
    (another element type than f32 or f64, lanes of odd size), are left as they
    are.

    Example: `test/Target/CPU/vectorize-contractions.mlir`.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512",
           "Width of a vector register">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerContractionVectors
    : Pass<"lower-contraction-vectors", "::mlir::func::FuncOp"> {
  let summary = "Turn vector contractions on buffers into loads and FMAs";
  let description = [{
    `vector.contract` becomes one `vector.fma` an accumulator and reduction
    step, with elements of the broadcast operand loaded one at a time;
    loop-carried tiles are split into registers, transfers are unrolled to
    loads and stores of one register.

    Example: `test/Target/CPU/lower-contraction-vectors.mlir`.
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif
