// Portable artifacts: the versioned form in which StableHLO programs are
// stored. The dialect exists only while a file is read: its operations come
// from a table and its types and attributes are decoded straight into builtin
// and stablehlo ones.
#ifndef FERRULE_COMPILER_DIALECT_VHLO_VHLO_H
#define FERRULE_COMPILER_DIALECT_VHLO_VHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace ferrule {

/// Makes the dialect known to contexts made with `registry`.
void registerVHLODialect(mlir::DialectRegistry &registry);

/// The portable artifact in a file: the file itself, or what a container of
/// JAX (jax.export's serialize) holds. Empty when there is none.
llvm::StringRef findPortableArtifact(llvm::StringRef bytes);

/// Reads a portable artifact of any version from 0.9 to 1.20 as a StableHLO
/// program. Errors name the version of the producer. `name` is for messages.
mlir::OwningOpRef<mlir::ModuleOp>
readPortableArtifact(llvm::StringRef bytes, llvm::StringRef name,
                     mlir::MLIRContext *context);

namespace vhlo {

class VHLODialect : public mlir::ExtensibleDialect {
public:
  explicit VHLODialect(mlir::MLIRContext *context);
  static llvm::StringLiteral getDialectNamespace() { return "vhlo"; }
};

/// Names of the attributes of an operation in the order of the file. Null
/// when there is no such operation.
const llvm::SmallVector<llvm::StringRef> *attributesOf(llvm::StringRef name);

/// Adds the reader of types and attributes.
void addBytecodeInterface(VHLODialect &dialect);

/// Rewrites the vhlo operations of a parsed artifact; `producer` is named in
/// errors.
mlir::LogicalResult convertToStableHLO(mlir::ModuleOp module,
                                       llvm::StringRef producer);

} // namespace vhlo
} // namespace ferrule

MLIR_DECLARE_EXPLICIT_TYPE_ID(ferrule::vhlo::VHLODialect)

#endif // FERRULE_COMPILER_DIALECT_VHLO_VHLO_H
