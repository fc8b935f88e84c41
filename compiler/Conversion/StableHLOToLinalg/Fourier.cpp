#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

namespace ferrule::lowering {
void addFourierPatterns(Converter &converter, Patterns &patterns) {}
} // namespace ferrule::lowering
