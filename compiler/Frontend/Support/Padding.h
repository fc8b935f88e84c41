// Padding of all kinds.
#ifndef FERRULE_FRONTEND_SUPPORT_PADDING_H
#define FERRULE_FRONTEND_SUPPORT_PADDING_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

enum class PadMode { Constant, Reflect, Edge, Wrap };

/// Constant padding, one entry per dimension; negative amounts cut.
/// `value` is a scalar of x's element type.
mlir::Value padConstant(HloBuilder &b, mlir::Value x, mlir::Value value,
                        llvm::ArrayRef<Size> low, llvm::ArrayRef<Size> high);

/// Padding of any mode, one entry per dimension. `value` is for the constant
/// mode only. Reflection does not repeat the edge, and needs amounts smaller
/// than the size; wrapping needs amounts up to the size.
mlir::Value pad(HloBuilder &b, mlir::Value x, PadMode mode, mlir::Value value,
                llvm::ArrayRef<Size> low, llvm::ArrayRef<Size> high);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_PADDING_H
