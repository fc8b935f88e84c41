// The torch dialect: its types, structural ops and the operators of PyTorch's
// registry, with helpers to read operands.
#ifndef FERRULE_COMPILER_DIALECT_TORCH_IR_TORCH_H
#define FERRULE_COMPILER_DIALECT_TORCH_IR_TORCH_H

#include "compiler/Dialect/Torch/IR/Schemas.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/Dialect/Torch/IR/TorchDialect.h.inc"

namespace ferrule::torch {

/// Either of the two tensor types.
class BaseTensorType : public mlir::Type {
public:
  using Type::Type;
  static bool classof(mlir::Type type);

  bool hasSizes() const;
  llvm::ArrayRef<int64_t> getSizes() const;
  std::optional<llvm::ArrayRef<int64_t>> getOptionalSizes() const;
  bool hasDtype() const;
  mlir::Type getDtype() const;
  mlir::Type getOptionalDtype() const;
  mlir::Attribute getEncoding() const;
  mlir::TensorType toBuiltinTensor() const;
  /// The value-semantic type with other sizes and element type.
  mlir::Type getWithSizesAndDtype(std::optional<llvm::ArrayRef<int64_t>> sizes,
                                  mlir::Type dtype) const;
};

} // namespace ferrule::torch

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/Torch/IR/TorchTypes.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Torch/IR/TorchOps.h.inc"

namespace ferrule {

void registerTorchDialect(mlir::DialectRegistry &registry);

namespace torch {

/// Element type of the builtin tensor that holds values of the torch element
/// type `dtype`: signed integers become signless, quantised ones their storage.
mlir::Type toBuiltinElementType(mlir::Type dtype);

/// The constant of a torch.vtensor.literal with the builtin element type.
mlir::ElementsAttr toBuiltinElements(mlir::ElementsAttr attr);

/// Reading constant operands. A torch.derefine in between is looked through.
/// Each returns std::nullopt (false) when the value is something else or not
/// constant; `matchInt` takes bool constants too, as Python does, and
/// `matchDouble` takes all three.
std::optional<int64_t> matchInt(mlir::Value value);
std::optional<double> matchDouble(mlir::Value value);
std::optional<bool> matchBool(mlir::Value value);
std::optional<llvm::StringRef> matchString(mlir::Value value);
bool isNone(mlir::Value value);

/// The elements of a list that torch.prim.ListConstruct makes.
std::optional<llvm::SmallVector<mlir::Value>> matchList(mlir::Value value);
std::optional<llvm::SmallVector<int64_t>> matchIntList(mlir::Value value);
std::optional<llvm::SmallVector<double>> matchDoubleList(mlir::Value value);
std::optional<llvm::SmallVector<bool>> matchBoolList(mlir::Value value);

/// The operand of a table op that the schema calls `name`, e.g. "dim"; null when
/// the schema has no such argument.
mlir::Value getArgument(mlir::Operation *op, llvm::StringRef name);

/// PyTorch's number for an element type (c10::ScalarType) and the reverse. The
/// type is the dialect's, so signed for integers. Null (nullopt): no such type.
mlir::Type getTypeForScalarType(mlir::MLIRContext *context, int64_t scalarType);
std::optional<int64_t> getScalarTypeForType(mlir::Type dtype);

} // namespace torch
} // namespace ferrule

#endif // FERRULE_COMPILER_DIALECT_TORCH_IR_TORCH_H
