// Recognises and reads portable artifacts.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/VHLO.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

static constexpr StringLiteral kMagic("ML\xefR");
static constexpr StringLiteral kProducer("StableHLO_v");

/// The producer's name after the magic number and the one byte that holds the
/// bytecode's version; empty when the file is something else.
static StringRef producerOf(StringRef bytes) {
  if (!bytes.consume_front(kMagic) || bytes.empty())
    return {};
  StringRef name =
      bytes.drop_front().take_until([](char c) { return c == '\0'; });
  return name.starts_with(kProducer) ? name : StringRef();
}

StringRef ferrule::findPortableArtifact(StringRef bytes) {
  if (!producerOf(bytes).empty())
    return bytes;
  StringRef program = readJaxExport(bytes).program;
  return producerOf(program).empty() ? StringRef() : program;
}

/// Files of another major version may mean other things by the same names.
static LogicalResult checkVersion(StringRef producer, Location loc) {
  unsigned major = 0, minor = 0;
  auto [first, rest] = producer.drop_front(kProducer.size()).split('.');
  if (first.getAsInteger(10, major) ||
      rest.split('.').first.getAsInteger(10, minor))
    return emitError(loc) << "found producer '" << producer
                          << "', expected a version like StableHLO_v1.0.0";
  if (major > 1 || (major == 0 && minor < 9))
    return emitError(loc) << "found a portable artifact of " << producer
                          << ", expected a version from 0.9.0 to 1.x";
  return success();
}

OwningOpRef<ModuleOp> ferrule::readPortableArtifact(StringRef bytes,
                                                    StringRef name,
                                                    MLIRContext *context) {
  Location loc = FileLineColLoc::get(context, name, 0, 0);
  StringRef producer = producerOf(bytes);
  if (producer.empty())
    return emitError(loc, "found no portable artifact"), nullptr;
  if (failed(checkVersion(producer, loc)))
    return nullptr;
  context->loadDialect<vhlo::VHLODialect, stablehlo::StableHLODialect,
                       func::FuncDialect>();
  // Verification waits: the dialect's operations have no traits.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  Block block;
  if (failed(
          readBytecodeFile(llvm::MemoryBufferRef(bytes, name), &block, config)))
    return emitError(loc) << "cannot read the portable artifact of "
                          << producer,
           nullptr;
  auto module = llvm::hasSingleElement(block)
                    ? dyn_cast<ModuleOp>(block.front())
                    : ModuleOp();
  if (!module)
    return emitError(loc, "found no module in the portable artifact"), nullptr;
  module->remove();
  OwningOpRef<ModuleOp> owner(module);
  if (failed(vhlo::convertToStableHLO(module, producer)))
    return nullptr;
  return owner;
}
