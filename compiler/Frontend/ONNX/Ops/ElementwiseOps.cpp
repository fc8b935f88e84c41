// Arithmetic on elements: one function an op, NumPy broadcasting throughout.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

using UnaryFunction = Value (*)(HloBuilder &, Value);
using BinaryFunction = Value (*)(HloBuilder &, Value, Value);
using HostUnary = double (*)(double);
using HostBinary = double (*)(double, double);

template <UnaryFunction fn, HostUnary host = nullptr>
static LogicalResult unaryOp(NodeContext &op) {
  if (Value folded = foldFloats(op.b, op.input(0), host))
    return op.result(folded);
  return op.result(fn(op.b, op.input(0)));
}

/// A CHLO op, which has the operand's type.
static Value chloUnary(HloBuilder &b, StringRef name, Value x) {
  OperationState state(b.getLoc(), name, ValueRange{x}, x.getType());
  return b.create(state)->getResult(0);
}

#define FERRULE_CHLO(name)                                                     \
  static Value name##Of(HloBuilder &b, Value x) {                              \
    return chloUnary(b, "chlo." #name, x);                                     \
  }
FERRULE_CHLO(sinh)
FERRULE_CHLO(cosh)
FERRULE_CHLO(asin)
FERRULE_CHLO(acos)
FERRULE_CHLO(atan)
FERRULE_CHLO(asinh)
FERRULE_CHLO(acosh)
FERRULE_CHLO(atanh)
FERRULE_CHLO(erf)
#undef FERRULE_CHLO

/// Whether two shapes can be broadcast together as far as they are known.
static LogicalResult checkBroadcast(NodeContext &op, Value x, Value y) {
  auto xs = typeOf(x).getShape(), ys = typeOf(y).getShape();
  for (auto [m, n] : llvm::zip(llvm::reverse(xs), llvm::reverse(ys)))
    if (ShapedType::isStatic(m) && ShapedType::isStatic(n) && m != n &&
        m != 1 && n != 1)
      return op.error() << "found inputs " << typeOf(x) << " and " << typeOf(y)
                        << ", expected shapes that broadcast";
  return success();
}

template <BinaryFunction fn, SizeFunction small = nullptr,
          HostBinary host = nullptr>
static LogicalResult binaryOp(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  if (elementOf(x) != elementOf(y))
    return op.error() << "found element types " << elementOf(x) << " and "
                      << elementOf(y) << ", expected equal ones";
  if (failed(checkBroadcast(op, x, y)))
    return failure();
  if (Value result = combineSmall(op.b, x, y, small, elementOf(x)))
    return op.result(result);
  if (Value folded = foldFloats(op.b, x, y, host))
    return op.result(folded);
  return op.result(fn(op.b, x, y));
}

template <Size (*fn)(HloBuilder &, Size, Size)>
static std::optional<Size> sizes(HloBuilder &b, Size x, Size y) {
  return fn(b, x, y);
}

static std::optional<Size> modSizes(HloBuilder &b, Size x, Size y) {
  if (!x.isStatic() || !y.isStatic() || y.getStatic() == 0)
    return std::nullopt;
  int64_t rest = x.getStatic() % y.getStatic();
  if (rest != 0 && (rest < 0) != (y.getStatic() < 0))
    rest += y.getStatic();
  return Size(rest);
}

static double hostAdd(double x, double y) { return x + y; }
static double hostSub(double x, double y) { return x - y; }
static double hostMul(double x, double y) { return x * y; }
static double hostDiv(double x, double y) { return x / y; }
static double hostFloor(double x) { return std::floor(x); }
static double hostCeil(double x) { return std::ceil(x); }
static double hostSqrt(double x) { return std::sqrt(x); }
static double hostNeg(double x) { return -x; }
static double hostReciprocal(double x) { return 1 / x; }

static Value divide(HloBuilder &b, Value x, Value y) {
  return isa<IntegerType>(elementOf(x)) ? truncDiv(b, x, y) : div(b, x, y);
}

static LogicalResult importMod(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  if (Value small = combineSmall(op.b, x, y, modSizes, elementOf(x)))
    return op.result(small);
  if (op.intAttr("fmod", 0))
    return op.result(remainder(op.b, x, y));
  return op.result(floorMod(op.b, x, y));
}

static LogicalResult importPow(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  Type element = elementOf(x);
  if (auto exponent = constantNumber(y); exponent && rankOf(y) <= rankOf(x)) {
    if (*exponent == 2)
      return op.result(mul(op.b, x, x));
    if (*exponent == 1)
      return op.result(x);
    if (*exponent == 3)
      return op.result(mul(op.b, mul(op.b, x, x), x));
    if (*exponent == 0.5 && isa<FloatType>(element))
      return op.result(sqrt(op.b, x));
  }
  if (element == elementOf(y))
    return op.result(power(op.b, x, y));
  // The result has the base's type; a float exponent is not to be rounded.
  Type compute = isa<FloatType>(element) ? element : elementOf(y);
  Value result =
      power(op.b, convert(op.b, x, compute), convert(op.b, y, compute));
  return op.result(convert(op.b, result, element));
}

template <BinaryFunction fn, SizeFunction small = nullptr>
static LogicalResult variadicOp(NodeContext &op) {
  if (op.numInputs() == 0)
    return op.error() << "found no inputs, expected at least one";
  Value result = op.input(0);
  for (Value next : llvm::drop_begin(op.inputs())) {
    Value combined = combineSmall(op.b, result, next, small, elementOf(result));
    result = combined ? combined : fn(op.b, result, next);
  }
  return op.result(result);
}

static LogicalResult importMean(NodeContext &op) {
  Value sum = op.input(0);
  for (Value next : llvm::drop_begin(op.inputs()))
    sum = add(op.b, sum, next);
  return op.result(div(op.b, sum, double(op.numInputs())));
}

/// A bound as a scalar, or null when the input is absent.
static Value scalarInput(NodeContext &op, size_t i) {
  Value value = op.input(i);
  if (!value || rankOf(value) == 0)
    return value;
  return stablehlo::ReshapeOp::create(
      op.b, RankedTensorType::get({}, elementOf(value)), value);
}

static LogicalResult importClip(NodeContext &op) {
  Value x = op.input(0);
  if (op.opset < 11) {
    Value low, high;
    if (op.hasAttr("min"))
      low = scalar(op.b, elementOf(x), op.floatAttr("min", 0));
    if (op.hasAttr("max"))
      high = scalar(op.b, elementOf(x), op.floatAttr("max", 0));
    return op.result(clamp(op.b, x, low, high));
  }
  for (size_t i : {1, 2})
    if (op.has(i) && (!typeOf(op.input(i)).hasStaticShape() ||
                      typeOf(op.input(i)).getNumElements() != 1))
      return op.error() << "found a bound of type " << op.input(i).getType()
                        << ", expected a scalar";
  // ONNX takes min(max(x, low), high): with low above high the result is high.
  Value low = scalarInput(op, 1), high = scalarInput(op, 2);
  if (low && high && (!constantNumber(low) || !constantNumber(high)))
    low = minimum(op.b, low, high);
  return op.result(clamp(op.b, x, low, high));
}

static LogicalResult importSign(NodeContext &op) {
  Value x = op.input(0);
  if (!elementOf(x).isUnsignedInteger())
    return op.result(unary<stablehlo::SignOp>(op.b, x));
  return op.result(minimum(op.b, x, fullLike(op.b, x, 1)));
}

static Value roundUnlessInteger(HloBuilder &b, Value x) {
  return isa<FloatType>(elementOf(x)) ? roundEven(b, x) : x;
}

static Value negate(HloBuilder &b, Value x) {
  return combineSmall(
             b, x, x,
             [](HloBuilder &b, Size v, Size) {
               return std::optional<Size>(frontend::sub(b, 0, v));
             },
             elementOf(x))
             ?: neg(b, x);
}

static LogicalResult importBitShift(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  return op.result(op.stringAttr("direction", "LEFT") == "LEFT"
                       ? shiftLeft(op.b, x, y)
                       : shiftRight(op.b, x, y));
}

/// Casts to the small float formats saturate unless told otherwise.
static Value saturatingConvert(NodeContext &op, Value x, Type element) {
  auto floatType = dyn_cast<FloatType>(element);
  bool narrow = floatType && floatType.getWidth() <= 8;
  if (narrow && isa<FloatType>(elementOf(x)) && op.intAttr("saturate", 1)) {
    double largest = llvm::APFloat::getLargest(floatType.getFloatSemantics())
                         .convertToDouble();
    x = clamp(op.b, x, -largest, largest);
  }
  // Floats that do not fit into few bits wrap around, as integers do.
  if (isa<FloatType>(elementOf(x)) && isa<IntegerType>(element) &&
      element.getIntOrFloatBitWidth() < 8 && !element.isInteger(1))
    x = convert(op.b, x, op.b.getI32Type());
  return convert(op.b, x, element);
}

static LogicalResult castTo(NodeContext &op, Type element) {
  Value x = op.input(0);
  if (!element)
    return failure();
  if (isSmall(x) &&
      (element.isSignlessInteger(64) || element.isSignlessInteger(32)))
    return op.result(
        fromElements(op.b, elementsOf(op.b, x), element, rankOf(x)));
  auto ints = onnx::constantInts(x, 64);
  if (ints && isa<FloatType>(element)) {
    SmallVector<APFloat> values;
    for (int64_t value : *ints) {
      APFloat number(cast<FloatType>(element).getFloatSemantics());
      number.convertFromAPInt(APInt(64, value, true),
                              !elementOf(x).isUnsignedInteger(),
                              APFloat::rmNearestTiesToEven);
      values.push_back(number);
    }
    return op.result(
        constant(op.b, DenseElementsAttr::get(
                           RankedTensorType::get(typeOf(x).getShape(), element),
                           values)));
  }
  auto floats = constantFloats(x, 64);
  if (floats && element.isSignlessInteger(64)) {
    SmallVector<int64_t> values;
    for (double value : *floats)
      values.push_back(std::isfinite(value) ? int64_t(value) : 0);
    return op.result(
        constant(op.b, DenseElementsAttr::get(
                           RankedTensorType::get(typeOf(x).getShape(), element),
                           ArrayRef(values))));
  }
  return op.result(saturatingConvert(op, x, element));
}

static LogicalResult importCast(NodeContext &op) {
  int64_t number = op.intAttr("to", 0);
  // Before opset 6 types had names.
  StringRef name = op.stringAttr("to", "");
  for (int64_t i = 1; !name.empty() && i <= 28; ++i)
    if (dataTypeName(static_cast<DataType>(i)).equals_insensitive(name))
      number = i;
  return castTo(op, op.elementType(number));
}

static LogicalResult importCastLike(NodeContext &op) {
  return castTo(op, elementOf(op.input(1)));
}

static LogicalResult importIdentity(NodeContext &op) {
  op.set(0, op.datum(0));
  return success();
}

static LogicalResult importBitCast(NodeContext &op) {
  Type element = op.elementType(op.intAttr("to", 0));
  if (!element)
    return failure();
  Value x = op.input(0);
  // A boolean is a byte of 0 or 1 in ONNX.
  Type byte = IntegerType::get(op.b.getContext(), 8, IntegerType::Unsigned);
  if (elementOf(x).isInteger(1))
    x = convert(op.b, x, byte);
  bool toBool = element.isInteger(1);
  Value y = stablehlo::BitcastConvertOp::create(
      op.b,
      RankedTensorType::get(typeOf(x).getShape(), toBool ? byte : element), x);
  return op.result(toBool ? convert(op.b, y, element) : y);
}

void ferrule::onnx::registerElementwiseOps(Registry &r) {
  r.add("Add", binaryOp<add, sizes<add>, hostAdd>);
  r.add("Sub", binaryOp<sub, sizes<sub>, hostSub>);
  r.add("Mul", binaryOp<mul, sizes<mul>, hostMul>);
  r.add("Div", binaryOp<divide, sizes<truncDivSize>, hostDiv>);
  r.add("Mod", importMod);
  r.add("Pow", importPow);
  r.add("Max", variadicOp<maximum, sizes<maximum>>);
  r.add("Min", variadicOp<minimum, sizes<minimum>>);
  r.add("Sum", variadicOp<add>);
  r.add("Mean", importMean);
  r.add("Clip", importClip);
  r.add("Abs", unaryOp<frontend::abs>);
  r.add("Neg", unaryOp<negate, hostNeg>);
  r.add("Ceil", unaryOp<frontend::ceil, hostCeil>);
  r.add("Floor", unaryOp<frontend::floor, hostFloor>);
  r.add("Round", unaryOp<roundUnlessInteger>);
  r.add("Sqrt", unaryOp<frontend::sqrt, hostSqrt>);
  r.add("Reciprocal", unaryOp<reciprocal, hostReciprocal>);
  r.add("Exp", unaryOp<frontend::exp>);
  r.add("Log", unaryOp<frontend::log>);
  r.add("Sin", unaryOp<frontend::sin>);
  r.add("Cos", unaryOp<frontend::cos>);
  r.add("Tan", unaryOp<unary<stablehlo::TanOp>>);
  r.add("Tanh", unaryOp<frontend::tanh>);
  r.add("Sigmoid", unaryOp<sigmoid>);
  r.add("Sinh", unaryOp<sinhOf>);
  r.add("Cosh", unaryOp<coshOf>);
  r.add("Asin", unaryOp<asinOf>);
  r.add("Acos", unaryOp<acosOf>);
  r.add("Atan", unaryOp<atanOf>);
  r.add("Asinh", unaryOp<asinhOf>);
  r.add("Acosh", unaryOp<acoshOf>);
  r.add("Atanh", unaryOp<atanhOf>);
  r.add("Erf", unaryOp<erfOf>);
  r.add("Sign", importSign);
  r.add("BitShift", importBitShift);
  r.add("BitwiseAnd", binaryOp<bitAnd>);
  r.add("BitwiseOr", binaryOp<bitOr>);
  r.add("BitwiseXor", binaryOp<bitXor>);
  r.add("BitwiseNot", unaryOp<logicalNot>);
  r.add("Cast", importCast);
  r.add("CastLike", importCastLike);
  r.add("Identity", importIdentity);
  r.add("BitCast", importBitCast);
}
