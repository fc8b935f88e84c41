// Comparison of tensors as programs with expectations ask for it.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_COMPARETENSORS_H
#define FERRULE_COMPILER_DRIVER_CHECK_COMPARETENSORS_H

#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace ferrule {

/// When two elements agree. Complex ones agree when both parts do.
enum class Agreement {
  /// `==`: zeros of both signs are equal, NaN equals nothing.
  Equal,
  /// Floats: at most 3 units in the last place apart, NaN equals NaN, an
  /// infinity only itself. Others: equal.
  Close,
  /// At most 1e-3 apart, NaN equals NaN, an infinity only itself.
  AlmostEqual,
  /// Floats: at most 1e-4 apart, otherwise as AlmostEqual. Others: equal.
  Near,
};

/// A tensor's contents in the layout of the runtime.
struct TensorContents {
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<char> bytes;
};

/// Nothing when they agree, else what differs: the shapes, or the first element
/// that does with its index and both values.
std::optional<std::string> compareTensors(Agreement agreement,
                                          const TensorContents &actual,
                                          const TensorContents &expected);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_COMPARETENSORS_H
