// Sorting and selection along a dimension.
#ifndef FERRULE_FRONTEND_SUPPORT_SORT_H
#define FERRULE_FRONTEND_SUPPORT_SORT_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// The sorted values and where each stood (i64). Stable; NaN counts as
/// greater than all numbers.
std::pair<mlir::Value, mlir::Value> sortPairs(HloBuilder &b, mlir::Value x,
                                              int64_t dim, bool descending);
/// The k greatest or least values, in order, and their indices (i64).
std::pair<mlir::Value, mlir::Value> topK(HloBuilder &b, mlir::Value x, Size k,
                                         int64_t dim, bool largest);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SORT_H
