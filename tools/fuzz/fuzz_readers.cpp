// Feeds bytes to the readers of programs: text, MLIR bytecode, portable
// artifacts. Whatever they are, there is a module that verifies and prints, or
// an error. Build with the preset `fuzz`; run with libFuzzer's options.
#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "compiler/Dialect/Check/IR/Check.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/VHLO.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

static MLIRContext &context() {
  static MLIRContext *result = [] {
    DialectRegistry registry;
    registry.insert<func::FuncDialect>();
    ferrule::registerStableHLODialect(registry);
    ferrule::registerCHLODialect(registry);
    ferrule::registerCheckDialect(registry);
    ferrule::registerVHLODialect(registry);
    auto *context =
        new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    context->getDiagEngine().registerHandler([](Diagnostic &) {});
    return context;
  }();
  return *result;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The lexer needs the zero that a string ends with.
  std::string copy(reinterpret_cast<const char *>(data), size);
  llvm::StringRef bytes(copy);
  llvm::StringRef artifact = ferrule::findPortableArtifact(bytes);
  OwningOpRef<ModuleOp> module;
  if (!artifact.empty())
    module = ferrule::readPortableArtifact(artifact, "input", &context());
  else
    module = parseSourceString<ModuleOp>(bytes, &context());
  if (!module)
    return 0;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  (void)writeBytecodeToFile(*module, stream);
  (void)ferrule::writePortableArtifact(*module, llvm::VersionTuple(1, 10, 0),
                                       stream);
  return 0;
}
