#include "compiler/Dialect/VHLO/VHLO.h"
#include "compiler/Driver/Driver.h"
#include "compiler/Frontend/ONNX/ONNX.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ferrule;

/// True when the bytes look like text: MLIR's own files always do.
static bool looksLikeText(StringRef bytes) {
  StringRef head = bytes.take_front(4096);
  return llvm::all_of(head, [](unsigned char c) {
    return c >= 32 || c == '\n' || c == '\t' || c == '\r';
  });
}

FailureOr<OwningOpRef<ModuleOp>>
ferrule::loadModel(StringRef path, MLIRContext &context,
                   const CompileOptions &options) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return emitError(loc) << "cannot read " << path << ": "
                          << file.getError().message();
  StringRef bytes = (*file)->getBuffer();
  if (bytes.empty())
    return emitError(loc) << path << " is empty";
  if (StringRef artifact = findPortableArtifact(bytes); !artifact.empty()) {
    OwningOpRef<ModuleOp> module =
        readPortableArtifact(artifact, path, &context);
    if (!module)
      return failure();
    return module;
  }
  if (isBytecode((*file)->getMemBufferRef()) || looksLikeText(bytes)) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*file), SMLoc());
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
    if (!module)
      return failure();
    return module;
  }
  ONNXImportOptions importOptions;
  for (const auto &[name, sizes] : options.inputShapes)
    importOptions.inputShapes.push_back(
        {name, SmallVector<int64_t>(sizes.begin(), sizes.end())});
  return importONNX(path, &context, importOptions);
}
