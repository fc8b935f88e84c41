#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

namespace ferrule::lowering {
void addCallPatterns(Converter &converter, Patterns &patterns) {}
} // namespace ferrule::lowering
