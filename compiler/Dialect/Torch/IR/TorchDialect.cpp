#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "compiler/Dialect/Torch/IR/TorchDialect.cpp.inc"

namespace ferrule::torch {

void TorchDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Torch/IR/TorchOps.cpp.inc"
      >();
  registerSchemaOps();
}

Operation *TorchDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  if (isa<NoneType>(type))
    return ConstantNoneOp::create(builder, loc, type);
  if (isa<IntType>(type))
    if (auto attr = dyn_cast<IntegerAttr>(value))
      return ConstantIntOp::create(builder, loc, attr.getInt());
  if (isa<FloatType>(type))
    if (auto attr = dyn_cast<FloatAttr>(value))
      return ConstantFloatOp::create(builder, loc, attr.getValueAsDouble());
  if (isa<BoolType>(type))
    if (auto attr = dyn_cast<BoolAttr>(value))
      return ConstantBoolOp::create(builder, loc, attr.getValue());
  if (isa<StringType>(type))
    if (auto attr = dyn_cast<StringAttr>(value))
      return ConstantStrOp::create(builder, loc, attr.getValue());
  if (auto tensor = dyn_cast<ValueTensorType>(type))
    if (auto attr = dyn_cast<ElementsAttr>(value))
      return ValueTensorLiteralOp::create(builder, loc, tensor, attr);
  return nullptr;
}

} // namespace ferrule::torch

void ferrule::registerTorchDialect(DialectRegistry &registry) {
  registry.insert<torch::TorchDialect>();
}
