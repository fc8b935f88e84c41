// Convolutions in one to three dimensions, channels first.
#ifndef FERRULE_FRONTEND_SUPPORT_CONVOLUTION_H
#define FERRULE_FRONTEND_SUPPORT_CONVOLUTION_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// One entry for each spatial dimension; empty lists stand for ones (strides,
/// dilations) and zeros (paddings).
struct ConvolutionSpec {
  llvm::SmallVector<int64_t> strides, dilations, padLow, padHigh;
  int64_t groups = 1;
  /// Transposed convolution only: rows added at the high end of the result.
  llvm::SmallVector<int64_t> outputPadding;

  /// Fills in the defaults.
  void complete(int64_t spatialRank);
};

/// x [N, C, spatial...], weight [O, C / groups, kernel...], bias [O] or null:
/// [N, O, spatial...].
mlir::Value convolution(HloBuilder &b, mlir::Value x, mlir::Value weight,
                        mlir::Value bias, ConvolutionSpec spec);

/// The gradient of a convolution with respect to its input, used as an
/// operation. x [N, C, ...], weight [C, O / groups, kernel...]; the result has
/// (in - 1) * stride - low - high + dilation * (kernel - 1) + 1 + outputPadding
/// rows.
mlir::Value transposedConvolution(HloBuilder &b, mlir::Value x,
                                  mlir::Value weight, mlir::Value bias,
                                  ConvolutionSpec spec);

/// (in + pads - dilation * (kernel - 1) - 1) / stride + 1.
Size convolvedSize(HloBuilder &b, Size in, int64_t kernel, int64_t stride,
                   int64_t dilation, int64_t pads);

/// `bias` [C] added to x [N, C, ...]; null is nothing.
mlir::Value addChannelBias(HloBuilder &b, mlir::Value x, mlir::Value bias);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_CONVOLUTION_H
