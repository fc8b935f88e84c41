// Which operation of `arith` and `math` is which opcode of the file.
#ifndef FERRULE_COMPILER_EXPORT_SCALAROPS_H
#define FERRULE_COMPILER_EXPORT_SCALAROPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/format/program_generated.h"

namespace ferrule {

/// An operation whose operands and result have one type, and its opcode.
struct ScalarOp {
  llvm::StringLiteral name;
  format::Opcode opcode;
  bool isFloat = false;
  /// An integer narrower than 64 bits may leave its range: extend the result.
  bool wraps = false;
  /// Narrower integers must be zero-extended first.
  bool isUnsigned = false;
  /// Only for integers of 64 bits.
  bool wideOnly = false;
};

llvm::ArrayRef<ScalarOp> getScalarOps();
const ScalarOp *findScalarOp(llvm::StringRef name);
const ScalarOp *findScalarOp(format::Opcode opcode, bool isFloat);

/// Opcodes of comparisons; none for predicates that are always true or false.
std::optional<format::Opcode>
convertPredicate(mlir::arith::CmpIPredicate predicate);
std::optional<format::Opcode>
convertPredicate(mlir::arith::CmpFPredicate predicate);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_SCALAROPS_H
