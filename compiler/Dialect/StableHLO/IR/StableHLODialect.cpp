#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule::stablehlo;

#include "compiler/Dialect/StableHLO/IR/StableHLODialect.cpp.inc"
#include "compiler/Dialect/StableHLO/IR/StableHLOEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOTypes.cpp.inc"

void ferrule::registerStableHLODialect(DialectRegistry &registry) {
  registry.insert<StableHLODialect, quant::QuantDialect>();
}

namespace {
/// Every operation may move into a caller: none depends on its function.
struct StableHLOInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void StableHLODialect::initialize() {
  getContext()->loadDialect<quant::QuantDialect>();
  registerOperations();
  registerAttributes();
  registerTypes();
  registerBytecode();
  addInterfaces<StableHLOInliner>();
}

void StableHLODialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/Dialect/StableHLO/IR/StableHLOTypes.cpp.inc"
      >();
}

Operation *StableHLODialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || !areCompatibleTypes(elements.getType(), type))
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
