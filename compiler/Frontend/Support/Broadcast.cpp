#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/SizeOrigins.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// Whether dimension `dim` of `value` surely has the size `size` (an operand
/// of size 1 that is not spread, or any size that is not repeated).
static bool keepsSize(HloBuilder &b, Value value, int64_t dim, Size size) {
  int64_t from = typeOf(value).getDimSize(dim);
  if (ShapedType::isStatic(from))
    return from != 1 || size.is(1);
  if (b.unknownSizesAgree)
    return true;
  SizeOrigin target;
  if (size.isStatic())
    target.number = size.getStatic();
  else
    target = originOfScalar(size.getScalar());
  return sameOrigin(originOf(value, dim), target);
}

Value frontend::broadcastInDim(HloBuilder &b, Value value, ArrayRef<Size> sizes,
                               ArrayRef<int64_t> dims) {
  RankedTensorType from = typeOf(value);
  if (from.getRank() == 0)
    return fill(b, value, sizes);
  SmallVector<int64_t> shape = staticShape(sizes);
  SmallVector<int64_t> expanding, keeping;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t size = from.getDimSize(i);
    if (keepsSize(b, value, i, sizes[dim])) {
      keeping.push_back(i);
      if (ShapedType::isStatic(size))
        shape[dim] = size;
    } else if (size == 1) {
      expanding.push_back(i);
    }
  }
  auto type = RankedTensorType::get(shape, from.getElementType());
  bool sameRank = int64_t(sizes.size()) == from.getRank();
  if (sameRank && int64_t(keeping.size()) == from.getRank())
    return refineType(b, value, type);
  if (type.hasStaticShape() && from.hasStaticShape()) {
    DenseElementsAttr splat;
    if (matchPattern(value, m_Constant(&splat)) && splat.isSplat())
      return constant(b, splat.resizeSplat(type));
    return stablehlo::BroadcastInDimOp::create(b, type, value, dims);
  }
  return stablehlo::DynamicBroadcastInDimOp::create(
      b, type, value, shapeTensor(b, sizes), b.getDenseI64ArrayAttr(dims),
      expanding.empty() ? DenseI64ArrayAttr()
                        : b.getDenseI64ArrayAttr(expanding),
      keeping.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(keeping));
}

Value frontend::broadcastTo(HloBuilder &b, Value value, ArrayRef<Size> sizes) {
  int64_t lead = sizes.size() - rankOf(value);
  assert(lead >= 0 && "broadcast to a smaller rank");
  auto dims = llvm::to_vector(llvm::seq<int64_t>(lead, sizes.size()));
  return broadcastInDim(b, value, sizes, dims);
}

/// The common size of the dimensions that meet at one place.
static Size commonSize(HloBuilder &b,
                       ArrayRef<std::pair<Value, int64_t>> dims) {
  for (auto [value, dim] : dims) {
    int64_t size = typeOf(value).getDimSize(dim);
    if (ShapedType::isStatic(size) && size != 1)
      return size;
  }
  std::optional<Size> result;
  for (auto [value, dim] : dims) {
    if (!typeOf(value).isDynamicDim(dim))
      continue;
    Size size = sizeOf(b, value, dim);
    if (!result)
      result = size;
    else if (!b.unknownSizesAgree)
      result = orElse(b, *result, 1, size);
  }
  return result.value_or(Size(1));
}

Sizes frontend::broadcastSizes(HloBuilder &b, ValueRange values) {
  int64_t rank = 0;
  for (Value value : values)
    rank = std::max(rank, rankOf(value));
  Sizes sizes;
  for (int64_t dim = 0; dim < rank; ++dim) {
    SmallVector<std::pair<Value, int64_t>> meeting;
    for (Value value : values)
      if (int64_t own = dim - (rank - rankOf(value)); own >= 0)
        meeting.push_back({value, own});
    sizes.push_back(commonSize(b, meeting));
  }
  return sizes;
}

SmallVector<Value> frontend::broadcastTogether(HloBuilder &b,
                                               ValueRange values) {
  SmallVector<Value> result(values);
  // Nothing to do, and no sizes to read, when all shapes are plainly equal.
  bool equal = llvm::all_of(values, [&](Value value) {
    RankedTensorType type = typeOf(value), first = typeOf(values[0]);
    if (type.getRank() != first.getRank())
      return false;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t size = type.getDimSize(dim);
      if (size != first.getDimSize(dim))
        return false;
      if (ShapedType::isDynamic(size) && !b.unknownSizesAgree &&
          !knownEqual(value, dim, values[0], dim))
        return false;
    }
    return true;
  });
  if (equal)
    return result;
  Sizes sizes = broadcastSizes(b, values);
  for (Value &value : result)
    value = broadcastTo(b, value, sizes);
  return result;
}

RankedTensorType frontend::mergedType(ValueRange values, Type element) {
  SmallVector<int64_t> shape(typeOf(values[0]).getShape());
  for (Value value : values.drop_front())
    for (auto [size, other] : llvm::zip(shape, typeOf(value).getShape()))
      if (ShapedType::isDynamic(size))
        size = other;
  return RankedTensorType::get(shape, element);
}
