// The scalar arithmetic of the register machine.
#ifndef FERRULE_EXECUTOR_COMPUTE_H
#define FERRULE_EXECUTOR_COMPUTE_H

#include "runtime/format/program_generated.h"

#include <cstdint>

namespace ferrule::runtime {

/// result = opcode(a, b, c) on 64-bit slots. `type` is that of the operands,
/// `resultType` that of the result. Returns null, or what went wrong.
const char *compute(format::Opcode opcode, format::ScalarType type,
                    format::ScalarType resultType, int64_t a, int64_t b,
                    int64_t c, int64_t &result);

/// The element at `index` (in elements) of a buffer as a scalar slot, and the
/// reverse. The type must have a scalar register type.
int64_t loadElement(format::ElementType type, const char *data, int64_t index);
void storeElement(format::ElementType type, char *data, int64_t index,
                  int64_t slot);

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_COMPUTE_H
