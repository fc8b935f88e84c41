// A function of the file as a function of the byre stage.
#include "compiler/Export/FunctionReader.h"
#include "compiler/Export/ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace ferrule;

static StringRef toRef(const flatbuffers::String *text) {
  return text ? StringRef(text->c_str(), text->size()) : StringRef();
}

static SmallVector<int64_t> toShape(const flatbuffers::Vector<int64_t> *dims) {
  SmallVector<int64_t> shape;
  for (uint32_t i = 0; dims && i < dims->size(); ++i)
    shape.push_back(dims->Get(i) < 0 ? ShapedType::kDynamic : dims->Get(i));
  return shape;
}

FailureOr<MemRefType>
FunctionReader::bufferType(const flatbuffers::Vector<int64_t> *dims,
                           format::ElementType element) {
  Type type = convertElementType(element, builder.getContext());
  if (!type)
    return error("has a buffer of a type that IR lacks");
  return MemRefType::get(toShape(dims), type);
}

InFlightDiagnostic FunctionReader::error(const llvm::Twine &message) {
  return emitError(tables.location(source.location()))
         << "function '" << toRef(source.name()) << "' " << message;
}

/// The attributes of an argument or result.
static DictionaryAttr readValue(const format::Value &value, Type element,
                                Builder &builder) {
  SmallVector<NamedAttribute> attributes;
  auto add = [&](StringRef name, Attribute attribute) {
    attributes.push_back(builder.getNamedAttr(name, attribute));
  };
  add("ferrule.name", builder.getStringAttr(toRef(value.name())));
  if (value.dim_expressions() && value.dim_expressions()->size() != 0) {
    SmallVector<StringRef> dims;
    for (const flatbuffers::String *text : *value.dim_expressions())
      dims.push_back(toRef(text));
    add("ferrule.dims", builder.getStrArrayAttr(dims));
  }
  Type own = convertElementType(value.element_type(), builder.getContext());
  if (own && own != element)
    add("ferrule.type", TypeAttr::get(own));
  if (value.alias_input() >= 0)
    add("ferrule.alias_input", builder.getI64IntegerAttr(value.alias_input()));
  return builder.getDictionaryAttr(attributes);
}

/// Registers hold signless integers whatever the caller sees.
static Type toSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && !integer.isSignless()
             ? IntegerType::get(type.getContext(), integer.getWidth())
             : type;
}

FailureOr<FunctionType>
FunctionReader::readSignature(SmallVectorImpl<DictionaryAttr> &argumentAttrs,
                              SmallVectorImpl<DictionaryAttr> &resultAttrs) {
  SmallVector<Type> inputs, results;
  const format::Block &entry = *source.blocks()->Get(0);
  for (uint32_t i = 0; i < sizeOf(entry.buffer_arguments()); ++i) {
    inputs.push_back(bufferTypes[entry.buffer_arguments()->Get(i)]);
    argumentAttrs.push_back(
        readValue(*source.inputs()->Get(i),
                  cast<MemRefType>(inputs.back()).getElementType(), builder));
  }
  for (uint32_t i = 0; i < sizeOf(entry.scalar_arguments()); ++i) {
    inputs.push_back(scalarType(entry.scalar_arguments()->Get(i)));
    argumentAttrs.push_back(builder.getDictionaryAttr({}));
  }
  for (uint32_t i = 0; i < sizeOf(source.outputs()); ++i) {
    const format::Value &value = *source.outputs()->Get(i);
    FailureOr<MemRefType> type = bufferType(value.dims(), value.element_type());
    if (failed(type))
      return failure();
    Type element = toSignless(type->getElementType());
    results.push_back(MemRefType::get(type->getShape(), element));
    resultAttrs.push_back(readValue(value, element, builder));
  }
  for (uint32_t i = 0; i < sizeOf(source.scalar_results()); ++i) {
    results.push_back(convertScalarType(
        static_cast<format::ScalarType>(source.scalar_results()->Get(i)),
        builder.getContext()));
    resultAttrs.push_back(builder.getDictionaryAttr({}));
  }
  return builder.getFunctionType(inputs, results);
}

LogicalResult FunctionReader::read() {
  for (uint32_t i = 0; i < sizeOf(source.buffer_registers()); ++i) {
    const format::BufferType &type = *source.buffer_registers()->Get(i);
    FailureOr<MemRefType> converted =
        bufferType(type.dims(), type.element_type());
    if (failed(converted))
      return failure();
    bufferTypes.push_back(*converted);
  }
  buffers.resize(bufferTypes.size());
  scalars.resize(sizeOf(source.scalar_registers()));
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  FailureOr<FunctionType> type = readSignature(argumentAttrs, resultAttrs);
  if (failed(type))
    return failure();
  Location loc = tables.location(source.location());
  function = func::FuncOp::create(builder, loc, toRef(source.name()), *type);
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  if (!source.exported())
    function.setPrivate();
  if (source.static_arena())
    function->setAttr(byre::kArenaAttr,
                      builder.getI64IntegerAttr(source.static_arena()));
  if (toRef(source.input_nesting()).size())
    function->setAttr("ferrule.input_nesting",
                      builder.getStringAttr(toRef(source.input_nesting())));
  if (toRef(source.output_nesting()).size())
    function->setAttr("ferrule.output_nesting",
                      builder.getStringAttr(toRef(source.output_nesting())));
  OpBuilder::InsertionGuard guard(builder);
  return readBody(loc);
}

LogicalResult FunctionReader::readBody(Location loc) {
  for (const format::Block *from : *source.blocks()) {
    Block *block = &function.getBody().emplaceBlock();
    blocks.push_back(block);
    for (uint32_t i = 0; i < sizeOf(from->buffer_arguments()); ++i) {
      uint32_t number = from->buffer_arguments()->Get(i);
      if (failed(
              setBuffer(number, block->addArgument(bufferTypes[number], loc))))
        return failure();
    }
    for (uint32_t i = 0; i < sizeOf(from->scalar_arguments()); ++i) {
      uint32_t number = from->scalar_arguments()->Get(i);
      if (failed(
              setScalar(number, block->addArgument(scalarType(number), loc))))
        return failure();
    }
  }
  builder.setInsertionPointToEnd(blocks.front());
  for (uint32_t i = 0; i < sizeOf(source.scalar_constants()); ++i)
    if (failed(readConstant(*source.scalar_constants()->Get(i), loc)))
      return failure();
  for (auto [block, from] : llvm::zip_equal(blocks, *source.blocks())) {
    builder.setInsertionPointToEnd(block);
    for (uint32_t i = 0; i < from->instructions()->size(); ++i)
      if (failed(readInstruction(*from->instructions(), i)))
        return failure();
  }
  return success();
}

LogicalResult
FunctionReader::readConstant(const format::ScalarConstant &constant,
                             Location loc) {
  Type type = scalarType(constant.scalar());
  int64_t bits = constant.value();
  TypedAttr value;
  if (type.isF64())
    value = FloatAttr::get(type, llvm::bit_cast<double>(bits));
  else if (type.isF32())
    value = FloatAttr::get(
        type, APFloat(llvm::bit_cast<float>(static_cast<int32_t>(bits))));
  else if (type.isInteger(1))
    value = builder.getBoolAttr(bits & 1);
  else
    value = builder.getI64IntegerAttr(bits);
  return setScalar(constant.scalar(),
                   arith::ConstantOp::create(builder, loc, value));
}

Type FunctionReader::scalarType(uint32_t number) const {
  return convertScalarType(
      static_cast<format::ScalarType>(source.scalar_registers()->Get(number)),
      builder.getContext());
}

LogicalResult FunctionReader::setBuffer(uint32_t number, Value value) {
  if (buffers[number])
    return error("sets buffer register " + Twine(number) +
                 " twice, which IR has no form for");
  buffers[number] = value;
  return success();
}

LogicalResult FunctionReader::setScalar(uint32_t number, Value value) {
  if (scalars[number])
    return error("sets scalar register " + Twine(number) +
                 " twice, which IR has no form for");
  scalars[number] = value;
  return success();
}

FailureOr<Value> FunctionReader::buffer(uint32_t number) {
  if (!buffers[number])
    return error("uses buffer register " + Twine(number) + " before it is set");
  return buffers[number];
}

FailureOr<Value> FunctionReader::scalar(uint32_t number) {
  if (!scalars[number])
    return error("uses scalar register " + Twine(number) + " before it is set");
  return scalars[number];
}

FailureOr<SmallVector<Value>>
FunctionReader::readBuffers(const Registers *numbers) {
  SmallVector<Value> values;
  for (uint32_t i = 0; i < sizeOf(numbers); ++i) {
    FailureOr<Value> value = buffer(numbers->Get(i));
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

FailureOr<SmallVector<Value>>
FunctionReader::readScalars(const Registers *numbers) {
  SmallVector<Value> values;
  for (uint32_t i = 0; i < sizeOf(numbers); ++i) {
    FailureOr<Value> value = scalar(numbers->Get(i));
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

FailureOr<SmallVector<Value>>
FunctionReader::readIndices(const Registers *numbers, Location loc) {
  FailureOr<SmallVector<Value>> values = readScalars(numbers);
  if (succeeded(values))
    for (Value &value : *values)
      value = toIndex(value, loc);
  return values;
}

Value FunctionReader::toIndex(Value value, Location loc) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}

LogicalResult ferrule::readFunction(const format::Function &function,
                                    const format::Program &program,
                                    const ReaderTables &tables,
                                    OpBuilder &builder) {
  return FunctionReader(function, program, tables, builder).read();
}
