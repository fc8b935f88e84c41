#ifndef FERRULE_DEVICES_CPU_CPU_DEVICE_H
#define FERRULE_DEVICES_CPU_CPU_DEVICE_H

#include "runtime/executor/device.h"

namespace ferrule::runtime {

/// Runs kernels on the process's thread pool.
Device *cpuDevice();

} // namespace ferrule::runtime

#endif // FERRULE_DEVICES_CPU_CPU_DEVICE_H
