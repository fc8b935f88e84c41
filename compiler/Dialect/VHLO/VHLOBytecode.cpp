// Decodes types and attributes; the codes are those of the file format.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOBytecode.h"
#include "compiler/Dialect/VHLO/VHLO.h"
#include "compiler/Dialect/VHLO/Wrappers.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace ferrule::stablehlo;
using ferrule::vhlo::VHLODialect;

namespace {

using Reader = DialectBytecodeReader;

LogicalResult readTypeList(Reader &reader, SmallVectorImpl<Type> &list) {
  return readElements<Type>(reader, list,
                            [&](Type &type) { return reader.readType(type); });
}

LogicalResult readAttributeList(Reader &reader,
                                SmallVectorImpl<Attribute> &list) {
  return readElements<Attribute>(reader, list, [&](Attribute &attribute) {
    return reader.readAttribute(attribute);
  });
}

struct VHLOReader : public BytecodeDialectInterface {
  explicit VHLOReader(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(Reader &reader) const override;
  Type readType(Reader &reader) const override;
  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const override {
    return ferrule::vhlo::encode(attribute, writer);
  }
  LogicalResult writeType(Type type,
                          DialectBytecodeWriter &writer) const override {
    return ferrule::vhlo::encode(type, writer);
  }

private:
  Attribute readNumber(Reader &reader, uint64_t code) const;
  Attribute readEnum(Reader &reader, uint64_t code) const;
  Attribute readComposite(Reader &reader, uint64_t code) const;
  Attribute readTensor(Reader &reader) const;
  Attribute readMesh(Reader &reader, uint64_t code) const;
  Type readScalarType(uint64_t code) const;
  Type readQuantized(Reader &reader, bool perAxis) const;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type VHLOReader::readScalarType(uint64_t code) const {
  MLIRContext *context = getContext();
  auto integer = [&](unsigned width, bool isUnsigned = false) -> Type {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  switch (code) {
  case 0:
    return integer(1);
  case 2:
    return BFloat16Type::get(context);
  case 3:
    return Float16Type::get(context);
  case 4:
    return Float32Type::get(context);
  case 5:
    return Float64Type::get(context);
  case 6:
    return Float8E4M3FNType::get(context);
  case 7:
    return Float8E5M2Type::get(context);
  case 9:
    return IndexType::get(context);
  case 10:
    return integer(4);
  case 11:
    return integer(8);
  case 12:
    return integer(16);
  case 13:
    return integer(32);
  case 14:
    return integer(64);
  case 15:
    return integer(4, true);
  case 16:
    return integer(8, true);
  case 17:
    return integer(16, true);
  case 18:
    return integer(32, true);
  case 19:
    return integer(64, true);
  case 22:
    return TokenType::get(context);
  case 27:
    return Float8E4M3FNUZType::get(context);
  case 28:
    return Float8E5M2FNUZType::get(context);
  case 29:
    return Float8E4M3B11FNUZType::get(context);
  case 31:
    return integer(2);
  case 32:
    return integer(2, true);
  case 33:
    return NoneType::get(context);
  case 34:
    return FloatTF32Type::get(context);
  case 35:
    return Float8E4M3Type::get(context);
  case 36:
    return Float8E3M4Type::get(context);
  case 37:
    return Float4E2M1FNType::get(context);
  case 38:
    return Float6E2M3FNType::get(context);
  case 39:
    return Float6E3M2FNType::get(context);
  case 40:
    return Float8E8M0FNUType::get(context);
  default:
    return {};
  }
}

/// flags, storage, expressed, [axis,] scales, zero points, range
Type VHLOReader::readQuantized(Reader &reader, bool perAxis) const {
  uint64_t flags = 0, axis = 0;
  int64_t low = 0, high = 0, zeroPoint = 0;
  Type storage, expressed;
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) ||
      failed(reader.readType(expressed)))
    return {};
  auto readScale = [&](APFloat &scale) -> LogicalResult {
    FailureOr<APFloat> value =
        reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    if (failed(value))
      return failure();
    scale = *value;
    return success();
  };
  if (!perAxis) {
    APFloat scale(0.0);
    if (failed(readScale(scale)) ||
        failed(reader.readSignedVarInt(zeroPoint)) ||
        failed(reader.readSignedVarInt(low)) ||
        failed(reader.readSignedVarInt(high)))
      return {};
    return quant::UniformQuantizedType::getChecked(
        [&] { return reader.emitError(); }, flags, storage, expressed,
        scale.convertToDouble(), zeroPoint, low, high);
  }
  SmallVector<APFloat> scales;
  SmallVector<int64_t> zeroPoints;
  auto readEntry = [&](APFloat &scale) { return readScale(scale); };
  uint64_t count = 0;
  if (failed(reader.readVarInt(axis)) || failed(reader.readSignedVarInt(low)) ||
      failed(reader.readSignedVarInt(high)) || failed(reader.readVarInt(count)))
    return {};
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readEntry(scales.emplace_back(0.0))))
      return {};
  if (failed(readSizes(reader, zeroPoints)))
    return {};
  auto doubles = llvm::map_to_vector(
      scales, [](const APFloat &scale) { return scale.convertToDouble(); });
  return quant::UniformQuantizedPerAxisType::getChecked(
      [&] { return reader.emitError(); }, flags, storage, expressed, doubles,
      zeroPoints, axis, low, high);
}

Type VHLOReader::readType(Reader &reader) const {
  uint64_t code = 0;
  Type type;
  SmallVector<int64_t> shape;
  SmallVector<Type> types, results;
  Attribute encoding;
  auto error = [&] { return reader.emitError(); };
  if (failed(reader.readVarInt(code)))
    return {};
  if (Type scalar = readScalarType(code))
    return scalar;
  switch (code) {
  case 1:
    return failed(reader.readType(type)) ? Type()
                                         : ComplexType::getChecked(error, type);
  case 8:
    if (failed(readTypeList(reader, types)) ||
        failed(readTypeList(reader, results)))
      return {};
    return FunctionType::get(getContext(), types, results);
  case 20:
    if (failed(readSizes(reader, shape)) || failed(reader.readType(type)))
      return {};
    return RankedTensorType::getChecked(error, shape, type);
  case 21:
    if (failed(reader.readAttribute(encoding)) ||
        failed(readSizes(reader, shape)) || failed(reader.readType(type)))
      return {};
    return RankedTensorType::getChecked(error, shape, type, encoding);
  case 23:
    return failed(readTypeList(reader, types))
               ? Type()
               : TupleType::get(getContext(), types);
  case 24:
    return readQuantized(reader, /*perAxis=*/false);
  case 25:
    return failed(reader.readType(type))
               ? Type()
               : UnrankedTensorType::getChecked(error, type);
  case 30:
    return readQuantized(reader, /*perAxis=*/true);
  case 41:
    if (failed(readSizes(reader, shape)) || failed(reader.readType(type)))
      return {};
    return MemRefType::getChecked(error, shape, type);
  case 42:
    return failed(readTypeList(reader, types))
               ? Type()
               : FutureType::get(getContext(), types);
  default:
    reader.emitError() << "found unknown vhlo type code " << code;
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute VHLOReader::readNumber(Reader &reader, uint64_t code) const {
  Type type;
  if (code == 2) {
    uint64_t value = 0;
    if (failed(reader.readVarInt(value)))
      return {};
    return BoolAttr::get(getContext(), value != 0);
  }
  if (failed(reader.readType(type)))
    return {};
  if (code == 8) {
    auto floatType = dyn_cast<FloatType>(type);
    if (!floatType)
      return {};
    FailureOr<APFloat> value =
        reader.readAPFloatWithKnownSemantics(floatType.getFloatSemantics());
    return failed(value) ? Attribute() : FloatAttr::get(type, *value);
  }
  if (!isa<IndexType, IntegerType>(type)) {
    reader.emitError() << "found a number of type " << type;
    return {};
  }
  unsigned width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  FailureOr<APInt> value = reader.readAPIntWithKnownWidth(width);
  return failed(value) ? Attribute() : IntegerAttr::get(type, *value);
}

template <typename AttrT, typename EnumT>
static Attribute makeEnum(MLIRContext *context, std::optional<EnumT> value) {
  return value ? Attribute(AttrT::get(context, *value)) : Attribute();
}

Attribute VHLOReader::readEnum(Reader &reader, uint64_t code) const {
  MLIRContext *context = getContext();
  uint64_t value = 0;
  if (failed(reader.readVarInt(value)))
    return {};
  switch (code) {
  case 3:
    return makeEnum<ComparisonDirectionAttr>(
        context, symbolizeComparisonDirection(value));
  case 4:
    return makeEnum<ComparisonTypeAttr>(context,
                                        symbolizeComparisonType(value));
  case 5:
    return makeEnum<CustomCallApiVersionAttr>(
        context, symbolizeCustomCallApiVersion(value));
  case 7:
    return makeEnum<FftTypeAttr>(context, symbolizeFftType(value));
  case 11:
    return makeEnum<PrecisionAttr>(context, symbolizePrecision(value));
  case 12:
    return makeEnum<RngAlgorithmAttr>(context, symbolizeRngAlgorithm(value));
  case 13:
    return makeEnum<RngDistributionAttr>(context,
                                         symbolizeRngDistribution(value));
  case 16:
    return makeEnum<TransposeAttr>(context, symbolizeTranspose(value));
  case 19:
    return makeEnum<ResultAccuracyModeAttr>(context,
                                            symbolizeResultAccuracyMode(value));
  default:
    return {};
  }
}

/// A tensor's bytes. Booleans are packed by 8, or one a byte in old files.
Attribute VHLOReader::readTensor(Reader &reader) const {
  Type type;
  ArrayRef<char> blob;
  if (failed(reader.readType(type)) || failed(reader.readBlob(blob)))
    return {};
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return {};
  int64_t count = shaped.getNumElements();
  SmallVector<char> packed;
  if (shaped.getElementType().isInteger(1) &&
      static_cast<int64_t>(blob.size()) == count &&
      (count > 1 || (count == 1 && blob[0] == 1))) {
    packed.assign(llvm::divideCeil(count, 8), 0);
    for (int64_t i = 0; i < count; ++i)
      packed[i / 8] |= (blob[i] != 0) << (i % 8);
    if (count == 1)
      packed[0] = static_cast<char>(0xff);
    blob = packed;
  }
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(shaped, blob, isSplat)) {
    reader.emitError() << "found " << blob.size() << " bytes for a constant of "
                       << "type " << shaped;
    return {};
  }
  return DenseElementsAttr::getFromRawBuffer(shaped, blob);
}

Attribute VHLOReader::readComposite(Reader &reader, uint64_t code) const {
  MLIRContext *context = getContext();
  SmallVector<Attribute> list;
  SmallVector<int64_t> first, second;
  int64_t number = 0;
  switch (code) {
  case 1:
    return failed(readAttributeList(reader, list))
               ? Attribute()
               : ArrayAttr::get(context, list);
  case 6: {
    SmallVector<NamedAttribute> entries;
    uint64_t count = 0;
    if (failed(reader.readVarInt(count)))
      return {};
    for (uint64_t i = 0; i < count; ++i) {
      StringAttr name;
      Attribute value;
      if (failed(reader.readAttribute(name)) ||
          failed(reader.readAttribute(value)))
        return {};
      entries.emplace_back(name, value);
    }
    return DictionaryAttr::get(context, entries);
  }
  case 10:
    if (failed(readSizes(reader, first)) ||
        failed(reader.readSignedVarInt(number)) ||
        failed(readSizes(reader, second)))
      return {};
    return OutputOperandAliasAttr::get(context, first, number, second);
  case 18:
    return failed(readSizes(reader, first))
               ? Attribute()
               : TypeExtensionsAttr::get(context, first);
  case 20: {
    auto atol = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    auto rtol = reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    ResultAccuracyModeAttr mode;
    if (failed(atol) || failed(rtol) ||
        failed(reader.readSignedVarInt(number)) ||
        failed(reader.readAttribute(mode)))
      return {};
    return ResultAccuracyAttr::get(context, *atol, *rtol, number, mode);
  }
  default:
    return {};
  }
}

Attribute VHLOReader::readMesh(Reader &reader, uint64_t code) const {
  MLIRContext *context = getContext();
  int64_t a = 0, b = 0;
  uint64_t present = 0;
  StringAttr name;
  ArrayAttr axes;
  Attribute extra;
  if (code == 21)
    return failed(reader.readSignedVarInt(a)) ||
                   failed(reader.readSignedVarInt(b))
               ? Attribute()
               : SubAxisInfoAttr::get(context, a, b);
  if (code == 25)
    return failed(reader.readAttribute(axes)) ||
                   failed(reader.readOptionalAttribute(extra))
               ? Attribute()
               : MeshAttr::get(context, axes,
                               dyn_cast_or_null<DenseIntElementsAttr>(extra));
  if (failed(reader.readAttribute(name)))
    return {};
  if (code == 22) {
    if (failed(reader.readVarInt(present)) ||
        (present && failed(reader.readAttribute(extra))))
      return {};
    return AxisRefAttr::get(context, name,
                            dyn_cast_or_null<SubAxisInfoAttr>(extra));
  }
  if (code == 23)
    return failed(reader.readAttribute(axes))
               ? Attribute()
               : ReplicaGroupMeshAxesAttr::get(
                     context, FlatSymbolRefAttr::get(name), axes);
  return failed(reader.readSignedVarInt(a))
             ? Attribute()
             : MeshAxisAttr::get(context, name, a);
}

Attribute VHLOReader::readAttribute(Reader &reader) const {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case 2:
  case 8:
  case 9:
    return readNumber(reader, code);
  case 3:
  case 4:
  case 5:
  case 7:
  case 11:
  case 12:
  case 13:
  case 16:
  case 19:
    return readEnum(reader, code);
  case 1:
  case 6:
  case 10:
  case 18:
  case 20:
    return readComposite(reader, code);
  case 14: {
    StringRef text;
    return failed(reader.readString(text))
               ? Attribute()
               : StringAttr::get(getContext(), text);
  }
  case 15:
    return readTensor(reader);
  case 17: {
    Type type;
    return failed(reader.readType(type)) ? Attribute() : TypeAttr::get(type);
  }
  case 21:
  case 22:
  case 23:
  case 24:
  case 25:
    return readMesh(reader, code);
  default:
    reader.emitError() << "found unknown vhlo attribute code " << code;
    return {};
  }
}

} // namespace

void ferrule::vhlo::addBytecodeInterface(VHLODialect &dialect) {
  dialect.addInterfaces<VHLOReader>();
}
