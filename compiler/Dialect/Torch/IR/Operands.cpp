// Reads constant operands of torch ops.
#include "compiler/Dialect/Torch/IR/Torch.h"

using namespace mlir;

namespace ferrule::torch {

/// The op that makes a value, under casts that only widen its type.
static Operation *getDefinition(Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getOperand();
  return value.getDefiningOp();
}

std::optional<int64_t> matchInt(Value value) {
  Operation *op = getDefinition(value);
  if (auto constant = dyn_cast_or_null<ConstantIntOp>(op))
    return constant.getValue();
  if (auto constant = dyn_cast_or_null<ConstantBoolOp>(op))
    return constant.getValue();
  if (auto constant = dyn_cast_or_null<ConstantNumberOp>(op))
    if (auto attr = dyn_cast<IntegerAttr>(constant.getValue()))
      return attr.getInt();
  return std::nullopt;
}

std::optional<double> matchDouble(Value value) {
  if (std::optional<int64_t> integer = matchInt(value))
    return double(*integer);
  Operation *op = getDefinition(value);
  if (auto constant = dyn_cast_or_null<ConstantFloatOp>(op))
    return constant.getValue().convertToDouble();
  if (auto constant = dyn_cast_or_null<ConstantNumberOp>(op))
    if (auto attr = dyn_cast<FloatAttr>(constant.getValue()))
      return attr.getValueAsDouble();
  return std::nullopt;
}

std::optional<bool> matchBool(Value value) {
  if (auto constant = dyn_cast_or_null<ConstantBoolOp>(getDefinition(value)))
    return constant.getValue();
  return std::nullopt;
}

std::optional<StringRef> matchString(Value value) {
  Operation *op = getDefinition(value);
  if (auto constant = dyn_cast_or_null<ConstantStrOp>(op))
    return constant.getValue();
  if (auto constant = dyn_cast_or_null<ConstantDeviceOp>(op))
    return constant.getValue();
  return std::nullopt;
}

bool isNone(Value value) {
  if (isa<NoneType>(value.getType()))
    return true;
  return isa_and_nonnull<ConstantNoneOp>(getDefinition(value));
}

std::optional<SmallVector<Value>> matchList(Value value) {
  Operation *op = getDefinition(value);
  if (auto list = dyn_cast_or_null<PrimListConstructOp>(op))
    return SmallVector<Value>(list.getElements());
  return std::nullopt;
}

/// The elements of a list, each read by `match`.
template <typename T>
static std::optional<SmallVector<T>>
matchEach(Value value, std::optional<T> (*match)(Value)) {
  std::optional<SmallVector<Value>> elements = matchList(value);
  if (!elements)
    return std::nullopt;
  SmallVector<T> constants;
  for (Value element : *elements) {
    std::optional<T> constant = match(element);
    if (!constant)
      return std::nullopt;
    constants.push_back(*constant);
  }
  return constants;
}

std::optional<SmallVector<int64_t>> matchIntList(Value value) {
  return matchEach<int64_t>(value, matchInt);
}
std::optional<SmallVector<double>> matchDoubleList(Value value) {
  return matchEach<double>(value, matchDouble);
}
std::optional<SmallVector<bool>> matchBoolList(Value value) {
  return matchEach<bool>(value, matchBool);
}

} // namespace ferrule::torch
