// A program in memory with the context that owns it, behind an interface that
// needs no MLIR headers: what the Python module holds.
#ifndef FERRULE_COMPILER_SUPPORT_MODULEHANDLE_H
#define FERRULE_COMPILER_SUPPORT_MODULEHANDLE_H

#include <memory>
#include <string>
#include <string_view>

namespace mlir {
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace ferrule {

/// Errors are the diagnostics that MLIR gave, one a line, with locations.
class ModuleHandle {
public:
  ModuleHandle(std::unique_ptr<mlir::MLIRContext> context, mlir::ModuleOp op);
  ~ModuleHandle();

  /// A context with all of Ferrule's dialects.
  static std::unique_ptr<mlir::MLIRContext> makeContext();

  /// Reads text or MLIR bytecode; null with `error` set when it is neither.
  static std::unique_ptr<ModuleHandle> parse(std::string_view source,
                                             std::string &error);

  /// The text. Constants of more than 64 elements are left out when `elide`.
  std::string print(bool elide, bool locations) const;
  std::string writeBytecode() const;

  /// Runs a textual pass pipeline, e.g. "cse,canonicalize".
  bool runPipeline(std::string_view pipeline, std::string &error);

  mlir::ModuleOp getModule() const;
  mlir::MLIRContext *getContext() const { return context.get(); }

private:
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::ModuleOp *module;
};

/// Gathers the diagnostics of a context while it lives.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext *context);
  ~DiagnosticText();
  const std::string &str() const { return text; }

private:
  std::string text;
  struct Handler;
  std::unique_ptr<Handler> handler;
};

} // namespace ferrule

#endif // FERRULE_COMPILER_SUPPORT_MODULEHANDLE_H
