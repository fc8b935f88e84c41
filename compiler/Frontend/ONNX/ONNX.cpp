#include "compiler/Frontend/ONNX/ONNX.h"
#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ferrule;

FailureOr<OwningOpRef<ModuleOp>>
ferrule::importONNX(std::shared_ptr<llvm::MemoryBuffer> buffer,
                    MLIRContext *context, const ONNXImportOptions &options) {
  context->loadDialect<func::FuncDialect, stablehlo::StableHLODialect,
                       tensor::TensorDialect, cf::ControlFlowDialect>();
  context->getOrLoadDialect("chlo");
  StringRef name = buffer->getBufferIdentifier();
  Location loc = FileLineColLoc::get(context, name, 0, 0);
  onnx::Model model;
  std::string error;
  if (!onnx::readModel(buffer->getBuffer(), model, error))
    return emitError(loc) << error;
  std::string folder = options.dataFolder;
  if (folder.empty())
    folder = llvm::sys::path::parent_path(name).str();
  onnx::Storage storage(buffer, folder.empty() ? "." : folder);
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  onnx::GraphImporter importer(model, storage, *module, options);
  if (failed(importer.importModel()) || failed(verify(*module)))
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>>
ferrule::importONNX(StringRef path, MLIRContext *context,
                    const ONNXImportOptions &options) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return emitError(UnknownLoc::get(context))
           << "cannot open '" << path << "': " << file.getError().message();
  return importONNX(std::shared_ptr<llvm::MemoryBuffer>(std::move(*file)),
                    context, options);
}

std::vector<std::string> ferrule::supportedONNXOps() {
  return onnx::Registry::get().names();
}
