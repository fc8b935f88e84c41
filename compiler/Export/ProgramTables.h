// What the functions of a program share while it is written.
#ifndef FERRULE_COMPILER_EXPORT_PROGRAMTABLES_H
#define FERRULE_COMPILER_EXPORT_PROGRAMTABLES_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "compiler/Export/Locations.h"
#include "runtime/format/container.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace ferrule {

/// Constants of the program: equal bytes are stored once.
class ConstantTable {
public:
  /// The index of the constant of this value. Fails with a diagnostic at `op`.
  mlir::FailureOr<uint32_t> intern(byre::ConstantOp op);
  /// Adds the weights section, if there are constants, and fills in its index.
  void finish(format::ContainerWriter &writer);
  std::vector<std::unique_ptr<format::ConstantT>> take() {
    return std::move(entries);
  }

private:
  struct Range {
    llvm::ArrayRef<char> bytes;
    std::vector<uint32_t> constants; ///< Entries that lie in it.
  };
  llvm::DenseMap<mlir::Attribute, uint32_t> known;
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint32_t, 1>> byHash;
  std::vector<Range> ranges;
  std::deque<std::string> owned;
  std::vector<std::unique_ptr<format::ConstantT>> entries;
};

struct ProgramTables {
  LocationTable locations;
  ConstantTable constants;
  llvm::StringMap<uint32_t> functions;
  llvm::StringMap<uint32_t> kernelIndices;
  /// Devices that images are for, in their order, and which one a kernel is on.
  llvm::SmallVector<std::string> devices;
  llvm::StringMap<uint32_t> kernelDevices;
  /// Names of sizes that signatures use.
  llvm::SetVector<std::string, llvm::SmallVector<std::string>,
                  std::set<std::string>>
      symbols;
  /// In the order of their first launch.
  std::vector<std::unique_ptr<format::KernelT>> kernels;
};

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_PROGRAMTABLES_H
