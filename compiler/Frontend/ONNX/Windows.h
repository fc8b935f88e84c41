// The window attributes that convolutions and poolings share.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_WINDOWS_H
#define FERRULE_COMPILER_FRONTEND_ONNX_WINDOWS_H

#include "compiler/Frontend/ONNX/NodeContext.h"

namespace ferrule::onnx {

/// strides, dilations and paddings, one entry a spatial dimension.
struct WindowAttrs {
  llvm::SmallVector<int64_t> kernel, strides, dilations, padLow, padHigh;
};

/// Reads strides, dilations, pads and auto_pad for windows of the given sizes
/// over the trailing dimensions of `x`. Where SAME meets an unknown size and a
/// stride, `x` itself is padded with `fill` and the paddings are zero.
mlir::FailureOr<WindowAttrs> readWindow(NodeContext &op, mlir::Value &x,
                                        llvm::ArrayRef<int64_t> kernel,
                                        double fill);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_WINDOWS_H
