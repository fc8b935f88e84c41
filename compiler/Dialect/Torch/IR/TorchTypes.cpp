#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// Types inside other types are written without the dialect's prefix:
// !torch.list<int>. The full spelling is read too.
static ParseResult parseNestedType(AsmParser &parser, Type &type);
static void printNestedType(AsmPrinter &printer, Type type);
static ParseResult parseNestedTypes(AsmParser &parser,
                                    SmallVector<Type> &types);
static void printNestedTypes(AsmPrinter &printer, ArrayRef<Type> types);

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/Torch/IR/TorchTypes.cpp.inc"

using namespace ferrule::torch;

template <typename T>
static Type parseTypeAfterMnemonic(AsmParser &parser) {
  if constexpr (requires { T::parse(parser); })
    return T::parse(parser);
  else
    return T::get(parser.getContext());
}

template <typename... Types>
static ParseResult parseTypeNamed(StringRef keyword, AsmParser &parser,
                                  Type &type) {
  bool known = ((Types::getMnemonic() == keyword &&
                 (type = parseTypeAfterMnemonic<Types>(parser), true)) ||
                ...);
  if (!known)
    return parser.emitError(parser.getCurrentLocation())
           << "unknown torch type '" << keyword << "'";
  return success(bool(type));
}

static ParseResult parseNestedType(AsmParser &parser, Type &type) {
  StringRef keyword;
  // `tensor`, `tuple` and `none` are words of the builtin dialect as well, so
  // the builtin parser must not see them first.
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return parser.parseType(type);
  return parseTypeNamed<
#define GET_TYPEDEF_LIST
#include "compiler/Dialect/Torch/IR/TorchTypes.cpp.inc"
      >(keyword, parser, type);
}

static void printNestedType(AsmPrinter &printer, Type type) {
  if (failed(generatedTypePrinter(type, printer)))
    printer.printType(type);
}

static ParseResult parseNestedTypes(AsmParser &parser,
                                    SmallVector<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
    return parseNestedType(parser, types.emplace_back());
  });
}

static void printNestedTypes(AsmPrinter &printer, ArrayRef<Type> types) {
  printer << '<';
  llvm::interleaveComma(types, printer,
                        [&](Type type) { printNestedType(printer, type); });
  printer << '>';
}

namespace ferrule::torch {

//===-- Tensor types ------------------------------------------------------===//

static ParseResult parseSizes(AsmParser &parser, bool &ranked,
                              SmallVectorImpl<int64_t> &sizes) {
  if (succeeded(parser.parseOptionalStar()))
    return success();
  ranked = true;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (succeeded(parser.parseOptionalQuestion())) {
          sizes.push_back(ShapedType::kDynamic);
          return success();
        }
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseInteger(sizes.emplace_back()))
          return failure();
        if (sizes.back() < 0)
          return parser.emitError(loc, "expected a size >= 0, but found ")
                 << sizes.back();
        return success();
      });
}

template <typename TensorT>
static Type parseTensorType(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (failed(parser.parseOptionalLess()))
    return TensorT::get(context, std::nullopt);
  bool ranked = false;
  SmallVector<int64_t> sizes;
  Type dtype;
  Attribute encoding;
  if (parseSizes(parser, ranked, sizes) || parser.parseComma())
    return {};
  if (failed(parser.parseOptionalKeyword("unk")) && parser.parseType(dtype))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseAttribute(encoding))
    return {};
  if (parser.parseGreater())
    return {};
  std::optional<ArrayRef<int64_t>> shape;
  if (ranked)
    shape = sizes;
  return TensorT::get(context, shape, dtype, encoding);
}

template <typename TensorT>
static void printTensorType(AsmPrinter &printer, TensorT type) {
  if (!type.hasSizes() && !type.hasDtype())
    return;
  printer << '<';
  if (type.hasSizes()) {
    printer << '[';
    llvm::interleave(
        type.getSizes(), printer.getStream(),
        [&](int64_t size) {
          if (ShapedType::isDynamic(size))
            printer << '?';
          else
            printer << size;
        },
        ",");
    printer << ']';
  } else {
    printer << '*';
  }
  printer << ',';
  if (type.hasDtype())
    printer << type.getDtype();
  else
    printer << "unk";
  if (type.getEncoding())
    printer << ',' << type.getEncoding();
  printer << '>';
}

template <typename TensorT>
static TensorType toBuiltinTensorType(TensorT type) {
  if (!type.hasDtype())
    return {};
  Type element = toBuiltinElementType(type.getDtype());
  if (!element)
    return {};
  if (!type.hasSizes())
    return UnrankedTensorType::get(element);
  return RankedTensorType::get(type.getSizes(), element, type.getEncoding());
}

Type ValueTensorType::parse(AsmParser &parser) {
  return parseTensorType<ValueTensorType>(parser);
}
void ValueTensorType::print(AsmPrinter &printer) const {
  printTensorType(printer, *this);
}
TensorType ValueTensorType::toBuiltin(ValueTensorType type) {
  return toBuiltinTensorType(type);
}
Type NonValueTensorType::parse(AsmParser &parser) {
  return parseTensorType<NonValueTensorType>(parser);
}
void NonValueTensorType::print(AsmPrinter &printer) const {
  printTensorType(printer, *this);
}
TensorType NonValueTensorType::toBuiltin(NonValueTensorType type) {
  return toBuiltinTensorType(type);
}

//===-- BaseTensorType ----------------------------------------------------===//

template <typename Fn>
static auto visitTensor(Type type, Fn fn) {
  if (auto value = dyn_cast<ValueTensorType>(type))
    return fn(value);
  return fn(cast<NonValueTensorType>(type));
}

bool BaseTensorType::classof(Type type) {
  return isa<ValueTensorType, NonValueTensorType>(type);
}
bool BaseTensorType::hasSizes() const {
  return visitTensor(*this, [](auto type) { return type.hasSizes(); });
}
ArrayRef<int64_t> BaseTensorType::getSizes() const {
  return visitTensor(*this, [](auto type) { return type.getSizes(); });
}
std::optional<ArrayRef<int64_t>> BaseTensorType::getOptionalSizes() const {
  return visitTensor(*this, [](auto type) { return type.getOptionalSizes(); });
}
bool BaseTensorType::hasDtype() const {
  return visitTensor(*this, [](auto type) { return type.hasDtype(); });
}
Type BaseTensorType::getDtype() const {
  return visitTensor(*this, [](auto type) { return type.getDtype(); });
}
Type BaseTensorType::getOptionalDtype() const {
  return visitTensor(*this, [](auto type) { return type.getOptionalDtype(); });
}
Attribute BaseTensorType::getEncoding() const {
  return visitTensor(*this, [](auto type) { return type.getEncoding(); });
}
TensorType BaseTensorType::toBuiltinTensor() const {
  return visitTensor(*this, [](auto type) { return type.toBuiltinTensor(); });
}
Type BaseTensorType::getWithSizesAndDtype(
    std::optional<ArrayRef<int64_t>> sizes, Type dtype) const {
  return visitTensor(*this, [&](auto type) -> Type {
    return decltype(type)::get(getContext(), sizes, dtype, type.getEncoding());
  });
}

void TorchDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/Dialect/Torch/IR/TorchTypes.cpp.inc"
      >();
}

} // namespace ferrule::torch
