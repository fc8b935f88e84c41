// The bytes of constants as a file stores them.
#ifndef FERRULE_COMPILER_EXPORT_CONSTANTDATA_H
#define FERRULE_COMPILER_EXPORT_CONSTANTDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include <string>

namespace ferrule {

/// Bytes that lie elsewhere, or that were made and are owned.
struct ConstantData {
  llvm::ArrayRef<char> bytes;
  std::string owned;
  bool isOwned = false;

  llvm::ArrayRef<char> get() const {
    return isOwned ? llvm::ArrayRef<char>(owned.data(), owned.size()) : bytes;
  }
};

/// Row-major elements, i1 and 6-bit floats one a byte, 2- and 4-bit elements
/// packed with the first in the low bits. A resource's blob is referenced, not
/// copied. Fails, with a reason in `error`, when the data is not in memory or
/// has another size than its type.
mlir::FailureOr<ConstantData> getConstantData(mlir::ElementsAttr value,
                                              std::string &error);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_CONSTANTDATA_H
