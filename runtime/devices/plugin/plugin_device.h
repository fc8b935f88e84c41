#ifndef FERRULE_DEVICES_PLUGIN_PLUGIN_DEVICE_H
#define FERRULE_DEVICES_PLUGIN_PLUGIN_DEVICE_H

#include "ferrule/device.h"
#include "runtime/executor/device.h"

namespace ferrule::runtime {

/// A device behind the C interface of ferrule/device.h, which is copied.
std::unique_ptr<Device> makePluginDevice(const ferrule_device &device);

/// Opens a plug-in and lets it register its devices.
Status loadPlugin(const char *path);

/// Checks and registers a device from outside.
Status registerPluginDevice(const ferrule_device *device);

} // namespace ferrule::runtime

#endif // FERRULE_DEVICES_PLUGIN_PLUGIN_DEVICE_H
