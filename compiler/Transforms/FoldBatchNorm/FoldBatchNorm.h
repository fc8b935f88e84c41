#ifndef FERRULE_TRANSFORMS_FOLDBATCHNORM_FOLDBATCHNORM_H
#define FERRULE_TRANSFORMS_FOLDBATCHNORM_FOLDBATCHNORM_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/FoldBatchNorm/FoldBatchNorm.h.inc"

/// All rewrites of the pass.
void populateFoldBatchNormPatterns(mlir::RewritePatternSet &patterns);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_FOLDBATCHNORM_FOLDBATCHNORM_H
