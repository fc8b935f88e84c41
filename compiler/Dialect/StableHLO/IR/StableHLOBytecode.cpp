#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

void ferrule::stablehlo::StableHLODialect::registerBytecode() {}
