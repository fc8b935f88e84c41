// Discrete Fourier transforms along one dimension.
#ifndef FERRULE_FRONTEND_SUPPORT_FOURIER_H
#define FERRULE_FRONTEND_SUPPORT_FOURIER_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// StableHLO's transform of the dimension `dim`, whose size is `length` (for
/// IRFFT the result's size). `element` is the result's element type.
mlir::Value fourierOp(HloBuilder &b, mlir::Value x, int64_t dim,
                      stablehlo::FftType kind, int64_t length,
                      mlir::Type element);

/// Real and imaginary parts of one shape.
struct ComplexPair {
  mlir::Value real, imaginary;
};

/// The transform of the whole dimension `dim` of x (imaginary part may be
/// null), of any size, known or not. The inverse divides by the size.
ComplexPair fourier(HloBuilder &b, ComplexPair x, int64_t dim, bool inverse);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_FOURIER_H
