#include "runtime/devices/cpu/cpu_device.h"
#include "runtime/devices/null/null_device.h"
#include "runtime/devices/reference/reference_device.h"
#include "runtime/executor/device.h"

#include <mutex>
#include <vector>

using namespace ferrule::runtime;

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<Device *> devices = {cpuDevice(), referenceDevice(),
                                   nullDevice()};

  Device *find(std::string_view name) {
    for (Device *device : devices)
      if (device->name() == name)
        return device;
    return nullptr;
  }
};
} // namespace

static Registry &registry() {
  static Registry instance;
  return instance;
}

Device *ferrule::runtime::findDevice(std::string_view name) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  return registry().find(name);
}

bool ferrule::runtime::registerDevice(std::unique_ptr<Device> device) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  if (registry().find(device->name()))
    return false;
  // Programs may use it until the process ends.
  registry().devices.push_back(device.release());
  return true;
}
