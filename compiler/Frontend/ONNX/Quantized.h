// Quantised values, as the ops of ONNX and com.microsoft share them.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_QUANTIZED_H
#define FERRULE_COMPILER_FRONTEND_ONNX_QUANTIZED_H

#include "compiler/Frontend/ONNX/NodeContext.h"

namespace ferrule::onnx {

mlir::Value toFloat(frontend::HloBuilder &b, mlir::Value x);
/// round(x) + zero, kept inside the type's range; x is f32, zero may be null.
mlir::Value saturate(frontend::HloBuilder &b, mlir::Value x, mlir::Value zero,
                     mlir::Type target);
/// (x - zero) * scale in f32 of inputs `i` (x), i + 1 (scale) and i + 2 (zero,
/// may be absent), with one scale and zero point.
mlir::Value dequantized(NodeContext &op, size_t i);
/// x / scale + zero in the type of `like`, with input `i` as scale and i + 1
/// as zero point (may be absent).
mlir::Value quantized(NodeContext &op, mlir::Value x, size_t i,
                      mlir::Type target);
/// Products of matrices of integers less their zero points (may be null), i32.
mlir::Value integerProduct(frontend::HloBuilder &b, mlir::Value x,
                           mlir::Value xZero, mlir::Value y, mlir::Value yZero);
/// A scale of rank 1 made to broadcast over rows (`dim` -2) or columns (-1).
mlir::Value scaleOf(frontend::HloBuilder &b, mlir::Value scale, int64_t dim);
/// x quantised to ui8 by its own range: the values, scale and zero point.
struct DynamicQuantized {
  mlir::Value values, scale, zero;
};
DynamicQuantized quantizeByRange(frontend::HloBuilder &b, mlir::Value x);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_QUANTIZED_H
