#include "compiler/Dialect/StableHLO/IR/StableHLOAssembly.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"

void ferrule::stablehlo::StableHLODialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"
      >();
}
