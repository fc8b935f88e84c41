#ifndef FERRULE_COMPILER_TARGET_ASSIGNTARGETS_ASSIGNTARGETS_H
#define FERRULE_COMPILER_TARGET_ASSIGNTARGETS_ASSIGNTARGETS_H

#include "mlir/Pass/Pass.h"
#include <string>

namespace ferrule {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Target/AssignTargets/AssignTargets.h.inc"
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_ASSIGNTARGETS_ASSIGNTARGETS_H
