#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_PADDING_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_PADDING_H

#include "compiler/Conversion/StableHLOToLinalg/Builders.h"

namespace ferrule::lowering {

/// Pads one value everywhere: `low` and `high` at the edges (negative: cuts),
/// `interior` between neighbours. Sizes of dimensions may be dynamic.
mlir::Value padTensor(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value operand, mlir::Value scalar,
                      llvm::ArrayRef<int64_t> low,
                      llvm::ArrayRef<int64_t> high,
                      llvm::ArrayRef<int64_t> interior);

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_PADDING_H
