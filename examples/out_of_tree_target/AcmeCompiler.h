#ifndef ACME_COMPILER_H
#define ACME_COMPILER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace acme {

/// The code (acme_code.h) of a kernel of the dispatch stage: linalg on tensors
/// of f32. Fails without a diagnostic when the device cannot run it.
mlir::FailureOr<std::vector<int32_t>> compileKernel(mlir::func::FuncOp kernel);

} // namespace acme

#endif // ACME_COMPILER_H
