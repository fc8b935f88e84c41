#include "runtime/devices/cpu/cpu_device.h"
#include "runtime/devices/null/null_device.h"
#include "runtime/devices/reference/reference_device.h"
#include "runtime/executor/device.h"

using namespace ferrule::runtime;

Device *ferrule::runtime::findDevice(std::string_view name) {
  static Device *const devices[] = {cpuDevice(), referenceDevice(),
                                    nullDevice()};
  for (Device *device : devices)
    if (device->name() == name)
      return device;
  return nullptr;
}
