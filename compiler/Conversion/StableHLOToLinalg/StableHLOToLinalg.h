#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h.inc"
} // namespace ferrule

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_H
