// Reading programs that may be damaged.
#ifndef FERRULE_COMPILER_SUPPORT_GUARDEDREAD_H
#define FERRULE_COMPILER_SUPPORT_GUARDEDREAD_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferrule {

/// Calls `read`, which reads a program from bytes. MLIR's reader of bytecode
/// believes lengths: a damaged one makes LLVM give up for want of memory and
/// end the process. Here that ends `read` only, with an error at `loc` and
/// false returned. What `read` was about to build is lost with its memory.
bool readGuarded(mlir::Location loc, llvm::function_ref<void()> read);

} // namespace ferrule

#endif // FERRULE_COMPILER_SUPPORT_GUARDEDREAD_H
