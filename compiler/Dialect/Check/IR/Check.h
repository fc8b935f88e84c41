// The check dialect: expectations inside a program.
#ifndef FERRULE_COMPILER_DIALECT_CHECK_IR_CHECK_H
#define FERRULE_COMPILER_DIALECT_CHECK_IR_CHECK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

namespace ferrule {
/// Makes the dialect known to contexts made with `registry`, with those that
/// programs with checks use beside it.
void registerCheckDialect(mlir::DialectRegistry &registry);
} // namespace ferrule

#include "compiler/Dialect/Check/IR/CheckDialect.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Check/IR/CheckOps.h.inc"

#endif // FERRULE_COMPILER_DIALECT_CHECK_IR_CHECK_H
