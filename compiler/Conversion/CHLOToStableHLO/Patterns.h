// Patterns by kind of op.
#ifndef FERRULE_CONVERSION_CHLOTOSTABLEHLO_PATTERNS_H
#define FERRULE_CONVERSION_CHLOTOSTABLEHLO_PATTERNS_H

#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOValues.h"
#include "mlir/IR/PatternMatch.h"

namespace ferrule::chlo {

void addFunctionPatterns(mlir::RewritePatternSet &patterns);
void addComplexFunctionPatterns(mlir::RewritePatternSet &patterns);
void addBroadcastPatterns(mlir::RewritePatternSet &patterns);
void addScanPatterns(mlir::RewritePatternSet &patterns);
void addRaggedDotPatterns(mlir::RewritePatternSet &patterns);

using stablehlo::buildShape;
using stablehlo::buildSplatLike;

} // namespace ferrule::chlo

#endif // FERRULE_CONVERSION_CHLOTOSTABLEHLO_PATTERNS_H
