#include "compiler/Frontend/Support/Shapes.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/SizeOrigins.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

static RankedTensorType scalarType(HloBuilder &b) {
  return RankedTensorType::get({}, b.getI64Type());
}

static Value constantScalar(HloBuilder &b, int64_t n) {
  return stablehlo::ConstantOp::create(
      b, scalarType(b), DenseIntElementsAttr::get(scalarType(b), n));
}

RankedTensorType frontend::typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

std::optional<SmallVector<int64_t>> frontend::constantInts(Value value) {
  DenseIntElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  bool isUnsigned = attr.getElementType().isUnsignedInteger() ||
                    attr.getElementType().isInteger(1);
  return llvm::map_to_vector(attr.getValues<APInt>(), [&](APInt v) {
    return isUnsigned ? int64_t(v.getZExtValue()) : v.getSExtValue();
  });
}

std::optional<double> frontend::constantNumber(Value value) {
  DenseElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || attr.getNumElements() != 1)
    return std::nullopt;
  if (isa<FloatType>(attr.getElementType())) {
    APFloat number = *attr.value_begin<APFloat>();
    bool loses;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return number.convertToDouble();
  }
  if (auto ints = constantInts(value))
    return double(ints->front());
  return std::nullopt;
}

Size::Size(Value value) : scalar(value) {
  assert(rankOf(value) == 0 && elementOf(value).isInteger(64));
  SizeOrigin origin = originOfScalar(value);
  if (origin.value)
    return;
  number = origin.number;
  scalar = Value();
}

Value Size::materialize(HloBuilder &b) const {
  return scalar ? scalar : constantScalar(b, number);
}

template <typename OpT> static Size emit(HloBuilder &b, Size x, Size y) {
  Value lhs = x.materialize(b), rhs = y.materialize(b);
  return Size(OpT::create(b, scalarType(b), lhs, rhs).getResult());
}

static Value compare(HloBuilder &b, stablehlo::ComparisonDirection direction,
                     Size x, Size y) {
  Value lhs = x.materialize(b), rhs = y.materialize(b);
  return stablehlo::CompareOp::create(
      b, RankedTensorType::get({}, b.getI1Type()), lhs, rhs, direction,
      stablehlo::ComparisonTypeAttr::get(b.getContext(),
                                         stablehlo::ComparisonType::SIGNED));
}

static Size choose(HloBuilder &b, Value condition, Size x, Size y) {
  Value lhs = x.materialize(b), rhs = y.materialize(b);
  return Size(stablehlo::SelectOp::create(b, scalarType(b), condition, lhs, rhs)
                  .getResult());
}

Size frontend::add(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic())
    return x.getStatic() + y.getStatic();
  if (x.is(0))
    return y;
  if (y.is(0))
    return x;
  return emit<stablehlo::AddOp>(b, x, y);
}

Size frontend::sub(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic())
    return x.getStatic() - y.getStatic();
  if (y.is(0))
    return x;
  if (knownEqual(x, y))
    return 0;
  return emit<stablehlo::SubtractOp>(b, x, y);
}

Size frontend::mul(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic())
    return x.getStatic() * y.getStatic();
  if (x.is(1))
    return y;
  if (y.is(1))
    return x;
  if (x.is(0) || y.is(0))
    return 0;
  return emit<stablehlo::MulOp>(b, x, y);
}

Size frontend::floorDiv(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic() && y.getStatic() != 0) {
    int64_t n = x.getStatic(), d = y.getStatic();
    return n / d - (n % d != 0 && (n % d < 0) != (d < 0));
  }
  if (y.is(1))
    return x;
  // divide truncates; subtract one where a remainder was cut off upwards.
  Size quotient = emit<stablehlo::DivOp>(b, x, y);
  Size rest = sub(b, x, mul(b, quotient, y));
  Value below = compare(b, stablehlo::ComparisonDirection::LT, rest, 0);
  return choose(b, below, sub(b, quotient, 1), quotient);
}

Size frontend::ceilDiv(HloBuilder &b, Size x, Size y) {
  return floorDiv(b, sub(b, add(b, x, y), 1), y);
}

Size frontend::maximum(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic())
    return std::max(x.getStatic(), y.getStatic());
  if (knownEqual(x, y))
    return x;
  return emit<stablehlo::MaxOp>(b, x, y);
}

Size frontend::minimum(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic())
    return std::min(x.getStatic(), y.getStatic());
  if (knownEqual(x, y))
    return x;
  return emit<stablehlo::MinOp>(b, x, y);
}

Size frontend::orElse(HloBuilder &b, Size x, int64_t avoid, Size y) {
  if (x.isStatic())
    return x.getStatic() == avoid ? y : x;
  if (knownEqual(x, y))
    return x;
  Value hit = compare(b, stablehlo::ComparisonDirection::EQ, x, avoid);
  return choose(b, hit, y, x);
}

Size frontend::wrapIndex(HloBuilder &b, Size index, Size size) {
  if (index.isStatic())
    return index.getStatic() < 0 ? add(b, index, size) : index;
  Value below = compare(b, stablehlo::ComparisonDirection::LT, index, 0);
  return choose(b, below, add(b, index, size), index);
}

Size frontend::toSize(HloBuilder &b, Value value) {
  if (auto ints = constantInts(value); ints && !ints->empty())
    return ints->front();
  if (rankOf(value) != 0)
    value = stablehlo::ReshapeOp::create(
        b, RankedTensorType::get({}, elementOf(value)), value);
  if (!elementOf(value).isInteger(64) || elementOf(value).isUnsignedInteger())
    value = stablehlo::ConvertOp::create(b, scalarType(b), value);
  return Size(value);
}

Size frontend::sizeOf(HloBuilder &b, Value value, int64_t dim) {
  dim = wrapDim(dim, rankOf(value));
  if (dim < 0 || dim >= rankOf(value)) {
    emitError(b.getLoc()) << "found a tensor of type " << value.getType()
                          << ", expected a dimension " << dim;
    return 1;
  }
  SizeOrigin origin = originOf(value, dim);
  if (!origin.value)
    return origin.number;
  if (origin.dim == -1)
    return toSize(b, origin.value);
  Value size = stablehlo::GetDimensionSizeOp::create(
      b, RankedTensorType::get({}, b.getI32Type()), origin.value,
      b.getI64IntegerAttr(origin.dim));
  return Size(stablehlo::ConvertOp::create(b, scalarType(b), size).getResult());
}

Sizes frontend::sizesOf(HloBuilder &b, Value value) {
  Sizes sizes;
  for (int64_t dim = 0; dim < rankOf(value); ++dim)
    sizes.push_back(sizeOf(b, value, dim));
  return sizes;
}

Size frontend::product(HloBuilder &b, ArrayRef<Size> sizes) {
  Size result = 1;
  for (Size size : sizes)
    result = mul(b, result, size);
  return result;
}

Size frontend::numElements(HloBuilder &b, Value value) {
  return product(b, sizesOf(b, value));
}

bool frontend::knownEqual(Size x, Size y) {
  if (x.isStatic() || y.isStatic())
    return x.isStatic() && y.isStatic() && x.getStatic() == y.getStatic();
  return sameOrigin(originOfScalar(x.getScalar()),
                    originOfScalar(y.getScalar()));
}

bool frontend::knownEqual(Value x, int64_t xDim, Value y, int64_t yDim) {
  return sameOrigin(originOf(x, xDim), originOf(y, yDim));
}

Value frontend::shapeTensor(HloBuilder &b, ArrayRef<Size> sizes) {
  auto type = RankedTensorType::get({int64_t(sizes.size())}, b.getI64Type());
  if (allStatic(sizes))
    return stablehlo::ConstantOp::create(
        b, type, DenseIntElementsAttr::get(type, staticShape(sizes)));
  auto one = RankedTensorType::get({1}, b.getI64Type());
  SmallVector<Value> pieces;
  for (Size size : sizes) {
    if (size.isStatic())
      pieces.push_back(stablehlo::ConstantOp::create(
          b, one, DenseIntElementsAttr::get(one, size.getStatic())));
    else
      pieces.push_back(stablehlo::ReshapeOp::create(b, one, size.getScalar()));
  }
  if (pieces.size() == 1)
    return pieces[0];
  return stablehlo::ConcatenateOp::create(b, type, pieces,
                                          b.getI64IntegerAttr(0));
}

Sizes frontend::sizesFromTensor(HloBuilder &b, Value shape) {
  if (auto ints = constantInts(shape))
    return toSizes(*ints);
  Sizes sizes;
  auto concat = shape.getDefiningOp<stablehlo::ConcatenateOp>();
  if (concat && llvm::all_of(concat->getOperands(), [](Value piece) {
        return typeOf(piece).hasStaticShape();
      })) {
    for (Value piece : concat->getOperands())
      llvm::append_range(sizes, sizesFromTensor(b, piece));
    return sizes;
  }
  auto one = RankedTensorType::get({1}, elementOf(shape));
  int64_t length = typeOf(shape).getDimSize(0);
  if (length == 1)
    return {toSize(b, shape)};
  for (int64_t i = 0; i < length; ++i)
    sizes.push_back(toSize(
        b, stablehlo::SliceOp::create(b, one, shape, ArrayRef<int64_t>{i},
                                      ArrayRef<int64_t>{i + 1},
                                      ArrayRef<int64_t>{1})));
  return sizes;
}

bool frontend::allStatic(ArrayRef<Size> sizes) {
  return llvm::all_of(sizes, [](Size size) { return size.isStatic(); });
}

SmallVector<int64_t> frontend::staticShape(ArrayRef<Size> sizes) {
  return llvm::map_to_vector(
      sizes, [](Size size) { return size.getStaticOrDynamic(); });
}

RankedTensorType frontend::tensorOf(ArrayRef<Size> sizes, Type element) {
  return RankedTensorType::get(staticShape(sizes), element);
}

Value frontend::refineType(HloBuilder &b, Value value, RankedTensorType type) {
  RankedTensorType from = typeOf(value);
  assert(from.getRank() == type.getRank() &&
         from.getElementType() == type.getElementType());
  SmallVector<int64_t> shape(from.getShape());
  for (auto [size, wanted] : llvm::zip(shape, type.getShape()))
    if (ShapedType::isDynamic(size))
      size = wanted;
  if (from.getShape() == ArrayRef(shape))
    return value;
  auto refined = RankedTensorType::get(shape, type.getElementType());
  if (refined.hasStaticShape())
    return stablehlo::ReshapeOp::create(b, refined, value);
  Sizes sizes = sizesOf(b, value);
  for (auto [size, known] : llvm::zip(sizes, shape))
    if (ShapedType::isStatic(known))
      size = known;
  return stablehlo::DynamicReshapeOp::create(b, refined, value,
                                             shapeTensor(b, sizes));
}
