// Functions beyond StableHLO's own, as ops of the chlo dialect.
#ifndef FERRULE_FRONTEND_SUPPORT_SPECIAL_H
#define FERRULE_FRONTEND_SUPPORT_SPECIAL_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// The chlo op `name` ("asin", "lgamma", ...) of one operand and its type.
mlir::Value special(HloBuilder &b, llvm::StringRef name, mlir::Value x);
/// The same with two operands of one type.
mlir::Value special(HloBuilder &b, llvm::StringRef name, mlir::Value x,
                    mlir::Value y);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SPECIAL_H
