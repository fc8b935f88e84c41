// Opens shared objects that bring devices and providers.
#include "runtime/api/handles.h"
#include "runtime/devices/plugin/plugin_device.h"

#include <dlfcn.h>

#include <mutex>
#include <set>

using namespace ferrule;
using namespace ferrule::runtime;

static thread_local std::string lastMessage;

static const char *messageOf(const Status &status) {
  if (status.ok())
    return nullptr;
  lastMessage = status.message();
  return lastMessage.c_str();
}

static const char *registerFromPlugin(const ferrule_device *device) {
  return messageOf(registerPluginDevice(device));
}

static const char *registerProviderFromPlugin(const char *name,
                                              ferrule_provider_fn function,
                                              void *context) {
  return messageOf(api::registerProcessProvider(name, function, context));
}

Status ferrule::runtime::loadPlugin(const char *path) {
  static std::mutex mutex;
  static std::set<void *> loaded;
  std::lock_guard<std::mutex> lock(mutex);
  // It stays open for as long as the process: its devices do.
  void *handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return {Code::NotFound,
            "cannot load the plug-in: " + std::string(::dlerror())};
  if (loaded.contains(handle))
    return {};
  auto start = reinterpret_cast<ferrule_device_plugin_fn>(
      ::dlsym(handle, "ferrule_device_plugin"));
  if (!start) {
    ::dlclose(handle);
    return unsupported("plug-in " + std::string(path) +
                       " has no function 'ferrule_device_plugin'");
  }
  static const ferrule_plugin_host host = {
      sizeof host, FERRULE_DEVICE_API_VERSION, registerFromPlugin,
      registerProviderFromPlugin};
  if (const char *message = start(&host))
    return unsupported("plug-in " + std::string(path) + ": " + message);
  loaded.insert(handle);
  return {};
}
