// What the schemas of ops say about their inputs.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_INPUTRULES_H
#define FERRULE_COMPILER_FRONTEND_ONNX_INPUTRULES_H

#include "compiler/Frontend/ONNX/NodeContext.h"

namespace ferrule::onnx {

/// Checks that the required inputs are there, are tensors unless the op takes
/// sequences, and have element types that the op's schema allows. Ops without
/// a schema may have any inputs.
mlir::LogicalResult checkInputs(NodeContext &op);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_INPUTRULES_H
