#ifndef FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS_H
#define FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/ExpandLibraryCalls/ExpandLibraryCalls.h.inc"
} // namespace ferrule

#endif // FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS_H
