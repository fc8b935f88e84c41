#include "compiler/Driver/Plugin.h"
#include "runtime/include/ferrule/device.h"
#include <dlfcn.h>
#include <mutex>
#include <set>

using namespace ferrule;

/// Runs the compiler's side of an opened plug-in, if it has one.
static bool startCompilerSide(void *handle, llvm::StringRef path,
                              std::string &error, bool &found) {
  auto start = reinterpret_cast<const CompilerPlugin *(*)()>(
      dlsym(handle, "ferruleCompilerPlugin"));
  found = start != nullptr;
  if (!start)
    return true;
  const CompilerPlugin &plugin = *start();
  if (plugin.version != kCompilerPluginVersion) {
    error = "plug-in " + path.str() + " is for version " +
            std::to_string(plugin.version) +
            " of the compiler's interface, expected " +
            std::to_string(kCompilerPluginVersion);
    return false;
  }
  if (llvm::StringRef(plugin.llvm) != LLVM_VERSION_STRING) {
    error = "plug-in " + path.str() + " is built with LLVM " + plugin.llvm +
            ", expected " LLVM_VERSION_STRING;
    return false;
  }
  if (plugin.initialize)
    plugin.initialize();
  return true;
}

bool ferrule::loadPlugin(llvm::StringRef path, std::string &error) {
  static std::mutex mutex;
  static std::set<void *> loaded;
  std::lock_guard<std::mutex> lock(mutex);
  std::string file = path.str();
  // It stays open for as long as the process: its targets do.
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    error = std::string("cannot load the plug-in: ") + dlerror();
    return false;
  }
  if (!loaded.insert(handle).second)
    return true;
  bool found = false;
  if (!startCompilerSide(handle, path, error, found))
    return false;
  if (dlsym(handle, "ferrule_device_plugin")) {
    if (ferrule_load_plugin(file.c_str()) == FERRULE_OK)
      return true;
    error = ferrule_error_message();
    return false;
  }
  if (!found)
    error = "plug-in " + file +
            " has neither a function 'ferruleCompilerPlugin' nor "
            "'ferrule_device_plugin'";
  return found;
}
