// From the byre stage to a .byre file and back.
#ifndef FERRULE_COMPILER_EXPORT_EXPORT_H
#define FERRULE_COMPILER_EXPORT_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace ferrule {

/// Writes the module, which must be at the `byre` stage, to a file: under a
/// temporary name first, so that nobody sees half of it. Weights are written
/// from where they are. The same module gives the same bytes. Fails with
/// diagnostics at the operations that have no form in a file, and at the module
/// when the file cannot be written.
mlir::LogicalResult exportProgram(mlir::ModuleOp module,
                                  const std::string &path);

/// As above, into memory.
mlir::FailureOr<std::string> exportProgramToMemory(mlir::ModuleOp module);

/// Reads a .byre file back into a module of the `byre` stage, which exports to
/// the same bytes. Weights and images refer to the mapped file, which stays
/// mapped as long as the context lives. A damaged file gives a diagnostic and a
/// null module.
mlir::OwningOpRef<mlir::ModuleOp> importProgram(mlir::MLIRContext *context,
                                                const std::string &path);

/// As above, from bytes, which are copied.
mlir::OwningOpRef<mlir::ModuleOp>
importProgramFromMemory(mlir::MLIRContext *context, llvm::StringRef bytes);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_EXPORT_H
