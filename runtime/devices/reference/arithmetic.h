// The operations of the byte code that compute on registers alone.
#ifndef FERRULE_DEVICES_REFERENCE_ARITHMETIC_H
#define FERRULE_DEVICES_REFERENCE_ARITHMETIC_H

#include "runtime/format/element_type.h"
#include "runtime/format/reference_code.h"

namespace ferrule::runtime::reference {

/// Sign-extends from the type's width; i1 becomes 0 or 1.
int64_t wrap(format::ElementType type, int64_t value);

/// The result of an instruction for these operands.
int64_t evaluate(const format::reference::Instruction &instruction, int64_t a,
                 int64_t b, int64_t c);

} // namespace ferrule::runtime::reference

#endif // FERRULE_DEVICES_REFERENCE_ARITHMETIC_H
