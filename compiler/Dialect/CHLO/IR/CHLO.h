// The chlo dialect: operations on the way to StableHLO.
#ifndef FERRULE_COMPILER_DIALECT_CHLO_IR_CHLO_H
#define FERRULE_COMPILER_DIALECT_CHLO_IR_CHLO_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

namespace ferrule {
/// Makes the dialect known to contexts made with `registry`.
void registerCHLODialect(mlir::DialectRegistry &registry);
} // namespace ferrule

#include "compiler/Dialect/CHLO/IR/CHLODialect.h.inc"
#include "compiler/Dialect/CHLO/IR/CHLOEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/CHLO/IR/CHLOAttrs.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/CHLO/IR/CHLOOps.h.inc"

#endif // FERRULE_COMPILER_DIALECT_CHLO_IR_CHLO_H
