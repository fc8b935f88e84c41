// The reference target: a byte code of its own, which a device of its own
// interprets. An oracle for the others, and the target to copy.
#ifndef FERRULE_COMPILER_TARGET_REFERENCE_REFERENCE_H
#define FERRULE_COMPILER_TARGET_REFERENCE_REFERENCE_H

#include "compiler/Target/Target.h"
#include "runtime/format/reference_code.h"

namespace ferrule {

std::unique_ptr<Target> createReferenceTarget();

namespace reference {

struct KernelCode {
  uint32_t registers = 0;
  std::vector<format::reference::Instruction> instructions;
  /// Texts of the assertions, by number less one.
  llvm::SmallVector<mlir::StringAttr> messages;
};

/// The byte code of a lowered kernel. Fails with a diagnostic at an op that has
/// no form in it.
mlir::FailureOr<KernelCode> emitKernel(mlir::func::FuncOp kernel);

} // namespace reference
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_REFERENCE_REFERENCE_H
