#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

namespace ferrule::lowering {
void addBatchNormPatterns(Converter &converter, Patterns &patterns) {}
} // namespace ferrule::lowering
