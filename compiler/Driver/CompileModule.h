// The driver behind an interface that needs no MLIR headers, for bindings.
#ifndef FERRULE_COMPILER_DRIVER_COMPILEMODULE_H
#define FERRULE_COMPILER_DRIVER_COMPILEMODULE_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {
class ModuleHandle;

struct CompileRequest {
  std::string target = "cpu";
  std::vector<std::string> targetCPUs = {"host"};
  int optLevel = 1;
  /// The last stage to run, by name; "byre" makes the program's file.
  std::string compileTo = "byre";
  std::string dumpFolder;
  /// "": the kernel cache in the user's cache folder; "off"; or a folder.
  std::string kernelCache;
  std::function<void(std::string_view)> log;
};

/// Compiles the program in place. For the stage "byre" `file` gets the bytes of
/// the `.byre` file. False with `error` set on failure.
bool compileModule(ModuleHandle &module, const CompileRequest &request,
                   std::string &file, std::string &error);

/// Reads a model file of any kind that ferrule-compile reads; null with `error`
/// set on failure. `inputShapes` gives sizes to inputs with dynamic ones.
std::unique_ptr<ModuleHandle>
loadModelFile(std::string_view path,
              const std::map<std::string, std::vector<int64_t>> &inputShapes,
              std::string &error);

/// The same of a model in memory, whose bytes are copied.
std::unique_ptr<ModuleHandle>
loadModelBytes(std::string_view bytes,
               const std::map<std::string, std::vector<int64_t>> &inputShapes,
               std::string &error);

/// The ONNX ops that can be imported, "Conv" or "com.microsoft.Gelu", sorted.
std::vector<std::string> listONNXOps();

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_COMPILEMODULE_H
