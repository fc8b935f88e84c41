// The sdy dialect: sharding annotations, read and kept but not interpreted.
#ifndef FERRULE_COMPILER_DIALECT_SHARDY_IR_SHARDY_H
#define FERRULE_COMPILER_DIALECT_SHARDY_IR_SHARDY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ferrule {
/// Makes the dialect known to contexts made with `registry`.
void registerShardyDialect(mlir::DialectRegistry &registry);
} // namespace ferrule

#include "compiler/Dialect/Shardy/IR/ShardyDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Shardy/IR/ShardyOps.h.inc"

#endif // FERRULE_COMPILER_DIALECT_SHARDY_IR_SHARDY_H
