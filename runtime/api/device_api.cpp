// The part of the C API that adds devices.
#include "runtime/api/handles.h"
#include "runtime/devices/plugin/plugin_device.h"

using namespace ferrule::runtime;
using namespace ferrule::runtime::api;

ferrule_status ferrule_register_device(const ferrule_device *device) {
  return report(registerPluginDevice(device));
}

ferrule_status ferrule_load_plugin(const char *path) {
  if (!path)
    return report(invalidArgument("path is NULL"));
  return report(loadPlugin(path));
}
