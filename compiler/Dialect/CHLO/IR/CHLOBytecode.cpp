// The dialect's own bytecode: codes of the attributes that have one; the others
// are stored as text.
#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOBytecode.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule::chlo;

namespace {

enum AttributeCode : uint64_t { kComparisonDirection, kComparisonType };

struct CHLOBytecode : BytecodeDialectInterface {
  explicit CHLOBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t code = 0;
    if (failed(reader.readVarInt(code)))
      return {};
    if (code == kComparisonDirection)
      return ferrule::stablehlo::readEnumAttr<ComparisonDirectionAttr>(
          reader, symbolizeComparisonDirection);
    if (code == kComparisonType)
      return ferrule::stablehlo::readEnumAttr<ComparisonTypeAttr>(
          reader, symbolizeComparisonType);
    reader.emitError() << "found no chlo attribute of code " << code;
    return {};
  }

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const override {
    auto write = [&](uint64_t code, auto value) {
      writer.writeVarInt(code);
      writer.writeVarInt(static_cast<uint64_t>(value));
      return success();
    };
    return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
        .Case([&](ComparisonDirectionAttr a) {
          return write(kComparisonDirection, a.getValue());
        })
        .Case([&](ComparisonTypeAttr a) {
          return write(kComparisonType, a.getValue());
        })
        .Default(failure());
  }
};

} // namespace

void CHLODialect::registerBytecode() { addInterfaces<CHLOBytecode>(); }
