#ifndef FERRULE_CONVERSION_FERRULETOLOOPS_H
#define FERRULE_CONVERSION_FERRULETOLOOPS_H

#include "mlir/Pass/Pass.h"

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/FerruleToLoops/FerruleToLoops.h.inc"
} // namespace ferrule

#endif // FERRULE_CONVERSION_FERRULETOLOOPS_H
