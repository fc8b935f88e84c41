// What the checks of a program say, whatever they are written as.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_READCHECKS_H
#define FERRULE_COMPILER_DRIVER_CHECK_READCHECKS_H

#include "compiler/Driver/Check/CompareTensors.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace ferrule {

/// One check. The expected value is another value of the program or known;
/// neither, when the agreement looks at the actual value alone.
struct Check {
  Agreement agreement;
  std::string name;
  mlir::Value actual, expected;
  mlir::ElementsAttr known;
};

/// Whether `op` is one: of the check dialect or a custom call of check.*.
bool isCheck(mlir::Operation *op);

/// Reads a check; `probes` are the values that interpreter.probe has named.
/// Emits an error and fails when the check is none that is known.
mlir::FailureOr<Check> readCheck(mlir::Operation *op,
                                 const llvm::StringMap<mlir::Value> &probes);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_READCHECKS_H
