// Portable artifacts: the versioned form in which StableHLO programs are
// stored. The dialect exists only while a file is read or written: its
// operations come from a table, and its types and attributes are builtin and
// stablehlo ones, when written behind a wrapper that says how.
#ifndef FERRULE_COMPILER_DIALECT_VHLO_VHLO_H
#define FERRULE_COMPILER_DIALECT_VHLO_VHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/VersionTuple.h"

namespace ferrule {

/// Makes the dialect known to contexts made with `registry`.
void registerVHLODialect(mlir::DialectRegistry &registry);

/// The portable artifact in a file: the file itself, or what a container of
/// JAX (jax.export's serialize) holds. Empty when there is none.
llvm::StringRef findPortableArtifact(llvm::StringRef bytes);

/// What a file of jax.export holds: a portable artifact and the names of the
/// platforms that it is for. Empty when the file is something else.
struct JaxExport {
  llvm::StringRef program;
  llvm::SmallVector<llvm::StringRef> platforms;
};
JaxExport readJaxExport(llvm::StringRef bytes);

/// A program for several platforms takes the index of one of them as its first
/// argument; gives it that of the CPU. Emits an error and fails when the CPU is
/// not among `platforms`.
mlir::LogicalResult bindPlatform(mlir::ModuleOp module,
                                 llvm::ArrayRef<llvm::StringRef> platforms);

/// Reads a portable artifact of any version from 0.9 to 1.20 as a StableHLO
/// program. Errors name the version of the producer. `name` is for messages.
mlir::OwningOpRef<mlir::ModuleOp>
readPortableArtifact(llvm::StringRef bytes, llvm::StringRef name,
                     mlir::MLIRContext *context);

/// Writes a StableHLO program as a portable artifact of `version`, from 1.0.0
/// to 1.20.0. Emits an error and fails when the program has something that the
/// version lacks or that no artifact can hold.
mlir::LogicalResult writePortableArtifact(mlir::ModuleOp module,
                                          llvm::VersionTuple version,
                                          llvm::raw_ostream &os);

/// Reads a version like 1.8.0, or "current"; nothing when it is none.
std::optional<llvm::VersionTuple> parseArtifactVersion(llvm::StringRef text);

namespace vhlo {

class VHLODialect : public mlir::Dialect {
public:
  explicit VHLODialect(mlir::MLIRContext *context);
  static llvm::StringLiteral getDialectNamespace() { return "vhlo"; }
  // Nobody sees the wrappers; the text of a half converted operation in a
  // debugger is all that they need.
  void printType(mlir::Type type,
                 mlir::DialectAsmPrinter &printer) const override;
  void printAttribute(mlir::Attribute attribute,
                      mlir::DialectAsmPrinter &printer) const override;

private:
  mlir::TypeIDAllocator typeIDs;
};

/// All operations, with versions: add_v1.
llvm::SmallVector<llvm::StringRef> operationNames();

/// Names of the attributes of an operation in the order of the file. Null
/// when there is no such operation.
const llvm::SmallVector<llvm::StringRef> *attributesOf(llvm::StringRef name);

/// The latest operation of `version` that `name`, like "add", stands for:
/// "vhlo.add_v1". Empty when that version has none.
std::string operationOf(llvm::StringRef name, llvm::VersionTuple version);

/// Adds the reader and the writer of types and attributes.
void addBytecodeInterface(VHLODialect &dialect);

/// Rewrites the vhlo operations of a parsed artifact; `producer` is named in
/// errors.
mlir::LogicalResult convertToStableHLO(mlir::ModuleOp module,
                                       llvm::StringRef producer);

/// Rewrites a StableHLO module to vhlo operations of `version`.
mlir::LogicalResult convertToVHLO(mlir::ModuleOp module,
                                  llvm::VersionTuple version);

} // namespace vhlo
} // namespace ferrule

MLIR_DECLARE_EXPLICIT_TYPE_ID(ferrule::vhlo::VHLODialect)

#endif // FERRULE_COMPILER_DIALECT_VHLO_VHLO_H
