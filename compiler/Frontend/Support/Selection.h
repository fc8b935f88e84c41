// Positions of true elements: results whose size depends on the data.
#ifndef FERRULE_FRONTEND_SUPPORT_SELECTION_H
#define FERRULE_FRONTEND_SUPPORT_SELECTION_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// For each true element of the vector `mask` how many true ones stand before
/// it; -1 or more elsewhere (i64).
mlir::Value maskOrder(HloBuilder &b, mlir::Value mask);

/// One vector (i64) per dimension of `mask` with the positions of the true
/// elements, in row-major order; their length is the number of true elements.
llvm::SmallVector<mlir::Value> nonzeroColumns(HloBuilder &b, mlir::Value mask);

/// Equal rows of `rows` [n, m] as groups: in ascending order (the first column
/// counts most), or with `consecutive` only neighbours in the order that they
/// stand in.
struct Groups {
  /// Where the first row of each group stands.
  mlir::Value starts;
  /// [n]: which group each row is in.
  mlir::Value inverse;
  /// How many rows each group has.
  mlir::Value counts;
};
Groups groupRows(HloBuilder &b, mlir::Value rows, bool consecutive = false);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SELECTION_H
