#include "compiler/Driver/Check/CompareTensors.h"
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace ferrule;

namespace {

/// The bits of element `index`, of `stored` bits each in memory.
uint64_t readBits(ArrayRef<char> bytes, int64_t index, unsigned width,
                  unsigned stored) {
  uint64_t bits = 0;
  if (stored < 8) {
    unsigned perByte = 8 / stored;
    bits = static_cast<unsigned char>(bytes[index / perByte]) >>
           (index % perByte * stored);
  } else {
    std::memcpy(&bits, bytes.data() + index * (stored / 8), stored / 8);
  }
  return width < 64 ? bits & ((uint64_t(1) << width) - 1) : bits;
}

/// The position of a float on the line of all floats of its type: neighbours
/// are 1 apart, zeros of both signs are 0.
__int128 position(const llvm::APFloat &value, uint64_t bits, unsigned width) {
  if (!llvm::APFloat::semanticsHasSignedRepr(value.getSemantics()))
    return bits;
  __int128 magnitude = bits & ((uint64_t(1) << (width - 1)) - 1);
  return value.isNegative() ? -magnitude : magnitude;
}

double toDouble(llvm::APFloat value) {
  bool lost;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}

/// The distance from `value` to the next float of its type, away from zero.
double unitOf(const llvm::APFloat &value) {
  llvm::APFloat next = llvm::abs(value);
  double start = toDouble(next);
  if (next.next(/*nextDown=*/false) & llvm::APFloat::opInvalidOp)
    return 0;
  double unit = toDouble(next) - start;
  return std::isfinite(unit) ? unit : 0;
}

/// Compares single numbers of one type; the parts of complex ones.
struct NumberComparer {
  const Agreement &agreement;
  Type type;
  unsigned width, stored;

  NumberComparer(const Agreement &agreement, Type type)
      : agreement(agreement), type(type),
        width(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()),
        stored(byre::getStoredBits(type).value_or(width)) {}

  llvm::APFloat toFloat(uint64_t bits) const {
    return llvm::APFloat(cast<FloatType>(type).getFloatSemantics(),
                         llvm::APInt(width, bits));
  }

  llvm::APSInt toInteger(uint64_t bits) const {
    bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
    return llvm::APSInt(llvm::APInt(width, bits), isUnsigned);
  }

  bool isZero(uint64_t bits) const {
    return isa<FloatType>(type) ? toFloat(bits).isZero() : bits == 0;
  }

  /// Units in the last place between two numbers; nothing when no number of
  /// units makes them equal.
  std::optional<uint64_t> distance(uint64_t actual, uint64_t expected) const {
    if (!isa<FloatType>(type))
      return actual == expected ? std::optional<uint64_t>(0) : std::nullopt;
    llvm::APFloat a = toFloat(actual), e = toFloat(expected);
    if (a.isNaN() && e.isNaN())
      return 0;
    if (!a.isFinite() || !e.isFinite())
      return actual == expected ? std::optional<uint64_t>(0) : std::nullopt;
    __int128 apart = position(a, actual, width) - position(e, expected, width);
    apart = apart < 0 ? -apart : apart;
    return static_cast<uint64_t>(apart);
  }

  double toleranceAt(const llvm::APFloat &expected) const {
    if (agreement.tolerance)
      return *agreement.tolerance;
    return width > 16 ? 1e-3 : std::max(1e-3, unitOf(expected));
  }

  bool agree(uint64_t actual, uint64_t expected) const {
    switch (agreement.kind) {
    case Agreement::Zero:
      return isZero(actual);
    case Agreement::NotZero:
      return !isZero(actual);
    case Agreement::Equal:
      return distance(actual, expected) == 0;
    case Agreement::Close: {
      std::optional<uint64_t> apart = distance(actual, expected);
      return apart && *apart <= agreement.mostUnits;
    }
    case Agreement::Within:
      break;
    }
    if (distance(actual, expected) == 0)
      return true;
    if (!isa<FloatType>(type))
      return false;
    llvm::APFloat a = toFloat(actual), e = toFloat(expected);
    return a.isFinite() && e.isFinite() &&
           std::abs(toDouble(a) - toDouble(e)) <= toleranceAt(e);
  }

  void print(llvm::raw_ostream &os, uint64_t bits) const {
    if (!isa<FloatType>(type)) {
      os << toInteger(bits);
      return;
    }
    // So many digits tell neighbours apart.
    os << llvm::format(width > 32 ? "%.17g" : "%.9g", toDouble(toFloat(bits)));
  }
};

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return shape.empty() ? "of a scalar" : text;
}

/// Prints [1, 2] for an element's row-major number.
void printIndex(llvm::raw_ostream &os, int64_t number,
                ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = number % shape[i];
    number /= shape[i];
  }
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
}

} // namespace

std::optional<std::string>
ferrule::compareTensors(const Agreement &agreement,
                        const TensorContents &actual,
                        const TensorContents &expected) {
  if (actual.shape != expected.shape)
    return "found shape " + shapeText(actual.shape) + ", expected shape " +
           shapeText(expected.shape);
  Type type = expected.elementType;
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    type = IntegerType::get(
        type.getContext(), quantized.getStorageTypeIntegralWidth(),
        quantized.isSigned() ? IntegerType::Signless : IntegerType::Unsigned);
  auto complex = dyn_cast<ComplexType>(type);
  NumberComparer numbers(agreement, complex ? complex.getElementType() : type);
  unsigned parts = complex ? 2 : 1;
  int64_t count = ShapedType::getNumElements(expected.shape);
  int64_t first = -1, different = 0;
  uint64_t farthest = 0;
  auto read = [&](const TensorContents &tensor, int64_t part) {
    return readBits(tensor.bytes, part, numbers.width, numbers.stored);
  };
  for (int64_t i = 0; i < count; ++i) {
    bool agree = true;
    for (unsigned part = 0; part < parts; ++part) {
      uint64_t a = read(actual, i * parts + part);
      uint64_t e = read(expected, i * parts + part);
      agree &= numbers.agree(a, e);
      farthest = std::max(farthest, numbers.distance(a, e).value_or(0));
    }
    if (agree)
      continue;
    ++different;
    if (first < 0)
      first = i;
  }
  if (first < 0 && count > 0 && agreement.kind == Agreement::Close &&
      farthest < agreement.fewestUnits)
    return "all elements are at most " + std::to_string(farthest) +
           " units in the last place apart, expected at least " +
           std::to_string(agreement.fewestUnits) + " for one";
  if (first < 0)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](const TensorContents &tensor) {
    os << (complex ? "(" : "");
    for (unsigned part = 0; part < parts; ++part) {
      os << (part ? ", " : "");
      numbers.print(os, read(tensor, first * parts + part));
    }
    os << (complex ? ")" : "");
  };
  os << "at ";
  printIndex(os, first, expected.shape);
  os << ": found ";
  print(actual);
  os << ", expected ";
  if (agreement.kind == Agreement::NotZero)
    os << "a number that is not zero";
  else if (agreement.kind == Agreement::Zero)
    os << "zero";
  else
    print(expected);
  os << " (" << different << " of " << count << " elements differ)";
  return text;
}
