// A program of a file as a module of the byre stage.
#ifndef FERRULE_COMPILER_EXPORT_PROGRAMREADER_H
#define FERRULE_COMPILER_EXPORT_PROGRAMREADER_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/IR/Builders.h"
#include "runtime/format/program_file.h"

namespace ferrule {

/// What the functions of a program share while it is read.
struct ReaderTables {
  /// Constants and images refer to its bytes and keep it.
  std::shared_ptr<const runtime::ProgramFile> file;
  llvm::SmallVector<mlir::LocationAttr> locations;
  llvm::SmallVector<mlir::ElementsAttr> constants;

  mlir::Location location(uint32_t index) const {
    return mlir::Location(locations[index < locations.size() ? index : 0]);
  }
};

/// Builds a function; the program has been verified. Fails with a diagnostic
/// at an instruction that IR has no form for.
mlir::LogicalResult readFunction(const format::Function &function,
                                 const format::Program &program,
                                 const ReaderTables &tables,
                                 mlir::OpBuilder &builder);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_PROGRAMREADER_H
