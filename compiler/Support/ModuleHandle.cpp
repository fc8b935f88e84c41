#include "compiler/Support/ModuleHandle.h"
#include "compiler/AllPasses.h.inc"
#include "compiler/Support/Dialects.h"
#include "compiler/Support/GuardedRead.h"
#include "compiler/Support/LocationText.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ferrule {

struct DiagnosticText::Handler {
  Handler(MLIRContext *context, std::string &text)
      : scoped(context, [&text](Diagnostic &diagnostic) {
          append(diagnostic, text);
          return success();
        }) {}

  static void append(Diagnostic &diagnostic, std::string &text) {
    llvm::raw_string_ostream os(text);
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      break;
    case DiagnosticSeverity::Note:
      os << "note: ";
      break;
    case DiagnosticSeverity::Warning:
    case DiagnosticSeverity::Remark:
      return;
    }
    std::string place = locationText(diagnostic.getLocation());
    if (!place.empty())
      os << place << ": ";
    os << diagnostic << '\n';
    for (Diagnostic &note : diagnostic.getNotes())
      append(note, text);
  }

  ScopedDiagnosticHandler scoped;
};

DiagnosticText::DiagnosticText(MLIRContext *context)
    : handler(std::make_unique<Handler>(context, text)) {}
DiagnosticText::~DiagnosticText() = default;

ModuleHandle::ModuleHandle(std::unique_ptr<MLIRContext> context, ModuleOp op)
    : context(std::move(context)), module(new ModuleOp(op)) {}

ModuleHandle::~ModuleHandle() {
  (*module)->erase();
  delete module;
}

ModuleOp ModuleHandle::getModule() const { return *module; }

std::unique_ptr<MLIRContext> ModuleHandle::makeContext() {
  DialectRegistry registry;
  registerDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // Discardable attributes of foreign dialects (mhlo.*, jax.*) are kept.
  context->allowUnregisteredDialects();
  // An error names the op and its line; a dump of a whole module hides it.
  context->printOpOnDiagnostic(false);
  return context;
}

std::unique_ptr<ModuleHandle> ModuleHandle::parse(std::string_view source,
                                                  std::string &error) {
  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> module;
  {
    DiagnosticText diagnostics(context.get());
    readGuarded(FileLineColLoc::get(context.get(), "program", 0, 0), [&] {
      module = parseSourceString<ModuleOp>(
          StringRef(source.data(), source.size()), context.get(), "program");
    });
    error = diagnostics.str();
  }
  if (!module)
    return nullptr;
  return std::make_unique<ModuleHandle>(std::move(context), module.release());
}

std::string ModuleHandle::print(bool elide, bool locations) const {
  OpPrintingFlags flags;
  if (elide)
    flags.elideLargeElementsAttrs(64).elideLargeResourceString(64);
  if (locations)
    flags.enableDebugInfo(true, false);
  std::string text;
  llvm::raw_string_ostream os(text);
  getModule()->print(os, flags);
  // When all of the resources are left out, an empty section stays behind.
  StringRef shown(text);
  if (elide && shown.consume_back("\n{-#\n\n#-}\n"))
    text.resize(shown.size());
  return text;
}

std::string ModuleHandle::writeBytecode() const {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  (void)writeBytecodeToFile(getModule(), os);
  return bytes;
}

/// The registry of passes belongs to the process.
static void registerPassesOnce() {
  static const bool registered = [] {
    registerFolderPasses();
    registerTransformsPasses();
    return true;
  }();
  (void)registered;
}

bool ModuleHandle::runPipeline(std::string_view pipeline, std::string &error) {
  registerPassesOnce();
  DiagnosticText diagnostics(context.get());
  PassManager manager(context.get());
  llvm::raw_string_ostream os(error);
  if (failed(parsePassPipeline(StringRef(pipeline.data(), pipeline.size()),
                               manager, os)))
    return false;
  if (succeeded(manager.run(getModule())))
    return true;
  error += diagnostics.str();
  return false;
}

} // namespace ferrule
