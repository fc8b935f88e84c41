// The dialect's own bytecode: a code for each attribute and type, then its
// fields in their order. What JAX's caches and `ferrule-opt --emit-bytecode`
// hold; files that must outlive a version are portable artifacts.
#include "compiler/Dialect/StableHLO/IR/StableHLOBytecode.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule::stablehlo;

namespace {

using Reader = DialectBytecodeReader;
using Writer = DialectBytecodeWriter;

enum AttributeCode : uint64_t {
  kChannelHandle = 1,
  kComparisonDirection,
  kComparisonType,
  kConvDimensionNumbers,
  kDotDimensionNumbers,
  kFftType,
  kGatherDimensionNumbers,
  kPrecision,
  kRngAlgorithm,
  kRngDistribution,
  kScatterDimensionNumbers,
  kTranspose,
  kTypeExtensions,
  kOutputOperandAlias,
  kDotAlgorithm,
  kResultAccuracyMode,
  kResultAccuracy,
  kReplicaGroupMeshAxes,
  kSubAxisInfo,
  kAxisRef,
  kMeshAxis,
  kMesh,
};

enum TypeCode : uint64_t { kToken, kFuture };

struct StableHLOBytecode : BytecodeDialectInterface {
  explicit StableHLOBytecode(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(Reader &reader) const override;
  Type readType(Reader &reader) const override;
  LogicalResult writeAttribute(Attribute attribute,
                               Writer &writer) const override;
  LogicalResult writeType(Type type, Writer &writer) const override;

private:
  Attribute readEnum(Reader &reader, uint64_t code) const;
  Attribute readDimensions(Reader &reader, uint64_t code) const;
  Attribute readConv(Reader &reader) const;
  Attribute readAlgorithm(Reader &reader) const;
  Attribute readAccuracy(Reader &reader) const;
  Attribute readMesh(Reader &reader, uint64_t code) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Attribute StableHLOBytecode::readEnum(Reader &reader, uint64_t code) const {
  switch (code) {
  case kComparisonDirection:
    return readEnumAttr<ComparisonDirectionAttr>(reader,
                                                 symbolizeComparisonDirection);
  case kComparisonType:
    return readEnumAttr<ComparisonTypeAttr>(reader, symbolizeComparisonType);
  case kFftType:
    return readEnumAttr<FftTypeAttr>(reader, symbolizeFftType);
  case kPrecision:
    return readEnumAttr<PrecisionAttr>(reader, symbolizePrecision);
  case kRngAlgorithm:
    return readEnumAttr<RngAlgorithmAttr>(reader, symbolizeRngAlgorithm);
  case kRngDistribution:
    return readEnumAttr<RngDistributionAttr>(reader, symbolizeRngDistribution);
  case kTranspose:
    return readEnumAttr<TransposeAttr>(reader, symbolizeTranspose);
  case kResultAccuracyMode:
    return readEnumAttr<ResultAccuracyModeAttr>(reader,
                                                symbolizeResultAccuracyMode);
  default:
    return {};
  }
}

/// Those that are lists of dimensions, some with a number at the end.
Attribute StableHLOBytecode::readDimensions(Reader &reader,
                                            uint64_t code) const {
  SmallVector<int64_t> lists[5];
  int64_t last = 0;
  unsigned count = code == kDotDimensionNumbers ? 4 : 5;
  for (unsigned i = 0; i < count; ++i)
    if (failed(readSizes(reader, lists[i])))
      return {};
  if (code == kDotDimensionNumbers)
    return DotDimensionNumbersAttr::get(getContext(), lists[0], lists[1],
                                        lists[2], lists[3]);
  if (failed(reader.readSignedVarInt(last)))
    return {};
  if (code == kGatherDimensionNumbers)
    return GatherDimensionNumbersAttr::get(getContext(), lists[0], lists[1],
                                           lists[2], lists[3], lists[4], last);
  return ScatterDimensionNumbersAttr::get(getContext(), lists[0], lists[1],
                                          lists[2], lists[3], lists[4], last);
}

Attribute StableHLOBytecode::readConv(Reader &reader) const {
  int64_t first[3], second[3];
  SmallVector<int64_t> spatial[3];
  for (unsigned i = 0; i < 3; ++i)
    if (failed(reader.readSignedVarInt(first[i])) ||
        failed(reader.readSignedVarInt(second[i])) ||
        failed(readSizes(reader, spatial[i])))
      return {};
  return ConvDimensionNumbersAttr::get(
      getContext(), first[0], second[0], spatial[0], first[1], second[1],
      spatial[1], first[2], second[2], spatial[2]);
}

Attribute StableHLOBytecode::readAlgorithm(Reader &reader) const {
  Type lhs, rhs, sum;
  int64_t lhsCount = 0, rhsCount = 0, products = 0;
  bool imprecise = false;
  if (failed(reader.readType(lhs)) || failed(reader.readType(rhs)) ||
      failed(reader.readType(sum)) ||
      failed(reader.readSignedVarInt(lhsCount)) ||
      failed(reader.readSignedVarInt(rhsCount)) ||
      failed(reader.readSignedVarInt(products)) ||
      failed(reader.readBool(imprecise)))
    return {};
  return DotAlgorithmAttr::get(getContext(), lhs, rhs, sum, lhsCount, rhsCount,
                               products, imprecise);
}

Attribute StableHLOBytecode::readAccuracy(Reader &reader) const {
  FailureOr<APFloat> atol =
      reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(atol))
    return {};
  FailureOr<APFloat> rtol =
      reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  if (failed(rtol) || failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode)))
    return {};
  return ResultAccuracyAttr::get(getContext(), *atol, *rtol, ulps, mode);
}

Attribute StableHLOBytecode::readMesh(Reader &reader, uint64_t code) const {
  StringAttr name;
  ArrayAttr axes;
  int64_t first = 0, second = 0;
  switch (code) {
  case kReplicaGroupMeshAxes: {
    FlatSymbolRefAttr mesh;
    if (failed(reader.readAttribute(mesh)) ||
        failed(reader.readAttribute(axes)))
      return {};
    return ReplicaGroupMeshAxesAttr::get(getContext(), mesh, axes);
  }
  case kSubAxisInfo:
    if (failed(reader.readSignedVarInt(first)) ||
        failed(reader.readSignedVarInt(second)))
      return {};
    return SubAxisInfoAttr::get(getContext(), first, second);
  case kAxisRef: {
    SubAxisInfoAttr part;
    bool hasPart = false;
    if (failed(reader.readAttribute(name)) ||
        failed(reader.readBool(hasPart)) ||
        (hasPart && failed(reader.readAttribute(part))))
      return {};
    return AxisRefAttr::get(getContext(), name, part);
  }
  case kMeshAxis:
    if (failed(reader.readAttribute(name)) ||
        failed(reader.readSignedVarInt(first)))
      return {};
    return MeshAxisAttr::get(getContext(), name, first);
  default: {
    DenseIntElementsAttr ids;
    bool hasIds = false;
    if (failed(reader.readAttribute(axes)) || failed(reader.readBool(hasIds)) ||
        (hasIds && failed(reader.readAttribute(ids))))
      return {};
    return MeshAttr::get(getContext(), axes, ids);
  }
  }
}

Attribute StableHLOBytecode::readAttribute(Reader &reader) const {
  uint64_t code = 0;
  int64_t first = 0, second = 0;
  SmallVector<int64_t> list, otherList;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case kChannelHandle:
    if (failed(reader.readSignedVarInt(first)) ||
        failed(reader.readSignedVarInt(second)))
      return {};
    return ChannelHandleAttr::get(getContext(), first, second);
  case kConvDimensionNumbers:
    return readConv(reader);
  case kDotDimensionNumbers:
  case kGatherDimensionNumbers:
  case kScatterDimensionNumbers:
    return readDimensions(reader, code);
  case kTypeExtensions:
    return failed(readSizes(reader, list))
               ? Attribute()
               : TypeExtensionsAttr::get(getContext(), list);
  case kOutputOperandAlias:
    if (failed(readSizes(reader, list)) ||
        failed(reader.readSignedVarInt(first)) ||
        failed(readSizes(reader, otherList)))
      return {};
    return OutputOperandAliasAttr::get(getContext(), list, first, otherList);
  case kDotAlgorithm:
    return readAlgorithm(reader);
  case kResultAccuracy:
    return readAccuracy(reader);
  case kReplicaGroupMeshAxes:
  case kSubAxisInfo:
  case kAxisRef:
  case kMeshAxis:
  case kMesh:
    return readMesh(reader, code);
  default:
    if (Attribute attribute = readEnum(reader, code))
      return attribute;
    reader.emitError() << "found no stablehlo attribute of code " << code;
    return {};
  }
}

Type StableHLOBytecode::readType(Reader &reader) const {
  uint64_t code = 0;
  if (failed(reader.readVarInt(code)))
    return {};
  if (code == kToken)
    return TokenType::get(getContext());
  if (code != kFuture) {
    reader.emitError() << "found no stablehlo type of code " << code;
    return {};
  }
  SmallVector<Type> types;
  if (failed(readElements<Type>(
          reader, types, [&](Type &type) { return reader.readType(type); })))
    return {};
  return FutureType::get(getContext(), types);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// An optional field: whether it is there, then the field.
static void writePart(Attribute part, Writer &writer) {
  writer.writeOwnedBool(static_cast<bool>(part));
  if (part)
    writer.writeAttribute(part);
}

static LogicalResult writeEnum(Attribute attribute, Writer &writer) {
  auto write = [&](uint64_t code) {
    return [&writer, code](auto a) {
      writer.writeVarInt(code);
      writer.writeVarInt(static_cast<uint64_t>(a.getValue()));
      return success();
    };
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case<ComparisonDirectionAttr>(write(kComparisonDirection))
      .Case<ComparisonTypeAttr>(write(kComparisonType))
      .Case<FftTypeAttr>(write(kFftType))
      .Case<PrecisionAttr>(write(kPrecision))
      .Case<RngAlgorithmAttr>(write(kRngAlgorithm))
      .Case<RngDistributionAttr>(write(kRngDistribution))
      .Case<TransposeAttr>(write(kTranspose))
      .Case<ResultAccuracyModeAttr>(write(kResultAccuracyMode))
      .Default(failure());
}

static LogicalResult writeMesh(Attribute attribute, Writer &writer) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](ReplicaGroupMeshAxesAttr a) {
        writer.writeVarInt(kReplicaGroupMeshAxes);
        writer.writeAttribute(a.getMesh());
        writer.writeAttribute(a.getAxes());
        return success();
      })
      .Case([&](SubAxisInfoAttr a) {
        writer.writeVarInt(kSubAxisInfo);
        writer.writeSignedVarInt(a.getPreSize());
        writer.writeSignedVarInt(a.getSize());
        return success();
      })
      .Case([&](AxisRefAttr a) {
        writer.writeVarInt(kAxisRef);
        writer.writeAttribute(a.getName());
        writePart(a.getSubAxisInfo(), writer);
        return success();
      })
      .Case([&](MeshAxisAttr a) {
        writer.writeVarInt(kMeshAxis);
        writer.writeAttribute(a.getName());
        writer.writeSignedVarInt(a.getSize());
        return success();
      })
      .Case([&](MeshAttr a) {
        writer.writeVarInt(kMesh);
        writer.writeAttribute(a.getAxes());
        writePart(a.getDeviceIds(), writer);
        return success();
      })
      .Default([&](Attribute a) { return writeEnum(a, writer); });
}

static void writeLists(uint64_t code, ArrayRef<ArrayRef<int64_t>> lists,
                       std::optional<int64_t> last, Writer &writer) {
  writer.writeVarInt(code);
  for (ArrayRef<int64_t> list : lists)
    writer.writeSignedVarInts(list);
  if (last)
    writer.writeSignedVarInt(*last);
}

static void writeConv(ConvDimensionNumbersAttr a, Writer &writer) {
  writer.writeVarInt(kConvDimensionNumbers);
  auto writeSide = [&](int64_t first, int64_t second,
                       ArrayRef<int64_t> spatial) {
    writer.writeSignedVarInt(first);
    writer.writeSignedVarInt(second);
    writer.writeSignedVarInts(spatial);
  };
  writeSide(a.getInputBatchDimension(), a.getInputFeatureDimension(),
            a.getInputSpatialDimensions());
  writeSide(a.getKernelInputFeatureDimension(),
            a.getKernelOutputFeatureDimension(),
            a.getKernelSpatialDimensions());
  writeSide(a.getOutputBatchDimension(), a.getOutputFeatureDimension(),
            a.getOutputSpatialDimensions());
}

static void writeAlgorithm(DotAlgorithmAttr a, Writer &writer) {
  writer.writeVarInt(kDotAlgorithm);
  writer.writeType(a.getLhsPrecisionType());
  writer.writeType(a.getRhsPrecisionType());
  writer.writeType(a.getAccumulationType());
  writer.writeSignedVarInt(a.getLhsComponentCount());
  writer.writeSignedVarInt(a.getRhsComponentCount());
  writer.writeSignedVarInt(a.getNumPrimitiveOperations());
  writer.writeOwnedBool(a.getAllowImpreciseAccumulation());
}

LogicalResult StableHLOBytecode::writeAttribute(Attribute attribute,
                                                Writer &writer) const {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](ChannelHandleAttr a) {
        writer.writeVarInt(kChannelHandle);
        writer.writeSignedVarInt(a.getHandle());
        writer.writeSignedVarInt(a.getType());
        return success();
      })
      .Case([&](ConvDimensionNumbersAttr a) {
        writeConv(a, writer);
        return success();
      })
      .Case([&](DotDimensionNumbersAttr a) {
        writeLists(kDotDimensionNumbers,
                   {a.getLhsBatchingDimensions(), a.getRhsBatchingDimensions(),
                    a.getLhsContractingDimensions(),
                    a.getRhsContractingDimensions()},
                   std::nullopt, writer);
        return success();
      })
      .Case([&](GatherDimensionNumbersAttr a) {
        writeLists(kGatherDimensionNumbers,
                   {a.getOffsetDims(), a.getCollapsedSliceDims(),
                    a.getOperandBatchingDims(), a.getStartIndicesBatchingDims(),
                    a.getStartIndexMap()},
                   a.getIndexVectorDim(), writer);
        return success();
      })
      .Case([&](ScatterDimensionNumbersAttr a) {
        writeLists(kScatterDimensionNumbers,
                   {a.getUpdateWindowDims(), a.getInsertedWindowDims(),
                    a.getInputBatchingDims(), a.getScatterIndicesBatchingDims(),
                    a.getScatterDimsToOperandDims()},
                   a.getIndexVectorDim(), writer);
        return success();
      })
      .Case([&](TypeExtensionsAttr a) {
        writeLists(kTypeExtensions, {a.getBounds()}, std::nullopt, writer);
        return success();
      })
      .Case([&](OutputOperandAliasAttr a) {
        writeLists(kOutputOperandAlias, {a.getOutputTupleIndices()},
                   a.getOperandIndex(), writer);
        writer.writeSignedVarInts(a.getOperandTupleIndices());
        return success();
      })
      .Case([&](DotAlgorithmAttr a) {
        writeAlgorithm(a, writer);
        return success();
      })
      .Case([&](ResultAccuracyAttr a) {
        writer.writeVarInt(kResultAccuracy);
        writer.writeAPFloatWithKnownSemantics(a.getAtol());
        writer.writeAPFloatWithKnownSemantics(a.getRtol());
        writer.writeSignedVarInt(a.getUlps());
        writer.writeAttribute(a.getMode());
        return success();
      })
      .Default([&](Attribute a) { return writeMesh(a, writer); });
}

LogicalResult StableHLOBytecode::writeType(Type type, Writer &writer) const {
  return llvm::TypeSwitch<Type, LogicalResult>(type)
      .Case([&](TokenType) {
        writer.writeVarInt(kToken);
        return success();
      })
      .Case([&](FutureType future) {
        writer.writeVarInt(kFuture);
        writer.writeTypes(future.getTypes());
        return success();
      })
      .Default(failure());
}

void StableHLODialect::registerBytecode() {
  addInterfaces<StableHLOBytecode>();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

LogicalResult CustomCallOp::readProperties(Reader &reader,
                                           OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.api_version)) ||
      failed(reader.readOptionalAttribute(properties.backend_config)) ||
      failed(reader.readAttribute(properties.call_target_name)) ||
      failed(reader.readOptionalAttribute(properties.called_computations)) ||
      failed(reader.readOptionalAttribute(properties.has_side_effect)) ||
      failed(reader.readOptionalAttribute(properties.operand_layouts)) ||
      failed(reader.readOptionalAttribute(properties.output_operand_aliases)) ||
      failed(reader.readOptionalAttribute(properties.result_layouts)))
    return failure();
  // Where an older file ends there is no such attribute.
  ScopedDiagnosticHandler quiet(reader.getContext(),
                                [](Diagnostic &) { return success(); });
  (void)reader.readOptionalAttribute(properties.result_tilings);
  return success();
}

void CustomCallOp::writeProperties(Writer &writer) {
  const Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.api_version);
  writer.writeOptionalAttribute(properties.backend_config);
  writer.writeAttribute(properties.call_target_name);
  writer.writeOptionalAttribute(properties.called_computations);
  writer.writeOptionalAttribute(properties.has_side_effect);
  writer.writeOptionalAttribute(properties.operand_layouts);
  writer.writeOptionalAttribute(properties.output_operand_aliases);
  writer.writeOptionalAttribute(properties.result_layouts);
  writer.writeOptionalAttribute(properties.result_tilings);
}
