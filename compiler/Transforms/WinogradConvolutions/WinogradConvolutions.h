// Winograd convolutions where they pay.
#ifndef FERRULE_TRANSFORMS_WINOGRADCONVOLUTIONS_H
#define FERRULE_TRANSFORMS_WINOGRADCONVOLUTIONS_H

#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/WinogradConvolutions/WinogradConvolutions.h.inc"

/// Rewrites the blocked 3x3 convolutions of `func` that gain by it, as long as
/// all weights grow by at most `growth` percent.
void winogradConvolutions(mlir::func::FuncOp func, int64_t growth);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_WINOGRADCONVOLUTIONS_H
