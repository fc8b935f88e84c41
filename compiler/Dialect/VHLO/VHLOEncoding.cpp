// Encodes types and attributes; the codes are those of the file format.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/Wrappers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/VersionTuple.h"

using namespace mlir;
using namespace ferrule::stablehlo;
using namespace ferrule::vhlo;
using Writer = DialectBytecodeWriter;
using Version = llvm::VersionTuple;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// Code of a type without parameters and the first version with it.
struct Scalar {
  uint64_t code;
  unsigned minor = 0;
};
} // namespace

static std::optional<Scalar> scalarOf(IntegerType type) {
  using Result = std::optional<Scalar>;
  unsigned width = type.getWidth();
  if (type.isUnsigned())
    return llvm::StringSwitch<Result>(std::to_string(width))
        .Case("2", Scalar{32, 2})
        .Case("4", Scalar{15})
        .Case("8", Scalar{16})
        .Case("16", Scalar{17})
        .Case("32", Scalar{18})
        .Case("64", Scalar{19})
        .Default(std::nullopt);
  if (!type.isSignless())
    return std::nullopt;
  return llvm::StringSwitch<Result>(std::to_string(width))
      .Case("1", Scalar{0})
      .Case("2", Scalar{31, 2})
      .Case("4", Scalar{10})
      .Case("8", Scalar{11})
      .Case("16", Scalar{12})
      .Case("32", Scalar{13})
      .Case("64", Scalar{14})
      .Default(std::nullopt);
}

static std::optional<Scalar> scalarOf(Type type) {
  using Result = std::optional<Scalar>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case([](IntegerType integer) { return scalarOf(integer); })
      .Case([](BFloat16Type) { return Scalar{2}; })
      .Case([](Float16Type) { return Scalar{3}; })
      .Case([](Float32Type) { return Scalar{4}; })
      .Case([](Float64Type) { return Scalar{5}; })
      .Case([](Float8E4M3FNType) { return Scalar{6}; })
      .Case([](Float8E5M2Type) { return Scalar{7}; })
      .Case([](IndexType) { return Scalar{9}; })
      .Case([](TokenType) { return Scalar{22}; })
      .Case([](Float8E4M3FNUZType) { return Scalar{27}; })
      .Case([](Float8E5M2FNUZType) { return Scalar{28}; })
      .Case([](Float8E4M3B11FNUZType) { return Scalar{29}; })
      .Case([](NoneType) { return Scalar{33, 6}; })
      .Case([](FloatTF32Type) { return Scalar{34, 6}; })
      .Case([](Float8E4M3Type) { return Scalar{35, 7}; })
      .Case([](Float8E3M4Type) { return Scalar{36, 7}; })
      .Case([](Float4E2M1FNType) { return Scalar{37, 8}; })
      .Case([](Float6E2M3FNType) { return Scalar{38, 8}; })
      .Case([](Float6E3M2FNType) { return Scalar{39, 8}; })
      .Case([](Float8E8M0FNUType) { return Scalar{40, 8}; })
      .Default([](Type) -> Result { return std::nullopt; });
}

static void writeTypes(TypeRange types, Writer &writer) {
  writer.writeVarInt(types.size());
  for (Type type : types)
    writer.writeType(WrappedType::get(type));
}

static void writeQuantized(quant::QuantizedType type, Writer &writer) {
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type);
  auto writeScale = [&](double scale) {
    writer.writeAPFloatWithKnownSemantics(APFloat(scale));
  };
  writer.writeVarInt(perAxis ? 30 : 24);
  writer.writeVarInt(type.getFlags());
  writer.writeType(WrappedType::get(type.getStorageType()));
  writer.writeType(WrappedType::get(type.getExpressedType()));
  if (!perAxis) {
    auto uniform = cast<quant::UniformQuantizedType>(type);
    writeScale(uniform.getScale());
    writer.writeSignedVarInt(uniform.getZeroPoint());
  } else {
    writer.writeVarInt(perAxis.getQuantizedDimension());
  }
  writer.writeSignedVarInt(type.getStorageTypeMin());
  writer.writeSignedVarInt(type.getStorageTypeMax());
  if (!perAxis)
    return;
  writer.writeList(perAxis.getScales(), writeScale);
  writer.writeSignedVarInts(perAxis.getZeroPoints());
}

LogicalResult ferrule::vhlo::encode(Type wrapped, Writer &writer) {
  Type type = cast<WrappedType>(wrapped).getType();
  if (std::optional<Scalar> scalar = scalarOf(type)) {
    writer.writeVarInt(scalar->code);
    return success();
  }
  auto shaped = [&](uint64_t code, ShapedType shape) {
    writer.writeVarInt(code);
    auto tensor = dyn_cast<RankedTensorType>(shape);
    if (tensor && tensor.getEncoding())
      writer.writeAttribute(WrappedAttr::get(tensor.getEncoding()));
    writer.writeSignedVarInts(shape.getShape());
    writer.writeType(WrappedType::get(shape.getElementType()));
    return success();
  };
  auto typed = [&](uint64_t code, Type element) {
    writer.writeVarInt(code);
    writer.writeType(WrappedType::get(element));
    return success();
  };
  auto typesOf = [&](uint64_t code, TypeRange types) {
    writer.writeVarInt(code);
    writeTypes(types, writer);
    return success();
  };
  return llvm::TypeSwitch<Type, LogicalResult>(type)
      .Case([&](ComplexType complex) {
        return typed(1, complex.getElementType());
      })
      .Case([&](UnrankedTensorType tensor) {
        return typed(25, tensor.getElementType());
      })
      .Case([&](RankedTensorType tensor) {
        return shaped(tensor.getEncoding() ? 21 : 20, tensor);
      })
      .Case([&](MemRefType memory) { return shaped(41, memory); })
      .Case([&](TupleType tuple) { return typesOf(23, tuple.getTypes()); })
      .Case([&](FutureType future) { return typesOf(42, future.getTypes()); })
      .Case([&](FunctionType function) {
        (void)typesOf(8, function.getInputs());
        writeTypes(function.getResults(), writer);
        return success();
      })
      .Case<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          [&](auto quantized) {
            writeQuantized(quantized, writer);
            return success();
          })
      .Default([](Type) { return failure(); });
}

/// The latest of the versions that parts need; nothing when one has none.
template <typename Range>
static std::optional<Version> latest(Version version, Range &&parts) {
  for (auto part : parts) {
    std::optional<Version> needed = firstVersionOf(part);
    if (!needed)
      return std::nullopt;
    version = std::max(version, *needed);
  }
  return version;
}

std::optional<Version> ferrule::vhlo::firstVersionOf(Type type) {
  using Result = std::optional<Version>;
  Version first(1, 0, 0);
  if (std::optional<Scalar> scalar = scalarOf(type))
    return Version(1, scalar->minor, 0);
  return llvm::TypeSwitch<Type, Result>(type)
      .Case<ComplexType, UnrankedTensorType>(
          [](auto type) { return firstVersionOf(type.getElementType()); })
      .Case([&](RankedTensorType tensor) -> Result {
        Attribute encoding = tensor.getEncoding();
        if (encoding && !isa<TypeExtensionsAttr>(encoding))
          return std::nullopt;
        return firstVersionOf(tensor.getElementType());
      })
      .Case([](MemRefType memory) -> Result {
        if (!memory.getLayout().isIdentity() || memory.getMemorySpace())
          return std::nullopt;
        return latest(Version(1, 13, 0), ArrayRef(memory.getElementType()));
      })
      .Case([&](TupleType tuple) { return latest(first, tuple.getTypes()); })
      .Case([](FutureType future) {
        return latest(Version(1, 15, 0), future.getTypes());
      })
      .Case([&](FunctionType function) -> Result {
        Result inputs = latest(first, function.getInputs());
        return inputs ? latest(*inputs, function.getResults()) : inputs;
      })
      .Case<quant::UniformQuantizedType, quant::UniformQuantizedPerAxisType>(
          [&](auto quantized) -> Result {
            Type parts[] = {quantized.getStorageType(),
                            quantized.getExpressedType()};
            return latest(first, parts);
          })
      .Default([](Type) -> Result { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
struct EnumCode {
  uint64_t code, value;
};
} // namespace

static std::optional<EnumCode> enumOf(Attribute attribute) {
  using Result = std::optional<EnumCode>;
  auto make = [](uint64_t code) {
    return [code](auto attr) -> Result {
      return EnumCode{code, static_cast<uint64_t>(attr.getValue())};
    };
  };
  Result result;
  auto test = [&]<typename AttrT>(uint64_t code, AttrT attr) {
    if (attr)
      result = make(code)(attr);
  };
  test(3, dyn_cast<ComparisonDirectionAttr>(attribute));
  test(4, dyn_cast<ComparisonTypeAttr>(attribute));
  test(7, dyn_cast<FftTypeAttr>(attribute));
  test(11, dyn_cast<PrecisionAttr>(attribute));
  test(12, dyn_cast<RngAlgorithmAttr>(attribute));
  test(13, dyn_cast<RngDistributionAttr>(attribute));
  test(16, dyn_cast<TransposeAttr>(attribute));
  test(19, dyn_cast<ResultAccuracyModeAttr>(attribute));
  return result;
}

static void writeTensor(DenseElementsAttr dense, Writer &writer) {
  writer.writeVarInt(15);
  writer.writeType(WrappedType::get(dense.getType()));
  writer.writeOwnedBlob(dense.getRawData());
}

static LogicalResult writeMesh(Attribute attribute, Writer &writer) {
  auto writeName = [&](StringAttr name) {
    writer.writeAttribute(WrappedAttr::get(name));
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](SubAxisInfoAttr info) {
        writer.writeVarInt(21);
        writer.writeSignedVarInt(info.getPreSize());
        writer.writeSignedVarInt(info.getSize());
        return success();
      })
      .Case([&](AxisRefAttr axis) {
        writer.writeVarInt(22);
        writeName(axis.getName());
        writer.writeVarInt(axis.getSubAxisInfo() ? 1 : 0);
        if (axis.getSubAxisInfo())
          writer.writeAttribute(WrappedAttr::get(axis.getSubAxisInfo()));
        return success();
      })
      .Case([&](ReplicaGroupMeshAxesAttr groups) {
        writer.writeVarInt(23);
        writeName(groups.getMesh().getRootReference());
        writer.writeAttribute(WrappedAttr::get(groups.getAxes()));
        return success();
      })
      .Case([&](MeshAxisAttr axis) {
        writer.writeVarInt(24);
        writeName(axis.getName());
        writer.writeSignedVarInt(axis.getSize());
        return success();
      })
      .Case([&](MeshAttr mesh) {
        writer.writeVarInt(25);
        writer.writeAttribute(WrappedAttr::get(mesh.getAxes()));
        writer.writeOptionalAttribute(
            mesh.getDeviceIds() ? WrappedAttr::get(mesh.getDeviceIds())
                                : Attribute());
        return success();
      })
      .Default([](Attribute) { return failure(); });
}

static void writeNumber(Attribute attribute, Writer &writer) {
  if (auto truth = dyn_cast<BoolAttr>(attribute)) {
    writer.writeVarInt(2);
    writer.writeVarInt(truth.getValue());
  } else if (auto number = dyn_cast<FloatAttr>(attribute)) {
    writer.writeVarInt(8);
    writer.writeType(WrappedType::get(number.getType()));
    writer.writeAPFloatWithKnownSemantics(number.getValue());
  } else {
    auto integer = cast<IntegerAttr>(attribute);
    writer.writeVarInt(9);
    writer.writeType(WrappedType::get(integer.getType()));
    writer.writeAPIntWithKnownWidth(integer.getValue());
  }
}

static LogicalResult writeComposite(Attribute attribute, Writer &writer) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](ArrayAttr array) {
        writer.writeVarInt(1);
        writer.writeList(array.getValue(), [&](Attribute entry) {
          writer.writeAttribute(WrappedAttr::get(entry));
        });
        return success();
      })
      .Case([&](DictionaryAttr dictionary) {
        writer.writeVarInt(6);
        writer.writeList(dictionary.getValue(), [&](NamedAttribute entry) {
          writer.writeAttribute(WrappedAttr::get(entry.getName()));
          writer.writeAttribute(WrappedAttr::get(entry.getValue()));
        });
        return success();
      })
      .Case([&](OutputOperandAliasAttr alias) {
        writer.writeVarInt(10);
        writer.writeSignedVarInts(alias.getOutputTupleIndices());
        writer.writeSignedVarInt(alias.getOperandIndex());
        writer.writeSignedVarInts(alias.getOperandTupleIndices());
        return success();
      })
      .Case([&](TypeExtensionsAttr extensions) {
        writer.writeVarInt(18);
        writer.writeSignedVarInts(extensions.getBounds());
        return success();
      })
      .Case([&](ResultAccuracyAttr accuracy) {
        writer.writeVarInt(20);
        writer.writeAPFloatWithKnownSemantics(accuracy.getAtol());
        writer.writeAPFloatWithKnownSemantics(accuracy.getRtol());
        writer.writeSignedVarInt(accuracy.getUlps());
        writer.writeAttribute(WrappedAttr::get(accuracy.getMode()));
        return success();
      })
      .Default([&](Attribute other) { return writeMesh(other, writer); });
}

LogicalResult ferrule::vhlo::encode(Attribute wrapped, Writer &writer) {
  Attribute attribute = cast<WrappedAttr>(wrapped).getAttribute();
  if (std::optional<EnumCode> value = enumOf(attribute)) {
    writer.writeVarInt(value->code);
    writer.writeVarInt(value->value);
    return success();
  }
  return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
      .Case([&](WrappedAttr convention) {
        // A custom call's api_version: an integer elsewhere, an enum here.
        writer.writeVarInt(5);
        writer.writeVarInt(
            cast<IntegerAttr>(convention.getAttribute()).getInt());
        return success();
      })
      .Case<FloatAttr, IntegerAttr>([&](Attribute number) {
        writeNumber(number, writer);
        return success();
      })
      .Case([&](StringAttr text) {
        writer.writeVarInt(14);
        writer.writeOwnedString(text.getValue());
        return success();
      })
      .Case([&](TypeAttr type) {
        writer.writeVarInt(17);
        writer.writeType(WrappedType::get(type.getValue()));
        return success();
      })
      .Case([&](DenseElementsAttr dense) {
        writeTensor(dense, writer);
        return success();
      })
      .Default([&](Attribute other) { return writeComposite(other, writer); });
}

std::optional<Version> ferrule::vhlo::firstVersionOf(Attribute attribute) {
  using Result = std::optional<Version>;
  Version first(1, 0, 0);
  if (isa<ResultAccuracyModeAttr>(attribute))
    return Version(1, 9, 0);
  if (enumOf(attribute))
    return first;
  return llvm::TypeSwitch<Attribute, Result>(attribute)
      .Case<WrappedAttr, StringAttr, OutputOperandAliasAttr,
            TypeExtensionsAttr>([&](Attribute) { return first; })
      .Case<FloatAttr, IntegerAttr, DenseIntOrFPElementsAttr>(
          [](auto typed) { return firstVersionOf(Type(typed.getType())); })
      .Case([](TypeAttr type) { return firstVersionOf(type.getValue()); })
      .Case([&](ArrayAttr array) { return latest(first, array.getValue()); })
      .Case([&](DictionaryAttr dictionary) {
        return latest(first, llvm::map_range(dictionary.getValue(),
                                             [](NamedAttribute entry) {
                                               return entry.getValue();
                                             }));
      })
      .Case([](ResultAccuracyAttr) { return Version(1, 9, 0); })
      .Case<SubAxisInfoAttr, AxisRefAttr, ReplicaGroupMeshAxesAttr,
            MeshAxisAttr, MeshAttr>([](Attribute) { return Version(1, 16, 0); })
      .Default([](Attribute) -> Result { return std::nullopt; });
}
