#ifndef FERRULE_TRANSFORMS_CONVERTTOSIGNLESS_H
#define FERRULE_TRANSFORMS_CONVERTTOSIGNLESS_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/ConvertToSignless/ConvertToSignless.h.inc"
} // namespace ferrule

#endif // FERRULE_TRANSFORMS_CONVERTTOSIGNLESS_H
