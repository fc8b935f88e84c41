// Values shaped like others, for rewrites that meet dynamic sizes.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOVALUES_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOVALUES_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

namespace ferrule::stablehlo {

/// Dimension sizes as a tensor<Nxi32>.
mlir::Value buildShape(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value tensor);

/// A scalar constant broadcast to `type`, whose sizes are those of `like`.
mlir::Value buildSplatLike(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Attribute value, mlir::Value like,
                           mlir::RankedTensorType type);

/// A constant vector along `dim`, the same for all other indices. Its element
/// type is that of the result; its sizes are those of `like`.
mlir::Value buildVectorLike(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::DenseElementsAttr vector, mlir::Value like,
                            int64_t dim);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOVALUES_H
