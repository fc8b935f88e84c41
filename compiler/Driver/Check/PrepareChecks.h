// Turns programs that hold their expectations into programs to run.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_PREPARECHECKS_H
#define FERRULE_COMPILER_DRIVER_CHECK_PREPARECHECKS_H

#include "compiler/Driver/Check/CompareTensors.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace ferrule {

/// One check op: an output and what it is to be compared with.
struct Expectation {
  Agreement agreement;
  /// As in the program: "check.expect_eq".
  std::string target;
  mlir::Location loc;
  /// Of both values. Keeps the sign of integers, which later stages drop.
  mlir::Type elementType;
  unsigned actualOutput;
  /// The expected value: another output, or known, or there is none.
  std::optional<unsigned> expectedOutput;
  mlir::ElementsAttr expectedValue;
};

/// One process of a run: a function and what it is called with.
struct ProcessCall {
  std::string function;
  /// The values to pass, in order.
  llvm::SmallVector<mlir::ElementsAttr> arguments;
  /// Its outputs have the numbers from here on.
  unsigned firstOutput = 0;
};

struct CheckedFunction {
  std::string name;
  mlir::Location loc;
  llvm::SmallVector<Expectation> expectations;
  /// One, or replicas times partitions.
  llvm::SmallVector<ProcessCall> processes;
  size_t replicas = 1, partitions = 1;
};

/// Prepares @main, or every public function without arguments if there is no
/// @main. Checks go and their operands become further results. Constants of the
/// functions' bodies become arguments, so that the compiler cannot compute the
/// results itself; those that are shapes of ops with dynamic shapes stay, since
/// they decide about types.
///
///     func.func @main() {                 func.func @main(%c: tensor<4xf32>)
///       %c = stablehlo.constant ...           -> tensor<4xf32> {
///       %e = stablehlo.constant ...    =>   %0 = stablehlo.sine %c
///       %0 = stablehlo.sine %c              return %0
///       custom_call @check.expect_close   }
///           (%0, %e)
///       return
///     }
///
/// A function may run others as several processes (ParallelChecks.h).
///
/// Emits an error and fails when there is nothing to run, or a check elsewhere.
mlir::FailureOr<std::vector<CheckedFunction>>
prepareChecks(mlir::ModuleOp module);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_PREPARECHECKS_H
