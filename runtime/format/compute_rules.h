// Which scalar types each opcode of Compute takes and gives.
#ifndef FERRULE_FORMAT_COMPUTE_RULES_H
#define FERRULE_FORMAT_COMPUTE_RULES_H

#include "runtime/format/program_generated.h"

namespace ferrule::format {

/// Number of operands that the opcode reads, in the order a, b, c.
unsigned operandCount(Opcode opcode);

/// Whether the registers' types fit; types of unused operands are ignored.
bool typesFit(Opcode opcode, ScalarType result, ScalarType a, ScalarType b,
              ScalarType c);

} // namespace ferrule::format

#endif // FERRULE_FORMAT_COMPUTE_RULES_H
