#include "compiler/Dialect/VHLO/VHLO.h"
#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Repro.h"
#include "compiler/Frontend/ONNX/ONNX.h"
#include "compiler/Support/GuardedRead.h"
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

/// What a file that is no model is, for a message; empty when it may be one.
static StringRef describeOtherFile(StringRef bytes, StringRef path) {
  if (bytes.starts_with(StringRef("BYRE\r\n\x1a\0", 8)))
    return "a compiled program, which ferrule-run runs";
  if (bytes.starts_with("PK\x03\x04"))
    return "an archive (ferrule.compile in Python reads .pt2 files)";
  if (looksLikeText(bytes)) {
    // Every program has a function, and its line says so.
    bool mlir = path.ends_with(".mlir") || path == "-" ||
                bytes.contains("func") || bytes.contains("module");
    return mlir ? "" : "text that is not MLIR";
  }
  // A ModelProto starts with one of its fields, numbers 1 (a version) to 26.
  unsigned char tag = bytes.front();
  unsigned wireType = tag & 7;
  bool onnx = path.ends_with(".onnx") || tag == 0x08 || tag == 0x28 ||
              (wireType == 2 && tag < 0x80 && tag >= 0x12);
  return onnx ? "" : "a file of an unknown kind";
}

/// `path` is empty for a model that is no file.
static FailureOr<OwningOpRef<ModuleOp>>
loadBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, StringRef path,
           MLIRContext &context, const CompileOptions &options) {
  std::string name = buffer->getBufferIdentifier().str();
  Location loc = FileLineColLoc::get(&context, name, 0, 0);
  StringRef bytes = buffer->getBuffer();
  if (bytes.empty())
    return emitError(loc) << "the file is empty";
  if (StringRef artifact = findPortableArtifact(bytes); !artifact.empty()) {
    OwningOpRef<ModuleOp> module;
    readGuarded(
        loc, [&] { module = readPortableArtifact(artifact, name, &context); });
    // Only the container says which platforms there are.
    bool isExport = artifact.size() != bytes.size();
    if (!module || (isExport && failed(bindPlatform(
                                    *module, readJaxExport(bytes).platforms))))
      return failure();
    return module;
  }
  bool bytecode = isBytecode(buffer->getMemBufferRef());
  StringRef kind = bytecode ? "" : describeOtherFile(bytes, name);
  if (!kind.empty())
    return emitError(loc) << "found " << kind
                          << ", expected MLIR, StableHLO or ONNX";
  if (bytecode || looksLikeText(bytes)) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
    OwningOpRef<ModuleOp> module;
    readGuarded(loc, [&] {
      module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
    });
    if (!module)
      return failure();
    expandSeeds(*module);
    return module;
  }
  ONNXImportOptions importOptions;
  for (const auto &[name, sizes] : options.inputShapes)
    importOptions.inputShapes.push_back(
        {name, SmallVector<int64_t>(sizes.begin(), sizes.end())});
  // A file is mapped, so that its weights are not read here.
  if (!path.empty())
    return importONNX(path, &context, importOptions);
  return importONNX(std::shared_ptr<llvm::MemoryBuffer>(std::move(buffer)),
                    &context, importOptions);
}

FailureOr<OwningOpRef<ModuleOp>>
ferrule::loadModel(StringRef path, MLIRContext &context,
                   const CompileOptions &options) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return emitError(FileLineColLoc::get(&context, path, 0, 0))
           << "cannot read the file: " << file.getError().message();
  return loadBuffer(std::move(*file), path, context, options);
}

FailureOr<OwningOpRef<ModuleOp>>
ferrule::loadModelFromMemory(StringRef bytes, StringRef name,
                             MLIRContext &context,
                             const CompileOptions &options) {
  return loadBuffer(llvm::MemoryBuffer::getMemBufferCopy(bytes, name), "",
                    context, options);
}
