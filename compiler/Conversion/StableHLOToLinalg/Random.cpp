#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

namespace ferrule::lowering {
void addRandomPatterns(Converter &converter, Patterns &patterns) {}
} // namespace ferrule::lowering
