// Patterns by kind of op.
#ifndef FERRULE_CONVERSION_CHLOTOSTABLEHLO_PATTERNS_H
#define FERRULE_CONVERSION_CHLOTOSTABLEHLO_PATTERNS_H

#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "mlir/IR/PatternMatch.h"

namespace ferrule::chlo {

void addFunctionPatterns(mlir::RewritePatternSet &patterns);
void addComplexFunctionPatterns(mlir::RewritePatternSet &patterns);
void addBroadcastPatterns(mlir::RewritePatternSet &patterns);

/// Dimension sizes as a tensor<Nxi32>.
mlir::Value buildShape(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value tensor);
/// A tensor with one value everywhere, of the type and shape of `like`.
mlir::Value buildSplatLike(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::TypedAttr value, mlir::Value like,
                           mlir::RankedTensorType type);

} // namespace ferrule::chlo

#endif // FERRULE_CONVERSION_CHLOTOSTABLEHLO_PATTERNS_H
