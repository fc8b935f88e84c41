#ifndef FERRULE_TRANSFORMS_EXPANDCOMPLEX_H
#define FERRULE_TRANSFORMS_EXPANDCOMPLEX_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/ExpandComplex/ExpandComplex.h.inc"
} // namespace ferrule

#endif // FERRULE_TRANSFORMS_EXPANDCOMPLEX_H
