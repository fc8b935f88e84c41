#ifndef FERRULE_CONVERSION_STABLEHLOTOTOSA_H
#define FERRULE_CONVERSION_STABLEHLOTOTOSA_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/StableHLOToTOSA/StableHLOToTOSA.h.inc"
} // namespace ferrule

#endif // FERRULE_CONVERSION_STABLEHLOTOTOSA_H
