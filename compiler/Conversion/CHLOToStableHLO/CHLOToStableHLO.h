#ifndef FERRULE_CONVERSION_CHLOTOSTABLEHLO_H
#define FERRULE_CONVERSION_CHLOTOSTABLEHLO_H

#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/CHLOToStableHLO/CHLOToStableHLO.h.inc"
} // namespace ferrule

#endif // FERRULE_CONVERSION_CHLOTOSTABLEHLO_H
