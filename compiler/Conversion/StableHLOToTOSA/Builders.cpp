#include "compiler/Conversion/StableHLOToTOSA/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace ferrule::totosa {

RankedTensorType typeOf(Value value) {
  return mlir::cast<RankedTensorType>(value.getType());
}

bool hasElements(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.isSignless() &&
           llvm::is_contained({1, 4, 8, 16, 32, 64}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float8E4M3FNType,
             Float8E5M2Type>(element);
}

bool isPlain(Operation *op) {
  auto plain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && hasElements(tensor) &&
           !tensor.getEncoding() && tensor.getNumElements() > 0;
  };
  return llvm::all_of(op->getOperandTypes(), plain) &&
         llvm::all_of(op->getResultTypes(), plain);
}

Value constant(ImplicitLocOpBuilder &b, Type element, int64_t rank,
               double value) {
  auto type = RankedTensorType::get(SmallVector<int64_t>(rank, 1), element);
  Attribute number;
  if (isa<FloatType>(element))
    number = b.getFloatAttr(element, value);
  else
    number = b.getIntegerAttr(element, static_cast<int64_t>(value));
  return tosa::ConstOp::create(b, type, DenseElementsAttr::get(type, number));
}

Value shape(ImplicitLocOpBuilder &b, ArrayRef<int64_t> sizes) {
  int64_t rank = sizes.size();
  return tosa::ConstShapeOp::create(
      b, tosa::shapeType::get(b.getContext(), rank),
      b.getIndexTensorAttr(sizes));
}

Value reshape(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> sizes) {
  if (typeOf(x).getShape() == sizes)
    return x;
  return tosa::ReshapeOp::create(
      b, RankedTensorType::get(sizes, typeOf(x).getElementType()), x,
      shape(b, sizes));
}

Value transpose(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(order.size())))
    return x;
  SmallVector<int64_t> sizes;
  for (int64_t dim : order)
    sizes.push_back(typeOf(x).getDimSize(dim));
  SmallVector<int32_t> perms(order.begin(), order.end());
  return tosa::TransposeOp::create(
      b, RankedTensorType::get(sizes, typeOf(x).getElementType()), x, perms);
}

Value cast(ImplicitLocOpBuilder &b, Value x, Type element) {
  Type from = typeOf(x).getElementType();
  if (from == element)
    return x;
  // Booleans become numbers by way of integers.
  if (from.isInteger(1) && isa<FloatType>(element))
    x = cast(b, x, b.getI32Type());
  return tosa::CastOp::create(b, typeOf(x).clone(element), x);
}

Value slice(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> starts,
            ArrayRef<int64_t> sizes) {
  if (typeOf(x).getShape() == sizes)
    return x;
  return tosa::SliceOp::create(
      b, RankedTensorType::get(sizes, typeOf(x).getElementType()), x,
      shape(b, starts), shape(b, sizes));
}

Value pad(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> amounts,
          Value value) {
  if (llvm::all_of(amounts, [](int64_t n) { return n == 0; }))
    return x;
  Type element = typeOf(x).getElementType();
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  for (auto [i, size] : llvm::enumerate(sizes))
    size += amounts[2 * i] + amounts[2 * i + 1];
  // TOSA wants a constant where it is one.
  DenseElementsAttr known;
  if (!value)
    value = constant(b, element, 1, 0);
  else if (matchPattern(value, m_Constant(&known)))
    value = tosa::ConstOp::create(
        b, RankedTensorType::get({1}, element),
        known.reshape(RankedTensorType::get({1}, element)));
  else
    value = reshape(b, value, {1});
  return tosa::PadOp::create(b, RankedTensorType::get(sizes, element), x,
                             shape(b, amounts), value);
}

Value tile(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> multiples) {
  if (llvm::all_of(multiples, [](int64_t n) { return n == 1; }))
    return x;
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  for (auto [size, times] : llvm::zip(sizes, multiples))
    size *= times;
  return tosa::TileOp::create(
      b, RankedTensorType::get(sizes, typeOf(x).getElementType()), x,
      shape(b, multiples));
}

Value multiply(ImplicitLocOpBuilder &b, Value x, Value y, Type type) {
  return tosa::MulOp::create(b, type, x, y,
                             constant(b, b.getI8Type(), 1, 0));
}

Value alignRank(ImplicitLocOpBuilder &b, Value x, Value like) {
  int64_t rank = typeOf(like).getRank();
  if (typeOf(x).getRank() == rank)
    return x;
  return reshape(b, x, SmallVector<int64_t>(rank, 1));
}

Type computedElement(Type element) {
  if (element.isInteger(4) || element.isInteger(8) || element.isInteger(16))
    return IntegerType::get(element.getContext(), 32);
  return element;
}

} // namespace ferrule::totosa
