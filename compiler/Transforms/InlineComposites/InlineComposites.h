#ifndef FERRULE_TRANSFORMS_INLINECOMPOSITES_H
#define FERRULE_TRANSFORMS_INLINECOMPOSITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/InlineComposites/InlineComposites.h.inc"
} // namespace ferrule

#endif // FERRULE_TRANSFORMS_INLINECOMPOSITES_H
