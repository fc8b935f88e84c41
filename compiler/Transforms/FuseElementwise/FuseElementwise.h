#ifndef FERRULE_TRANSFORMS_FUSEELEMENTWISE_FUSEELEMENTWISE_H
#define FERRULE_TRANSFORMS_FUSEELEMENTWISE_FUSEELEMENTWISE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h.inc"

/// True for operations whose operands are read many times by one result
/// element's neighbours: contractions and convolutions in any spelling.
bool isContractionLike(mlir::linalg::LinalgOp op);

/// Fuses the elementwise operations of `func`; see the pass description.
mlir::LogicalResult fuseElementwise(mlir::func::FuncOp func);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_FUSEELEMENTWISE_FUSEELEMENTWISE_H
