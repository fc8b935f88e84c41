#include "compiler/Driver/Options.h"
#include "compiler/Support/DiskCache.h"

using namespace mlir;
using namespace ferrule;

/// NAME:SIZExSIZE...
static bool setShape(CompileOptions &options, StringRef text,
                     std::string &error) {
  auto [name, sizes] = text.rsplit(':');
  std::vector<int64_t> shape;
  SmallVector<StringRef> parts;
  sizes.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size;
    if (name.empty() || part.getAsInteger(10, size) || size < 0) {
      error = "malformed --input-shape '" + text.str() +
              "', expected NAME:SIZExSIZE...";
      return false;
    }
    shape.push_back(size);
  }
  options.inputShapes[name.str()] = std::move(shape);
  return true;
}

static bool setTargetOption(CompileOptions &options, StringRef text,
                            std::string &error) {
  auto [name, value] = text.split('=');
  if (name.empty() || name == text) {
    error =
        "malformed --target-option '" + text.str() + "', expected NAME=VALUE";
    return false;
  }
  options.targetOptions[name.str()] = value.str();
  return true;
}

static bool setStage(CompileOptions &options, StringRef text,
                     std::string &error) {
  std::optional<Stage> stage = parseStage(text);
  if (!stage) {
    error = "unknown stage '" + text.str() +
            "' for --compile-to, expected input, stablehlo, graph, linalg, "
            "dispatch, kernel or byre";
    return false;
  }
  options.compileTo = *stage;
  return true;
}

template <typename T>
static bool setNumber(T &number, StringRef name, StringRef text,
                      std::string &error) {
  if (!text.getAsInteger(10, number))
    return true;
  error =
      "malformed --" + name.str() + " '" + text.str() + "', expected a number";
  return false;
}

bool ferrule::setOption(CompileOptions &options, StringRef name, StringRef text,
                        std::string &error) {
  if (name == "target") {
    options.target = text.str();
    return true;
  }
  if (name == "target-cpu") {
    SmallVector<StringRef> names;
    text.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    options.targetCPUs.assign(names.begin(), names.end());
    return true;
  }
  if (name == "target-option")
    return setTargetOption(options, text, error);
  if (name == "input-shape")
    return setShape(options, text, error);
  if (name == "compile-to")
    return setStage(options, text, error);
  if (name == "dump-ir") {
    options.dumpFolder = text.str();
    return true;
  }
  if (name == "opt-level")
    return setNumber(options.optLevel, name, text, error);
  if (name == "compile-threads")
    return setNumber(options.threads, name, text, error);
  if (name == "kernel-cache") {
    error.clear();
    options.kernelCache = DiskCache::open(text, error);
    return error.empty();
  }
  error = "unknown option '" + name.str() +
          "', expected target, target-cpu, target-option, input-shape, "
          "opt-level, compile-to, dump-ir, compile-threads or kernel-cache";
  return false;
}
