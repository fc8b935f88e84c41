// Registration of the byre dialect and the verification of its attributes.
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

#include "compiler/Dialect/Byre/IR/ByreDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Byre/IR/ByreAttrs.cpp.inc"

void ByreDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/Byre/IR/ByreAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Byre/IR/ByreOps.cpp.inc"
      >();
}

LogicalResult ByreDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kKernelAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "attribute '" << name
                               << "' expected to be a unit attribute, found "
                               << attribute.getValue();
  } else if (name == kScratchAttr || name == kArenaAttr) {
    auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() < 0)
      return op->emitOpError()
             << "attribute '" << name
             << "' expected to be a number of bytes of type i64, found "
             << attribute.getValue();
  }
  return success();
}

void ferrule::registerByreDialect(DialectRegistry &registry) {
  registry.insert<ByreDialect>();
}
