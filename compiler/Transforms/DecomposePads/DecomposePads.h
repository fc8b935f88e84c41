#ifndef FERRULE_TRANSFORMS_DECOMPOSEPADS_DECOMPOSEPADS_H
#define FERRULE_TRANSFORMS_DECOMPOSEPADS_DECOMPOSEPADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/DecomposePads/DecomposePads.h.inc"

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_DECOMPOSEPADS_DECOMPOSEPADS_H
