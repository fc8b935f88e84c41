#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/SizeOrigins.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static constexpr int64_t maxElements = 16;

bool ferrule::onnx::isSmall(Value value) {
  auto type =
      dyn_cast_or_null<RankedTensorType>(value ? value.getType() : Type());
  if (!type || !type.hasStaticShape() || type.getRank() > 1 ||
      type.getNumElements() > maxElements)
    return false;
  Type element = type.getElementType();
  if (!element.isSignlessInteger(64) && !element.isSignlessInteger(32) &&
      !element.isInteger(1))
    return false;
  Operation *op = value.getDefiningOp();
  return op &&
         isa<stablehlo::ConstantOp, stablehlo::ConcatenateOp,
             stablehlo::ReshapeOp, stablehlo::ConvertOp, stablehlo::SliceOp,
             stablehlo::GetDimensionSizeOp, stablehlo::AddOp,
             stablehlo::SubtractOp, stablehlo::MulOp, stablehlo::DivOp,
             stablehlo::RemOp, stablehlo::MaxOp, stablehlo::MinOp,
             stablehlo::SelectOp, stablehlo::CompareOp>(op);
}

bool ferrule::onnx::areSmall(ValueRange values) {
  return llvm::all_of(values, isSmall);
}

/// The integer tensor that `value != 0` was built from, or null.
static Value nonZeroSource(Value value) {
  auto compare = value.getDefiningOp<stablehlo::CompareOp>();
  if (!compare ||
      compare.getComparisonDirection() != stablehlo::ComparisonDirection::NE ||
      !elementOf(compare->getOperand(0)).isSignlessInteger(64))
    return {};
  auto zeros = onnx::constantInts(compare->getOperand(1), maxElements);
  if (!zeros || llvm::any_of(*zeros, [](int64_t n) { return n != 0; }))
    return {};
  return compare->getOperand(0);
}

Sizes ferrule::onnx::elementsOf(HloBuilder &b, Value value) {
  if (auto ints = onnx::constantInts(value, maxElements))
    return toSizes(*ints);
  if (typeOf(value).getNumElements() == 0)
    return {};
  if (elementOf(value).isInteger(1)) {
    if (Value source = nonZeroSource(value))
      return elementsOf(b, source);
    value = convert(b, value, b.getI64Type());
  }
  if (rankOf(value) == 0)
    return {toSize(b, value)};
  return sizesFromTensor(b, value);
}

Value ferrule::onnx::fromElements(HloBuilder &b, ArrayRef<Size> elements,
                                  Type elementType, int64_t rank) {
  SmallVector<int64_t> shape;
  if (rank == 1)
    shape.push_back(elements.size());
  auto type = RankedTensorType::get(shape, elementType);
  if (allStatic(elements)) {
    SmallVector<APInt> values;
    for (Size element : elements)
      values.push_back(APInt(elementType.getIntOrFloatBitWidth(),
                             element.getStatic(), /*isSigned=*/true,
                             /*implicitTrunc=*/true));
    return constant(b, DenseElementsAttr::get(type, values));
  }
  Value wide =
      rank == 0 ? elements[0].materialize(b) : shapeTensor(b, elements);
  return convert(b, wide, elementType);
}

FailureOr<Sizes> ferrule::onnx::sizesInput(NodeContext &op, size_t i,
                                           StringRef what) {
  Value value = op.input(i);
  if (!value)
    return op.error() << "found no " << what << ", expected it as input " << i;
  auto type = typeOf(value);
  if (!isa<IntegerType>(type.getElementType()) || type.getRank() > 1 ||
      !type.hasStaticShape() || type.getNumElements() > 64)
    return op.error() << "found " << what << " of type " << type
                      << ", expected an integer list of known length";
  if (auto ints = onnx::constantInts(value))
    return toSizes(*ints);
  if (type.getNumElements() == 0)
    return Sizes();
  if (type.getRank() == 0)
    return Sizes{toSize(op.b, value)};
  return sizesFromTensor(op.b, value);
}

FailureOr<Size> ferrule::onnx::sizeInput(NodeContext &op, size_t i,
                                         StringRef what) {
  auto sizes = sizesInput(op, i, what);
  if (failed(sizes))
    return failure();
  if (sizes->size() != 1)
    return op.error() << "found " << sizes->size() << " numbers as " << what
                      << ", expected one";
  return sizes->front();
}

Value ferrule::onnx::combineSmall(HloBuilder &b, Value x, Value y,
                                  SizeFunction fn, Type resultElement) {
  if (!fn || !isSmall(x) || !isSmall(y))
    return {};
  Sizes xs = elementsOf(b, x), ys = elementsOf(b, y);
  if (xs.size() != ys.size() && xs.size() != 1 && ys.size() != 1)
    return {};
  size_t count = xs.size() == 1 ? ys.size() : xs.size();
  Sizes results;
  for (size_t i = 0; i < count; ++i) {
    auto result = fn(b, xs[xs.size() == 1 ? 0 : i], ys[ys.size() == 1 ? 0 : i]);
    if (!result)
      return {};
    results.push_back(*result);
  }
  return fromElements(b, results, resultElement,
                      std::max(rankOf(x), rankOf(y)));
}

/// Whether a size is a dimension's, which is never negative.
static bool isDimension(Size size) {
  if (size.isStatic())
    return size.getStatic() >= 0;
  SizeOrigin origin = originOfScalar(size.getScalar());
  return origin.value && origin.dim >= 0;
}

Size ferrule::onnx::compareSizes(HloBuilder &b, StringRef direction, Size x,
                                 Size y) {
  if (x.isStatic() && y.isStatic()) {
    int64_t l = x.getStatic(), r = y.getStatic();
    return llvm::StringSwitch<bool>(direction)
        .Case("EQ", l == r)
        .Case("NE", l != r)
        .Case("LT", l < r)
        .Case("LE", l <= r)
        .Case("GT", l > r)
        .Default(l >= r);
  }
  if (knownEqual(x, y))
    return direction == "EQ" || direction == "LE" || direction == "GE";
  // A dimension against a negative number.
  if (y.isStatic() && y.getStatic() < 0 && isDimension(x))
    return direction == "NE" || direction == "GT" || direction == "GE";
  if (y.is(0) && isDimension(x) && (direction == "LT" || direction == "GE"))
    return direction == "GE";
  auto op = llvm::StringSwitch<Direction>(direction)
                .Case("EQ", Direction::EQ)
                .Case("NE", Direction::NE)
                .Case("LT", Direction::LT)
                .Case("LE", Direction::LE)
                .Case("GT", Direction::GT)
                .Default(Direction::GE);
  Value truth = compare(b, op, x.materialize(b), y.materialize(b));
  return Size(convert(b, truth, b.getI64Type()));
}

Size ferrule::onnx::selectSize(HloBuilder &b, Size condition, Size x, Size y) {
  if (condition.isStatic())
    return condition.getStatic() ? x : y;
  if (knownEqual(x, y))
    return x;
  Value truth = convert(b, condition.getScalar(), b.getI1Type());
  return Size(select(b, truth, x.materialize(b), y.materialize(b)));
}

Size ferrule::onnx::truncDivSize(HloBuilder &b, Size x, Size y) {
  if (x.isStatic() && y.isStatic() && y.getStatic() != 0)
    return x.getStatic() / y.getStatic();
  if (y.is(1))
    return x;
  return Size(div(b, x.materialize(b), y.materialize(b)));
}

static bool isFromSizes(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 24)
    return false;
  if (isa<stablehlo::ConstantOp, stablehlo::GetDimensionSizeOp>(op))
    return true;
  return op->getNumRegions() == 0 && op->getNumOperands() > 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           auto type = dyn_cast<RankedTensorType>(operand.getType());
           return type && type.hasStaticShape() &&
                  isa<IntegerType>(type.getElementType()) &&
                  isFromSizes(operand, depth + 1);
         });
}

bool ferrule::onnx::isFromSizes(Value value) { return ::isFromSizes(value, 0); }

Value ferrule::onnx::rearrangeConstant(
    HloBuilder &b, Value x, ArrayRef<int64_t> shape,
    llvm::function_ref<int64_t(ArrayRef<int64_t>, int64_t)> source) {
  auto attr = dyn_cast_or_null<DenseElementsAttr>(constantAttr(x));
  auto type = RankedTensorType::get(shape, elementOf(x));
  if (!attr || attr.getNumElements() > 64 || type.getNumElements() > 64)
    return {};
  SmallVector<mlir::Attribute> all(attr.getValues<mlir::Attribute>()), result;
  SmallVector<int64_t> place(shape.size(), 0);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    int64_t rest = i;
    for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
      place[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    int64_t flat = 0;
    for (int64_t dim = 0; dim < rankOf(x); ++dim)
      flat = flat * typeOf(x).getDimSize(dim) + source(place, dim);
    result.push_back(all[flat]);
  }
  return constant(b, DenseElementsAttr::get(type, result));
}

Value ferrule::onnx::floatConstant(HloBuilder &b, RankedTensorType type,
                                   ArrayRef<double> values) {
  auto floatType = cast<FloatType>(type.getElementType());
  SmallVector<APFloat> rounded;
  for (double value : values) {
    APFloat number(value);
    bool loses;
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &loses);
    rounded.push_back(number);
  }
  return constant(b, DenseElementsAttr::get(type, rounded));
}

Value ferrule::onnx::foldFloats(HloBuilder &b, Value x, double (*fn)(double)) {
  auto values = constantFloats(x, 64);
  if (!fn || !values)
    return {};
  for (double &value : *values)
    value = fn(value);
  return floatConstant(b, typeOf(x), *values);
}

Value ferrule::onnx::foldFloats(HloBuilder &b, Value x, Value y,
                                double (*fn)(double, double)) {
  if (!fn)
    return {};
  auto xs = constantFloats(x, 64), ys = constantFloats(y, 64);
  if (!xs || !ys)
    return {};
  bool scalarX = rankOf(x) == 0, scalarY = rankOf(y) == 0;
  if (typeOf(x) != typeOf(y) && !scalarX && !scalarY)
    return {};
  const SmallVector<double> &longer = scalarX ? *ys : *xs;
  SmallVector<double> results;
  for (size_t i = 0; i < longer.size(); ++i)
    results.push_back(fn((*xs)[scalarX ? 0 : i], (*ys)[scalarY ? 0 : i]));
  return floatConstant(b, typeOf(scalarX ? y : x), results);
}
