// Every float format of the file as doubles.
#ifndef FERRULE_DEVICES_REFERENCE_SMALL_FLOAT_H
#define FERRULE_DEVICES_REFERENCE_SMALL_FLOAT_H

#include "runtime/format/element_type.h"

namespace ferrule::runtime::reference {

/// The value of a float's bits.
double decodeFloat(format::ElementType type, uint64_t bits);

/// The nearest float, ties to even. What exceeds the range becomes infinity,
/// NaN where the format has none, the largest where it has neither.
uint64_t encodeFloat(format::ElementType type, double value);

} // namespace ferrule::runtime::reference

#endif // FERRULE_DEVICES_REFERENCE_SMALL_FLOAT_H
