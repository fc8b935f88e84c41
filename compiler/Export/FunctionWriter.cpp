// Signatures, registers and blocks.
#include "compiler/Export/FunctionWriter.h"
#include "compiler/Export/ElementTypes.h"

using namespace mlir;
using namespace ferrule;

FailureOr<std::unique_ptr<format::FunctionT>> FunctionWriter::write() {
  result = std::make_unique<format::FunctionT>();
  result->name = function.getName().str();
  result->exported = function.isPublic();
  result->location = tables.locations.intern(function.getLoc());
  if (auto arena = function->getAttrOfType<IntegerAttr>(byre::kArenaAttr))
    result->static_arena = arena.getInt();
  if (auto text = function->getAttrOfType<StringAttr>("ferrule.input_nesting"))
    result->input_nesting = text.str();
  if (auto text = function->getAttrOfType<StringAttr>("ferrule.output_nesting"))
    result->output_nesting = text.str();
  if (failed(writeSignature()) || failed(defineArguments()))
    return failure();
  defineConstants();
  for (Block &source : function.getBody())
    if (failed(writeBlock(source)))
      return failure();
  return std::move(result);
}

/// Adds the names in a dim expression to `symbols`.
static void collectSymbols(StringRef expression, ProgramTables &tables) {
  static const llvm::StringLiteral words[] = {"floordiv", "ceildiv", "mod",
                                              "min", "max"};
  auto isNamePart = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  };
  while (!expression.empty()) {
    StringRef name = expression.take_while(isNamePart);
    if (!name.empty() && !llvm::isDigit(name.front()) &&
        !llvm::is_contained(words, name))
      tables.symbols.insert(name.str());
    expression = expression.drop_front(std::max<size_t>(name.size(), 1));
  }
}

LogicalResult FunctionWriter::writeValue(Type type, DictionaryAttr attributes,
                                         std::string defaultName,
                                         format::ValueT &value) {
  auto buffer = cast<MemRefType>(type);
  Type element = buffer.getElementType();
  value.name = std::move(defaultName);
  if (attributes) {
    if (auto name = attributes.getAs<StringAttr>("ferrule.name"))
      value.name = name.str();
    if (auto userType = attributes.getAs<TypeAttr>("ferrule.type"))
      element = userType.getValue();
    if (auto input = attributes.getAs<IntegerAttr>("ferrule.alias_input"))
      value.alias_input = static_cast<int32_t>(input.getInt());
    auto dims = attributes.getAs<ArrayAttr>("ferrule.dims");
    bool any = dims && llvm::any_of(dims.getAsRange<StringAttr>(),
                                    [](StringAttr s) { return !s.empty(); });
    if (any && static_cast<int64_t>(dims.size()) != buffer.getRank())
      return function.emitOpError("expected ")
             << buffer.getRank() << " names in 'ferrule.dims' of '"
             << value.name << "', found " << dims.size();
    if (any)
      for (auto text : dims.getAsRange<StringAttr>()) {
        collectSymbols(text, tables);
        value.dim_expressions.push_back(text.str());
      }
  }
  std::optional<format::ElementType> converted = convertElementType(element);
  if (!converted)
    return function.emitOpError("has an argument or result of element type ")
           << element << ", which cannot be stored";
  value.element_type = *converted;
  for (int64_t size : buffer.getShape())
    value.dims.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return success();
}

LogicalResult FunctionWriter::writeSignature() {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isa<MemRefType>(type))
      continue;
    auto value = std::make_unique<format::ValueT>();
    if (failed(writeValue(type, function.getArgAttrDict(i),
                          "input" + std::to_string(i), *value)))
      return failure();
    result->inputs.push_back(std::move(value));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    if (isa<MemRefType>(type)) {
      auto value = std::make_unique<format::ValueT>();
      if (failed(writeValue(type, function.getResultAttrDict(i),
                            "output" + std::to_string(i), *value)))
        return failure();
      result->outputs.push_back(std::move(value));
    } else if (std::optional<format::ScalarType> scalar =
                   convertScalarType(type)) {
      result->scalar_results.push_back(*scalar);
    } else {
      return function.emitOpError("has a result of type ")
             << type << ", which cannot be stored";
    }
  }
  bool scalars = result->inputs.size() != function.getNumArguments() ||
                 !result->scalar_results.empty();
  if (result->exported && scalars)
    return function.emitOpError("is public: expected tensors as arguments and "
                                "results, found scalars");
  return success();
}

FunctionWriter::Registers FunctionWriter::select(ValueRange values,
                                                 bool buffers) const {
  Registers selected;
  for (Value value : values)
    if (isa<MemRefType>(value.getType()) == buffers)
      selected.push_back(registers.at(value));
  return selected;
}

LogicalResult FunctionWriter::define(Value value, Operation *op) {
  if (auto buffer = dyn_cast<MemRefType>(value.getType())) {
    std::optional<format::ElementType> element =
        convertElementType(buffer.getElementType());
    if (!element || !buffer.getLayout().isIdentity())
      return op->emitOpError("has a buffer of type ")
             << buffer << ", which cannot be stored";
    auto type = std::make_unique<format::BufferTypeT>();
    type->element_type = *element;
    for (int64_t size : buffer.getShape())
      type->dims.push_back(ShapedType::isDynamic(size) ? -1 : size);
    registers[value] = static_cast<uint32_t>(result->buffer_registers.size());
    result->buffer_registers.push_back(std::move(type));
    return success();
  }
  std::optional<format::ScalarType> scalar = convertScalarType(value.getType());
  if (!scalar)
    return op->emitOpError("has a value of type ")
           << value.getType()
           << ": expected a buffer or a scalar of index, i1, i8 to i64, f32 or "
              "f64";
  registers[value] = addScalar(*scalar);
  return success();
}

uint32_t FunctionWriter::addScalar(format::ScalarType type) {
  result->scalar_registers.push_back(type);
  return static_cast<uint32_t>(result->scalar_registers.size() - 1);
}

uint32_t FunctionWriter::addConstant(format::ScalarType type, int64_t bits) {
  auto [entry, isNew] =
      constants.try_emplace({static_cast<unsigned>(type), bits}, 0);
  if (isNew) {
    entry->second = addScalar(type);
    result->scalar_constants.push_back({entry->second, bits});
  }
  return entry->second;
}

LogicalResult FunctionWriter::defineArguments() {
  for (Block &source : function.getBody()) {
    blocks[&source] = static_cast<uint32_t>(result->blocks.size());
    auto converted = std::make_unique<format::BlockT>();
    for (BlockArgument argument : source.getArguments())
      if (failed(define(argument, function)))
        return failure();
    converted->buffer_arguments = select(source.getArguments(), true);
    converted->scalar_arguments = select(source.getArguments(), false);
    result->blocks.push_back(std::move(converted));
  }
  return success();
}

/// The bits of a register that holds the constant.
static std::optional<int64_t> getConstantBits(TypedAttr value) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getType().isInteger(1))
      return integer.getValue().getBoolValue() ? 1 : 0;
    return integer.getValue().getSExtValue();
  }
  auto real = dyn_cast<FloatAttr>(value);
  if (!real)
    return std::nullopt;
  APFloat converted = real.getValue();
  bool inexact;
  converted.convert(real.getType().isF64() ? APFloat::IEEEdouble()
                                           : APFloat::IEEEsingle(),
                    APFloat::rmNearestTiesToEven, &inexact);
  return static_cast<int64_t>(converted.bitcastToAPInt().getZExtValue());
}

void FunctionWriter::defineConstants() {
  // All before the first instruction, so that the numbers of registers do not
  // depend on where a constant stands.
  function.walk([&](arith::ConstantOp op) {
    std::optional<format::ScalarType> type = convertScalarType(op.getType());
    std::optional<int64_t> bits = getConstantBits(op.getValue());
    if (type && bits)
      registers[op.getResult()] = addConstant(*type, *bits);
  });
}

LogicalResult FunctionWriter::writeBlock(Block &source) {
  block = result->blocks[blocks.at(&source)].get();
  for (Operation &op : source)
    if (failed(writeOp(op)))
      return failure();
  return success();
}
