#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

namespace ferrule::lowering {
void addLinearAlgebraPatterns(Converter &converter, Patterns &patterns) {}
} // namespace ferrule::lowering
