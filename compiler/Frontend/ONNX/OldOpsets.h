// What operator sets before 7 meant.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_OLDOPSETS_H
#define FERRULE_COMPILER_FRONTEND_ONNX_OLDOPSETS_H

#include "compiler/Frontend/ONNX/NodeContext.h"

namespace ferrule::onnx {

/// Brings the inputs of a node of ONNX's own domain, of an operator set before
/// 7, to the shapes that later sets would have them in: operands that were
/// broadcast from attribute `axis` on, slopes that belong to channels.
mlir::LogicalResult adaptOldInputs(NodeContext &op);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_OLDOPSETS_H
