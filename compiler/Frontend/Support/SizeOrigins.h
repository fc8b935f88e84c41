// Where the sizes of dimensions come from: the walk from a dimension back to
// the program's inputs that lets equal sizes be seen to be equal.
#ifndef FERRULE_FRONTEND_SUPPORT_SIZEORIGINS_H
#define FERRULE_FRONTEND_SUPPORT_SIZEORIGINS_H

#include "mlir/IR/Value.h"

namespace ferrule::frontend {

/// One of: a number (`value` is null), dimension `dim` of `value`, or the
/// integer held by the one-element tensor `value` (`dim` is -1).
struct SizeOrigin {
  mlir::Value value;
  int64_t dim = -1;
  int64_t number = 0;
};

/// The origin of dimension `dim` of the tensor `value`.
SizeOrigin originOf(mlir::Value value, int64_t dim);
/// The origin of a scalar that holds a size.
SizeOrigin originOfScalar(mlir::Value scalar);
/// True when both are proved equal.
bool sameOrigin(const SizeOrigin &x, const SizeOrigin &y);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SIZEORIGINS_H
