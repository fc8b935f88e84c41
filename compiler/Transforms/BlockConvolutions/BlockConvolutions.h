#ifndef FERRULE_TRANSFORMS_BLOCKCONVOLUTIONS_BLOCKCONVOLUTIONS_H
#define FERRULE_TRANSFORMS_BLOCKCONVOLUTIONS_BLOCKCONVOLUTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/BlockConvolutions/BlockConvolutions.h.inc"

/// Rewrites the convolutions of `func`, and the operations between them, on
/// layouts with `block` channels innermost.
void blockConvolutions(mlir::func::FuncOp func, int64_t block);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_BLOCKCONVOLUTIONS_BLOCKCONVOLUTIONS_H
