// ONNX tensors as MLIR attributes, and the contents of constants.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_CONSTANTS_H
#define FERRULE_COMPILER_FRONTEND_ONNX_CONSTANTS_H

#include "compiler/Frontend/ONNX/Model.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ferrule::onnx {

/// The MLIR element type of an ONNX one: signed integers are signless. Null
/// for strings and unknown numbers.
mlir::Type elementType(DataType type, mlir::MLIRContext *context);

/// The name of a data type as ONNX spells it.
StringRef dataTypeName(DataType type);

/// The files that a model's weights lie in. Blobs made from them share
/// ownership of the mappings.
class Storage {
public:
  Storage(std::shared_ptr<llvm::MemoryBuffer> model, std::string folder)
      : model(std::move(model)), folder(std::move(folder)) {}

  /// Converts a tensor. Weights of more than 64 elements become resources on
  /// the mapped memory. Returns null and sets `error` when the tensor is
  /// damaged or its type unsupported.
  mlir::ElementsAttr convert(const Tensor &tensor, mlir::MLIRContext *context,
                             std::string &error);

private:
  /// The bytes of a tensor as stored, with their owner.
  struct Bytes {
    llvm::ArrayRef<char> data;
    std::shared_ptr<void> owner;
  };
  bool externalBytes(const Tensor &tensor, Bytes &bytes, std::string &error);

  std::shared_ptr<llvm::MemoryBuffer> model;
  std::string folder;
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> files;
};

/// The attribute of a constant; null when `value` is not one.
mlir::ElementsAttr constantAttr(mlir::Value value);

/// The elements of a constant of integers or booleans (unsigned ones are
/// zero-extended), or of floats; nothing when `value` is not such a constant
/// or has more than `limit` elements.
std::optional<llvm::SmallVector<int64_t>> constantInts(mlir::Value value,
                                                       int64_t limit = 1 << 20);
std::optional<llvm::SmallVector<double>>
constantFloats(mlir::Value value, int64_t limit = 1 << 20);
/// The same for attributes, which may be null.
std::optional<llvm::SmallVector<int64_t>> intsOf(mlir::ElementsAttr attr,
                                                 int64_t limit = 1 << 20);
std::optional<llvm::SmallVector<double>> floatsOf(mlir::ElementsAttr attr,
                                                  int64_t limit = 1 << 20);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_CONSTANTS_H
