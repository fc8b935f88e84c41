// Operations of other dialects that programs with checks use beside them.
#ifndef FERRULE_COMPILER_DIALECT_CHECK_IR_COMPANIONS_H
#define FERRULE_COMPILER_DIALECT_CHECK_IR_COMPANIONS_H

#include "mlir/IR/ExtensibleDialect.h"

namespace ferrule::check {

/// `interpreter.print %x : T`, `%y = interpreter.probe %x, probe_id = "p" : T`:
/// %y is %x, kept for check.expect_serialized_eq. `interpreter.run_parallel`
/// runs functions as the processes of a program, in generic form only.
class InterpreterDialect : public mlir::ExtensibleDialect {
public:
  explicit InterpreterDialect(mlir::MLIRContext *context);
  static llvm::StringLiteral getDialectNamespace() { return "interpreter"; }
};

/// `%0 = util.unfoldable_constant dense<1> : tensor<4xi32>`,
/// `%y = util.optimization_barrier %x : T`.
class UtilDialect : public mlir::ExtensibleDialect {
public:
  explicit UtilDialect(mlir::MLIRContext *context);
  static llvm::StringLiteral getDialectNamespace() { return "util"; }
};

} // namespace ferrule::check

MLIR_DECLARE_EXPLICIT_TYPE_ID(ferrule::check::InterpreterDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(ferrule::check::UtilDialect)

#endif // FERRULE_COMPILER_DIALECT_CHECK_IR_COMPANIONS_H
