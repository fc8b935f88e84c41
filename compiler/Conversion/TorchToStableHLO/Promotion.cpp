// PyTorch's rules for the element type of an operation on several operands.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::torch;

/// bool, integer, float, complex.
static int category(Type type) {
  if (type.isInteger(1))
    return 0;
  if (isa<IntegerType>(type))
    return 1;
  return isa<ComplexType>(type) ? 3 : 2;
}

static Type promoteIntegers(IntegerType x, IntegerType y) {
  if (x.isUnsigned() == y.isUnsigned())
    return x.getWidth() >= y.getWidth() ? x : y;
  // Unsigned with signed needs a signed type with one more bit.
  IntegerType plus = x.isUnsigned() ? x : y, minus = x.isUnsigned() ? y : x;
  if (minus.getWidth() > plus.getWidth())
    return minus;
  return IntegerType::get(x.getContext(), std::min(64u, plus.getWidth() * 2));
}

static Type promoteFloats(mlir::FloatType x, mlir::FloatType y) {
  if (x == y)
    return x;
  if (x.getWidth() == y.getWidth())
    return Float32Type::get(x.getContext()); // f16 and bf16
  return x.getWidth() > y.getWidth() ? x : y;
}

Type torch::promoteTypes(Type x, Type y) {
  int left = category(x), right = category(y);
  if (left == 3 || right == 3) {
    auto part = [](Type type) {
      auto complex = dyn_cast<mlir::ComplexType>(type);
      return complex ? complex.getElementType() : type;
    };
    Type px = part(x), py = part(y);
    if (!isa<mlir::FloatType>(px))
      return y;
    if (!isa<mlir::FloatType>(py))
      return x;
    return mlir::ComplexType::get(
        promoteFloats(cast<mlir::FloatType>(px), cast<mlir::FloatType>(py)));
  }
  if (left != right)
    return left > right ? x : y;
  if (left == 0)
    return x;
  if (left == 1)
    return promoteIntegers(cast<IntegerType>(x), cast<IntegerType>(y));
  return promoteFloats(cast<mlir::FloatType>(x), cast<mlir::FloatType>(y));
}

/// What a type of a higher category but lower kind turns into: PyTorch's
/// default types for numbers.
static Type promoteDefault(Type type) {
  if (isa<mlir::FloatType>(type))
    return Float32Type::get(type.getContext());
  if (auto complex = dyn_cast<mlir::ComplexType>(type))
    return mlir::ComplexType::get(Float32Type::get(type.getContext()));
  return type;
}

Type torch::promote(ArrayRef<Promoted> operands) {
  Type byKind[3];
  for (const Promoted &operand : operands) {
    Type &type = byKind[operand.kind];
    type = type ? promoteTypes(type, operand.element) : operand.element;
  }
  Type result;
  for (int kind = Promoted::Tensor; kind >= Promoted::Number; --kind) {
    Type type = byKind[kind];
    if (!type)
      continue;
    if (kind == Promoted::Number)
      type = promoteDefault(type);
    if (!result)
      result = type;
    else if (category(type) > category(result))
      result = promoteTypes(result, type);
  }
  return result;
}

Promoted torch::promotedOf(Value tensor) {
  return {frontend::elementOf(tensor),
          frontend::rankOf(tensor) == 0 ? Promoted::Scalar : Promoted::Tensor};
}

Type torch::promoteTensors(Value x, Value y) {
  return promote({promotedOf(x), promotedOf(y)});
}
