// Locations of IR as the file's table.
#ifndef FERRULE_COMPILER_EXPORT_LOCATIONS_H
#define FERRULE_COMPILER_EXPORT_LOCATIONS_H

#include "mlir/IR/Location.h"
#include "runtime/format/program_generated.h"

namespace ferrule {

/// Collects locations; children come before what holds them.
class LocationTable {
public:
  /// Entry 0 is the unknown location.
  LocationTable();
  uint32_t intern(mlir::LocationAttr location);
  std::vector<std::unique_ptr<format::LocationT>> take() {
    return std::move(entries);
  }

private:
  llvm::DenseMap<mlir::Attribute, uint32_t> known;
  std::vector<std::unique_ptr<format::LocationT>> entries;
};

/// The name of the user's layer that the location carries, or an empty string.
llvm::StringRef findLayerName(mlir::LocationAttr location);

/// The table as locations of IR, in the same order.
llvm::SmallVector<mlir::LocationAttr>
importLocations(const format::Program &program, mlir::MLIRContext *context);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_LOCATIONS_H
