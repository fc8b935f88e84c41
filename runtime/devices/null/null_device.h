#ifndef FERRULE_DEVICES_NULL_NULL_DEVICE_H
#define FERRULE_DEVICES_NULL_NULL_DEVICE_H

#include "runtime/executor/device.h"

namespace ferrule::runtime {

/// A device that refuses everything: the skeleton of a new one.
Device *nullDevice();

} // namespace ferrule::runtime

#endif // FERRULE_DEVICES_NULL_NULL_DEVICE_H
