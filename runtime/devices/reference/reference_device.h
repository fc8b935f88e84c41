#ifndef FERRULE_DEVICES_REFERENCE_REFERENCE_DEVICE_H
#define FERRULE_DEVICES_REFERENCE_REFERENCE_DEVICE_H

#include "runtime/executor/device.h"

namespace ferrule::runtime {

/// Interprets the byte code of the reference target: slow, checked, and
/// independent of the CPU's code, so that one can be compared with the other.
Device *referenceDevice();

} // namespace ferrule::runtime

#endif // FERRULE_DEVICES_REFERENCE_REFERENCE_DEVICE_H
