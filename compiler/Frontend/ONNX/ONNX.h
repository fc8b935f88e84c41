// ONNX files to StableHLO and CHLO.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_ONNX_H
#define FERRULE_COMPILER_FRONTEND_ONNX_ONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace ferrule {

struct ONNXImportOptions {
  /// Shapes that replace those declared for graph inputs; -1 stays dynamic.
  struct InputShape {
    std::string name;
    llvm::SmallVector<int64_t> dims;
  };
  std::vector<InputShape> inputShapes;
  /// The entry function's name.
  std::string functionName = "main";
  /// Folder of external data files; empty: the model file's own.
  std::string dataFolder;
};

/// Imports an ONNX file as a module with one public function. The file is
/// mapped, not read: its weights become resource blobs that share ownership of
/// the mapping, so they stay valid as long as the context. Errors are
/// diagnostics of the context that name the op, node and field at fault.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importONNX(llvm::StringRef path, mlir::MLIRContext *context,
           const ONNXImportOptions &options = {});

/// The same for a model that is in memory already.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importONNX(std::shared_ptr<llvm::MemoryBuffer> buffer,
           mlir::MLIRContext *context, const ONNXImportOptions &options = {});

/// The names of all supported ops, "domain.Name" or "Name" for ONNX's own
/// domain, sorted; the table of supported ops is made from it.
std::vector<std::string> supportedONNXOps();

} // namespace ferrule

#endif // FERRULE_COMPILER_FRONTEND_ONNX_ONNX_H
