// Which operation of the byte code stands for an op of arith or math.
#ifndef FERRULE_COMPILER_TARGET_REFERENCE_EMITSCALAROPS_H
#define FERRULE_COMPILER_TARGET_REFERENCE_EMITSCALAROPS_H

#include "mlir/IR/Operation.h"
#include "runtime/format/reference_code.h"
#include <optional>

namespace ferrule::reference {

struct ScalarOp {
  format::reference::Op op;
  /// The type is that of the first operand, not of the result.
  bool typeOfOperand = false;
  /// The predicate of a comparison, as the operand c.
  std::optional<uint32_t> predicate;
};

/// None for ops that are not one operation on scalars.
std::optional<ScalarOp> findScalarOp(mlir::Operation *op);

} // namespace ferrule::reference

#endif // FERRULE_COMPILER_TARGET_REFERENCE_EMITSCALAROPS_H
