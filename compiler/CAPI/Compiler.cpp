#include "compiler/CAPI/include/ferrule/compiler.h"
#include "compiler/Driver/Options.h"
#include "compiler/Driver/Plugin.h"
#include "compiler/Support/LocationText.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/include/ferrule/ferrule.h"
#include <cstring>

using namespace mlir;
using namespace ferrule;

struct ferrule_compiler {
  CompileOptions options;
  bool text = false;
  ferrule_diagnostic_fn handler = nullptr;
  void *handlerContext = nullptr;
  std::string error;

  int fail(std::string message) {
    error = std::move(message);
    return 1;
  }
};

struct ferrule_artifact {
  size_t size;
  void *data;
};

namespace {

/// Gives the diagnostics of one call to the caller and keeps the errors' text.
class Reporter {
public:
  Reporter(ferrule_compiler &compiler, MLIRContext *context)
      : compiler(compiler), handler(context, [this](Diagnostic &diagnostic) {
          report(diagnostic);
          for (Diagnostic &note : diagnostic.getNotes())
            report(note);
          return success();
        }) {
    compiler.error.clear();
  }

private:
  static ferrule_severity severityOf(DiagnosticSeverity severity) {
    switch (severity) {
    case DiagnosticSeverity::Note:
      return FERRULE_NOTE;
    case DiagnosticSeverity::Remark:
      return FERRULE_REMARK;
    case DiagnosticSeverity::Warning:
      return FERRULE_WARNING;
    case DiagnosticSeverity::Error:
      return FERRULE_ERROR;
    }
    return FERRULE_ERROR;
  }

  void report(Diagnostic &diagnostic) {
    std::string message = diagnostic.str();
    std::string location = locationText(diagnostic.getLocation());
    ferrule_severity severity = severityOf(diagnostic.getSeverity());
    if (severity == FERRULE_ERROR)
      compiler.error += (compiler.error.empty() ? "" : "\n") + location +
                        (location.empty() ? "" : ": ") + message;
    ferrule_diagnostic made = {sizeof made, severity, message.c_str(),
                               location.c_str()};
    if (compiler.handler)
      compiler.handler(compiler.handlerContext, &made);
  }

  ferrule_compiler &compiler;
  ScopedDiagnosticHandler handler;
};

using Load =
    llvm::function_ref<FailureOr<OwningOpRef<ModuleOp>>(MLIRContext &)>;
using Write = llvm::function_ref<LogicalResult(ModuleOp)>;

int compile(ferrule_compiler &compiler, Load load, Write write) {
  std::unique_ptr<MLIRContext> context =
      createContext(compiler.options.threads);
  Reporter reporter(compiler, context.get());
  FailureOr<OwningOpRef<ModuleOp>> module = load(*context);
  if (succeeded(module) && succeeded(write(**module)))
    return 0;
  if (compiler.error.empty())
    compiler.error = "the compiler failed without saying why";
  return 1;
}

ferrule_artifact *makeArtifact(StringRef bytes) {
  size_t rounded = llvm::alignTo(bytes.size() + 1, 64);
  void *data = std::aligned_alloc(64, rounded);
  if (!data)
    return nullptr;
  std::memcpy(data, bytes.data(), bytes.size());
  // MLIR text is a C string, too.
  static_cast<char *>(data)[bytes.size()] = 0;
  return new ferrule_artifact{bytes.size(), data};
}

int compileToArtifact(ferrule_compiler &compiler, Load load,
                      ferrule_artifact **artifact) {
  *artifact = nullptr;
  return compile(compiler, load, [&](ModuleOp module) -> LogicalResult {
    FailureOr<std::string> bytes =
        compileToMemory(module, compiler.options, compiler.text);
    if (failed(bytes))
      return failure();
    *artifact = makeArtifact(*bytes);
    return *artifact ? success() : module.emitError("no memory for the result");
  });
}

char *copyString(const std::string &text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

} // namespace

const char *ferrule_compiler_version(void) { return ferrule_version(); }

char *ferrule_compiler_targets(void) { return copyString(listTargets()); }

void ferrule_string_free(char *string) { std::free(string); }

ferrule_compiler *ferrule_compiler_create(void) {
  return new ferrule_compiler();
}

void ferrule_compiler_free(ferrule_compiler *compiler) { delete compiler; }

int ferrule_compiler_set_option(ferrule_compiler *compiler, const char *name,
                                const char *value) {
  if (!compiler)
    return 1;
  if (!name || !value)
    return compiler->fail("the option's name or value is NULL");
  if (std::strcmp(name, "text") == 0) {
    compiler->text = std::strcmp(value, "0") != 0;
    return 0;
  }
  std::string error;
  if (setOption(compiler->options, name, value, error))
    return 0;
  return compiler->fail(std::move(error));
}

int ferrule_compiler_load_plugin(ferrule_compiler *compiler, const char *path) {
  if (!compiler)
    return 1;
  if (!path)
    return compiler->fail("the plug-in's path is NULL");
  std::string error;
  return loadPlugin(path, error) ? 0 : compiler->fail(std::move(error));
}

void ferrule_compiler_set_diagnostic_handler(ferrule_compiler *compiler,
                                             ferrule_diagnostic_fn handler,
                                             void *context) {
  compiler->handler = handler;
  compiler->handlerContext = context;
}

void ferrule_compiler_set_log(ferrule_compiler *compiler, ferrule_log_fn log,
                              void *context) {
  compiler->options.log = nullptr;
  if (log)
    compiler->options.log = [log, context](StringRef line) {
      log(context, line.str().c_str());
    };
}

int ferrule_compiler_compile_file(ferrule_compiler *compiler, const char *model,
                                  const char *output) {
  if (!compiler)
    return 1;
  if (!model || !output)
    return compiler->fail("the model's or the output's path is NULL");
  return compile(
      *compiler,
      [&](MLIRContext &context) {
        return loadModel(model, context, compiler->options);
      },
      [&](ModuleOp module) {
        return compileToFile(module, output, compiler->options, compiler->text);
      });
}

int ferrule_compiler_compile_memory(ferrule_compiler *compiler,
                                    const void *model, size_t size,
                                    const char *name,
                                    ferrule_artifact **artifact) {
  if (!compiler)
    return 1;
  if ((!model && size != 0) || !artifact)
    return compiler->fail("the model or the artifact is NULL");
  StringRef bytes(static_cast<const char *>(model), size);
  return compileToArtifact(
      *compiler,
      [&](MLIRContext &context) {
        return loadModelFromMemory(bytes, name ? name : "memory", context,
                                   compiler->options);
      },
      artifact);
}

int ferrule_compiler_compile_to_memory(ferrule_compiler *compiler,
                                       const char *model,
                                       ferrule_artifact **artifact) {
  if (!compiler)
    return 1;
  if (!model || !artifact)
    return compiler->fail("the model's path or the artifact is NULL");
  return compileToArtifact(
      *compiler,
      [&](MLIRContext &context) {
        return loadModel(model, context, compiler->options);
      },
      artifact);
}

const void *ferrule_artifact_data(const ferrule_artifact *artifact,
                                  size_t *size) {
  if (size)
    *size = artifact->size;
  return artifact->data;
}

void ferrule_artifact_free(ferrule_artifact *artifact) {
  if (artifact)
    std::free(artifact->data);
  delete artifact;
}

const char *ferrule_compiler_error_message(const ferrule_compiler *compiler) {
  return compiler ? compiler->error.c_str() : "the compiler is NULL";
}
