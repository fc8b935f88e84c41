// Plug-ins: shared objects that bring targets, passes and devices.
//
// The compiler's side of a plug-in is C++ against libferrule_compiler.so and
// exports
//
//   extern "C" const ferrule::CompilerPlugin *ferruleCompilerPlugin() {
//     static const ferrule::CompilerPlugin plugin = {
//         .name = "acme", .initialize = [] {
//           ferrule::registerTarget(std::make_unique<AcmeTarget>());
//         }};
//     return &plugin;
//   }
//
// The runtime's side is plain C (ferrule/device.h) and may be in the same file
// or in one of its own.
#ifndef FERRULE_COMPILER_DRIVER_PLUGIN_H
#define FERRULE_COMPILER_DRIVER_PLUGIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include <cstdint>
#include <string>

namespace ferrule {

/// Raised when what plug-ins are compiled against changes.
inline constexpr uint32_t kCompilerPluginVersion = 1;

struct CompilerPlugin {
  /// First for ever, so that any version can be told.
  uint32_t version = kCompilerPluginVersion;
  const char *llvm = LLVM_VERSION_STRING;
  const char *name = "";
  /// Registers what the plug-in brings: registerTarget, registerPass.
  void (*initialize)() = nullptr;
};

/// Loads a plug-in of the compiler, of the runtime or of both; false with
/// `error` set when it is none or built for another version. Loading it again
/// does nothing.
bool loadPlugin(llvm::StringRef path, std::string &error);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_PLUGIN_H
