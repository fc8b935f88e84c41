// Comparison of tensors as programs with expectations ask for it.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_COMPARETENSORS_H
#define FERRULE_COMPILER_DRIVER_CHECK_COMPARETENSORS_H

#include "mlir/IR/BuiltinTypes.h"
#include <optional>
#include <string>

namespace ferrule {

/// When two elements agree. Complex ones agree when both parts do. Floats: NaN
/// equals NaN, zeros of both signs are equal, an infinity only itself. Others
/// must be equal.
struct Agreement {
  enum Kind {
    Equal,
    /// At most `mostUnits` units in the last place apart, and some pair at
    /// least `fewestUnits`.
    Close,
    /// At most `tolerance` apart.
    Within,
    /// The actual value alone counts.
    Zero,
    NotZero,
  };
  Kind kind = Equal;
  uint64_t fewestUnits = 0, mostUnits = 3;
  /// Without one: 1e-3, or one unit in the last place of the expected value
  /// in types of 16 bits and fewer if that is more.
  std::optional<double> tolerance;
};

/// A tensor's contents in the layout of the runtime.
struct TensorContents {
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<char> bytes;
};

/// Nothing when they agree, else what differs: the shapes, or the first element
/// that does with its index and both values.
std::optional<std::string> compareTensors(const Agreement &agreement,
                                          const TensorContents &actual,
                                          const TensorContents &expected);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_COMPARETENSORS_H
